import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../../e2e/support/client.ts';
import { putPrepared } from '../support/put-prepared.ts';
import type { Fixture, Item } from './fixture.ts';

/** Measures the baseline (`bulk-bare.ts`) from the first byte of the request until the rows are updated. */
export async function bareBulk(url: string, fixture: Fixture, vendor: string, body: Buffer): Promise<number> {
  const started = performance.now();
  await fetch(`${url}/${fixture.chainId}/${vendor}`, { method: 'PUT', body });
  const isRunning = async () => ((await (await fetch(url)).json()) as { isRunning: boolean }).isRunning;
  while (await isRunning()) await sleep(20);
  return performance.now() - started;
}

export function bodyOf(rows: Item[]): Buffer {
  return Buffer.from(JSON.stringify({ products: rows }));
}

/** Measures Aisle from the first byte of the PUT request until the job is COMPLETED. `query` can make it a preview. */
export async function aisleBulk(
  url: string,
  fixture: Fixture,
  vendor: string,
  body: Buffer,
  query: '' | '?dry_run=true' = '',
): Promise<number> {
  const started = performance.now();
  const jobId = await putPrepared(`${url}${fixture.base}/vendors/${vendor}/catalog${query}`, fixture.token, body);
  await clientOf({ url }, fixture).waitForCatalogJob(jobId, { pollMs: 20 });
  return performance.now() - started;
}
