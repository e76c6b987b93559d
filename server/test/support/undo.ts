import assert from 'node:assert/strict';
import type { Response, TestAisle, TestChain } from './aisle.ts';
import { catalogPath, readOffers, waitForJob } from './catalog.ts';

type Caller = Pick<TestAisle, 'call'>;

/** Previews an update and returns the job of the preview. */
export async function runPreview(aisle: Caller, chain: TestChain, products: unknown[]): Promise<Response['body']> {
  const path = `${catalogPath(chain)}?dry_run=true`;
  const { status, text, body } = await aisle.call('PUT', path, { token: chain.token, body: { products } });
  assert.equal(status, 202, text);
  return waitForJob(aisle, chain, body.job_id);
}

/** Returns the items of a preview, and their counts. */
export async function readPreview(aisle: Caller, chain: TestChain, jobId: string, query = 'page_size=500') {
  const path = `${chain.base}/catalog/jobs/${jobId}/preview?${query}`;
  const { status, text, body } = await aisle.call('GET', path, { token: chain.token });
  assert.equal(status, 200, text);
  return body;
}

/** Calls an action of a job: apply, cancel or revert. */
export function act(
  aisle: Caller,
  chain: TestChain,
  jobId: string,
  action: 'apply' | 'cancel' | 'revert',
  body?: unknown,
  token = chain.token,
): Promise<Response> {
  const path = `${chain.base}/catalog/jobs/${jobId}/${action}`;
  return aisle.call('POST', path, { token, ...(body !== undefined && { body }) });
}

/** Calls an action that creates a job, and waits for that job. */
export async function run(
  aisle: Caller,
  chain: TestChain,
  jobId: string,
  action: 'apply' | 'revert',
  body?: unknown,
): Promise<Response['body']> {
  const response = await act(aisle, chain, jobId, action, body);
  assert.equal(response.status, 202, response.text);
  return waitForJob(aisle, chain, response.body.job_id, 60);
}

/** The values of all offers that an update can change, by vendor and SKU. */
export async function readValues(aisle: Pick<TestAisle, 'db'>, chain: TestChain): Promise<Map<string, unknown>> {
  const rows = await readOffers(aisle, chain);
  return new Map(
    rows.map(({ vendor_id, sku, price, quantity, active, maximum_sales_quantity, barcodes }) => [
      `${String(vendor_id)} ${String(sku)}`,
      { price, quantity, active, maximum_sales_quantity, barcodes },
    ]),
  );
}
