import { copyInto } from '../../server/src/kernel/database/copy.ts';
import { encodeCopyRow } from '../../server/src/kernel/database/copy-text.ts';
import type { Database } from '../../server/src/kernel/database/db.ts';
import type { Fixture, Item } from './fixture.ts';

/** The baseline: updates the same rows with the fastest bare SQL, a COPY into a temporary table and one UPDATE. */
export async function bareBulk(db: Database, fixture: Fixture, vendor: string, rows: Item[]): Promise<number> {
  const text = Buffer.from(rows.map((row) => encodeCopyRow([row.sku, row.price, row.quantity, row.active])).join(''));
  const started = performance.now();
  await db.transaction(async (tx) => {
    await tx.client.query(
      'create temporary table bare (sku text collate "C", price numeric(10, 3), quantity integer, active boolean) on commit drop',
    );
    await copyInto(tx, 'bare', text);
    await tx.client.query(
      `update offers o set price = b.price, quantity = b.quantity, active = b.active, updated_at = now() from bare b
       where o.chain_id = $1 and o.vendor_id = $2 and o.sku = b.sku
         and (b.price, b.quantity, b.active) is distinct from (o.price, o.quantity, o.active)`,
      [fixture.chainId, vendor],
    );
  });
  return performance.now() - started;
}

export function bodyOf(rows: Item[]): Buffer {
  return Buffer.from(JSON.stringify({ products: rows }));
}

/** Measures Aisle from the first byte of the PUT request until the job is COMPLETED. */
export async function aisleBulk(url: string, fixture: Fixture, vendor: string, body: Buffer): Promise<number> {
  const headers = { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' };
  const started = performance.now();
  const response = await fetch(`${url}${fixture.base}/vendors/${vendor}/catalog`, { method: 'PUT', headers, body });

  if (response.status !== 202)
    throw new Error(`The bulk update returned ${response.status}: ${JSON.stringify(await response.json())}`);
  const { job_id } = (await response.json()) as { job_id: string };
  await waitForJob(url, fixture, job_id);
  return performance.now() - started;
}

export async function waitForJob(url: string, fixture: Fixture, jobId: string, pollMs = 20): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}${fixture.base}/catalog/jobs/${jobId}`, {
      headers: { authorization: `Bearer ${fixture.token}` },
    });
    const { job_status } = (await response.json()) as { job_status: string };
    if (job_status === 'COMPLETED') return;
    if (job_status === 'FAILED') throw new Error(`Job ${jobId} failed.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
