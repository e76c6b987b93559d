import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../server/src/kernel/database/db.ts';
import { putBytes, putPrepared } from '../support/put-prepared.ts';
import type { Fixture, Item } from './fixture.ts';

/** Measures the baseline (`bulk-bare.ts`) from the first byte of the request until the rows are updated. */
export async function bareBulk(url: string, fixture: Fixture, vendor: string, body: Buffer): Promise<number> {
  const started = performance.now();
  await putBytes(`${url}/${fixture.chainId}/${vendor}`, {}, body);
  const isRunning = async () => ((await (await fetch(url)).json()) as { isRunning: boolean }).isRunning;
  while (await isRunning()) await sleep(pollMs);
  return performance.now() - started;
}

export function bodyOf(rows: Item[]): Buffer {
  return Buffer.from(JSON.stringify({ products: rows }));
}

/**
 * Measures Aisle from the first byte of the PUT request until the job is COMPLETED. `query` can make it a preview. If the
 * job takes at least `atLeastMs`, its status is not read before, and then `every` so many milliseconds.
 */
export async function aisleBulk(
  db: Database,
  url: string,
  fixture: Fixture,
  vendor: string,
  body: Buffer,
  {
    query = '',
    atLeastMs = 0,
    every = pollMs,
  }: { query?: '' | '?dry_run=true'; atLeastMs?: number; every?: number } = {},
): Promise<number> {
  const started = performance.now();
  const jobId = await putPrepared(`${url}${fixture.base}/vendors/${vendor}/catalog${query}`, fixture.token, body);
  await sleep(Math.max(0, started + atLeastMs - performance.now()));
  await waitUntilCompleted(db, fixture.chainId, jobId, every);
  return performance.now() - started;
}

/** Asks the database, because asking the server so often would slow the job down. */
async function waitUntilCompleted(db: Database, chainId: string, jobId: string, every: number): Promise<void> {
  const sql = 'select status from jobs where chain_id = $1 and job_id = $2';
  for (;;) {
    const [job] = await db.query<{ status: string }>(sql, [chainId, jobId]);
    if (job?.status === 'COMPLETED') return;
    if (job?.status !== 'QUEUED' && job?.status !== 'IN_PROGRESS') throw new Error(`Job ${jobId} is ${job?.status}.`);
    await sleep(every);
  }
}

const pollMs = 10;
