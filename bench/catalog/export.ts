import { clientOf } from '../../e2e/support/client.ts';
import { copyOut } from '../../server/src/kernel/database/copy.ts';
import type { Database } from '../../server/src/kernel/database/db.ts';
import type { Fixture } from './fixture.ts';

/** The baseline: runs a bare COPY TO with the same columns and discards the output. */
export async function bareExport(db: Database, fixture: Fixture, vendor: string): Promise<number> {
  const started = performance.now();
  const query = `select o.sku, p.barcodes[1], o.price, o.active::int, o.maximum_sales_quantity, o.quantity
    from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
    where o.chain_id = '${fixture.chainId}' and o.vendor_id = '${vendor}' order by o.sku`;
  for await (const _ of copyOut(db, query));
  return performance.now() - started;
}

/** Measures Aisle from the POST request until the job is COMPLETED. */
export async function aisleExport(
  url: string,
  fixture: Fixture,
  vendor: string,
): Promise<{ ms: number; jobId: string }> {
  const client = clientOf({ url }, fixture);
  const started = performance.now();
  const { job_id } = await client.exportCatalog({ params: { vendor_id: vendor } }).finished({ pollMs: 5 });
  return { ms: performance.now() - started, jobId: job_id };
}

export async function download(url: string, fixture: Fixture, jobId: string): Promise<number> {
  let bytes = 0;
  const file = await clientOf({ url }, fixture).downloadCatalogJob({ params: { job_id: jobId } });
  for await (const chunk of file) bytes += chunk.length;
  return bytes;
}
