import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { Failure } from '../failures/failure.ts';
import { reuse } from '../values/reuse.ts';
import { unlimited } from './anonymous-limit.ts';

/** Serves the metrics in the Prometheus format. If a token is given, requests must send it. */
export function serveMetrics(http: FastifyInstance, render: () => Promise<string>, token: string | null): void {
  http.get('/metrics', unlimited, async ({ headers }, reply) => {
    if (token !== null && !isSame(headers.authorization ?? '', `Bearer ${token}`)) {
      throw new Failure('invalid_token', 'Metrics require the token in AISLE_METRICS_TOKEN.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await render());
  });
}

/** The text is reused for a second, because the requests are not limited, and each would read from the database. */
export function renderMetrics(registry: Registry): () => Promise<string> {
  return reuse(1000, () => registry.metrics());
}

/** Takes the same time for every wrong value. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
