import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { Failure } from '../failures/failure.ts';
import { unlimited } from './anonymous-limit.ts';

/**
 * Serves the metrics in the Prometheus format. If a token is given, requests must send it. The text is reused for a
 * second, because these requests are not limited, and each one would read the queues from the database.
 */
export function serveMetrics(http: FastifyInstance, registry: Registry, token: string | null): void {
  let rendered: { text: Promise<string>; endsAt: number } | undefined;
  const render = (): Promise<string> => {
    const now = performance.now();
    if (!rendered || now >= rendered.endsAt) rendered = { text: registry.metrics(), endsAt: now + reuseMs };
    return rendered.text;
  };
  http.get('/metrics', unlimited, async ({ headers }, reply) => {
    if (token !== null && !isSame(headers.authorization ?? '', `Bearer ${token}`)) {
      throw new Failure('invalid_token', 'Metrics require the token in AISLE_METRICS_TOKEN.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    return reply.type(registry.contentType).send(await render());
  });
}

const reuseMs = 1000;

/** Takes the same time for every wrong value. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
