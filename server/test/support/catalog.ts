import assert from 'node:assert/strict';
import { createProductsNow } from '../../src/catalog/create-now.ts';
import type { Response, TestAisle, TestChain } from './aisle.ts';
import { waitFor } from './wait.ts';

/** Adds these products to the vendors directly, without a job. */
export async function addProducts(
  { db }: Pick<TestAisle, 'db'>,
  chain: TestChain,
  products: unknown[],
  vendors = chain.vendors,
) {
  await db.transaction(async (tx) => {
    for (const vendor_id of vendors)
      await createProductsNow(tx, chain.chainId, { vendor_id, locale: 'en_AE' }, products);
  });
}

/** Creates `count` simple products with SKUs starting at SKU-00001, a price of 1 and a quantity of 5. */
export function plainProducts(count: number): { sku: string; title: string; price: number; quantity: number }[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: `SKU-${String(index + 1).padStart(5, '0')}`,
    title: `Product ${index + 1}`,
    price: 1,
    quantity: 5,
  }));
}

/** Waits until the job has finished and returns it. */
export async function waitForJob(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  jobId: string,
  seconds = 30,
): Promise<Response['body']> {
  let job: Response['body'];
  await waitFor(
    `job ${jobId} to finish`,
    async () => {
      const { status, body } = await aisle.call('GET', `${chain.base}/catalog/jobs/${jobId}`, { token: chain.token });
      assert.equal(status, 200);
      job = body;
      return body.job_status === 'COMPLETED' || body.job_status === 'FAILED';
    },
    seconds,
  );
  return job;
}

export function catalogPath(chain: TestChain, vendor = chain.vendors[0]): string {
  return `${chain.base}/vendors/${vendor}/catalog`;
}

export function putProducts(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  products: unknown,
  options: { vendor?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { vendor, headers = {} } = options;
  return aisle.call('PUT', catalogPath(chain, vendor), { token: chain.token, headers, body: { products } });
}

/** Sends the update as a job, even if it has a single item. Returns the job's id. */
export async function sendUpdate(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  products: unknown[],
  vendor?: string,
): Promise<string> {
  const headers = { prefer: 'respond-async' };
  const { status, text, body } = await putProducts(aisle, chain, products, { vendor, headers });
  assert.equal(status, 202, text);
  return body.job_id;
}

export async function runUpdate(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  products: unknown[],
  vendor?: string,
): Promise<Response['body']> {
  return waitForJob(aisle, chain, await sendUpdate(aisle, chain, products, vendor));
}

/** Returns the product as it appears in the list. */
export async function readProduct(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  sku: string,
  vendor?: string,
): Promise<Response['body']> {
  const path = `${catalogPath(chain, vendor)}?page_size=500&query_term=${encodeURIComponent(sku)}`;
  const { status, text, body } = await aisle.call('GET', path, { token: chain.token });
  assert.equal(status, 200, text);
  return body.products.find((product: { sku: string }) => product.sku === sku);
}

/** Returns every offer as stored, with the system columns that change whenever a row is written. */
export function readOffers({ db }: Pick<TestAisle, 'db'>, chain: TestChain): Promise<Record<string, unknown>[]> {
  return db.query(
    `select o.*, o.xmin::text, o.ctid::text, p.xmin::text as product_xmin, p.ctid::text as product_ctid, p.barcodes
     from offers o join products p using (chain_id, sku) where o.chain_id = $1 order by o.vendor_id, o.sku`,
    [chain.chainId],
  );
}

/** Returns the rows of a job's CSV file, including the header. */
export async function readLog(aisle: Pick<TestAisle, 'call'>, chain: TestChain, jobId: string): Promise<string[]> {
  const { status, text } = await aisle.call('GET', `${chain.base}/catalog/jobs/${jobId}/download`, {
    token: chain.token,
  });
  assert.equal(status, 200);
  return text.trimEnd().split('\n');
}
