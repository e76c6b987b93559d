import assert from 'node:assert/strict';
import { type Response, makeChain, type TestChain, useAisle } from './aisle.ts';
import { waitForJob } from './catalog.ts';

/** Starts a server for all tests in a file, with a chain that has two stores and two categories. */
export async function startCreationTests() {
  const aisle = await useAisle();
  const chain = await makeChain(aisle);
  const [store, otherStore] = chain.vendors as [string, string];

  const putCategories = async (target: TestChain, ids: string[]): Promise<void> => {
    const categories = ids.map((global_id) => ({ global_id, details: { name: { en_AE: global_id.toUpperCase() } } }));
    const path = `/platform/v1/chains/${target.chainId}/categories`;
    const response = await aisle.call('PUT', path, { token: aisle.platformToken, body: { categories } });
    assert.equal(response.status, 200, response.text);
  };
  const post = (body: unknown, options: { token?: string; path?: string } = {}): Promise<Response> =>
    aisle.call('POST', options.path ?? `${chain.base}/catalog`, { token: options.token ?? chain.token, body });
  /** Creates products through the chain's route or the given path, and returns the finished job. */
  const create = async (body: unknown, path?: string): Promise<Response['body']> => {
    const response = await post(body, path === undefined ? {} : { path });
    assert.equal(response.status, 202, response.text);
    assert.deepEqual(response.body, { job_id: response.body.job_id, job_status: 'QUEUED' });
    return waitForJob(aisle, chain, response.body.job_id, 120);
  };
  const vendorsOf = async (sku: string): Promise<string[]> => {
    const sql = 'select vendor_id from offers where chain_id = $1 and sku = $2';
    const rows = await aisle.db.query<{ vendor_id: string }>(sql, [chain.chainId, sku]);
    return rows.map((row) => row.vendor_id).toSorted();
  };

  await putCategories(chain, ['dairy', 'milk']);
  return { aisle, chain, store, otherStore, putCategories, post, create, vendorsOf };
}

export const product = (sku: string, more: Record<string, unknown> = {}) => ({
  sku,
  title: { en_AE: `Title of ${sku}` },
  price: 2.5,
  ...more,
});
