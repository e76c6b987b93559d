import type { FastifyInstance } from 'fastify';
import { unlimited } from './anonymous-limit.ts';

/** Resolves to `ok`, or to a description of the problem. A warning is shown, but the server stays ready. */
export type HealthCheck = { name: string; check(): Promise<string>; isWarning?: boolean };

export type CheckResult = { name: string; isWarning: boolean; result: string };

/** `run` returns the results of all checks. */
export function serveHealth(app: FastifyInstance, run: () => Promise<CheckResult[]>): void {
  app.get('/health/live', unlimited, async () => ({ status: 'ok' }));
  app.get('/health/ready', unlimited, async (_request, reply) => {
    const all = await run();
    const results = all.filter(({ isWarning }) => !isWarning);
    const warnings = all.filter(({ isWarning, result }) => isWarning && result !== 'ok');
    const isReady = results.every(({ result }) => result === 'ok');
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      checks: byName(results),
      ...(warnings.length > 0 && { warnings: byName(warnings) }),
    });
  });
}

export function runChecks(checks: readonly HealthCheck[]): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async ({ name, check, isWarning = false }) => ({
      name,
      isWarning,
      result: await resultOrTimeout(check),
    })),
  );
}

function byName(results: { name: string; result: string }[]): Record<string, string> {
  return Object.fromEntries(results.map(({ name, result }) => [name, result]));
}

async function resultOrTimeout(check: () => Promise<string>): Promise<string> {
  const timeout = new Promise<string>((resolve) => setTimeout(() => resolve('no result within 2 s'), 2000).unref());
  return Promise.race([check().catch((error: Error) => error.message), timeout]);
}
