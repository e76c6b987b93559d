import type { FastifyInstance } from 'fastify';
import { unlimited } from './anonymous-limit.ts';

/** Resolves to `ok`, or to a description of the problem. */
export type HealthCheck = { name: string; check(): Promise<string> };

export function serveHealth(app: FastifyInstance, checks: HealthCheck[]): void {
  app.get('/health/live', unlimited, async () => ({ status: 'ok' }));
  app.get('/health/ready', unlimited, async (_request, reply) => {
    const results = await Promise.all(checks.map(async ({ name, check }) => [name, await resultOrTimeout(check)]));
    const isReady = results.every(([, result]) => result === 'ok');
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? 'ok' : 'unavailable', checks: Object.fromEntries(results) });
  });
}

async function resultOrTimeout(check: () => Promise<string>): Promise<string> {
  const timeout = new Promise<string>((resolve) => setTimeout(() => resolve('no result within 2 s'), 2000).unref());
  return Promise.race([check().catch((error: Error) => error.message), timeout]);
}
