import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Response, makeChain, startTestAisle } from './aisle.ts';
import { catalogPath, addProducts, plainProducts } from './catalog.ts';

/** Starts a server without a worker for all tests in a file. Jobs stay queued until a test starts a worker. */
export async function startWithoutWorker() {
  const aisle = await startTestAisle({}, 'api');
  after(() => aisle.stop());
  const chain = await makeChain(aisle);
  const [store, otherStore] = chain.vendors as [string, string];
  await addProducts(aisle, chain, plainProducts(10));

  const get = (path: string, token = chain.token): Promise<Response> =>
    aisle.call('GET', `${chain.base}/catalog/jobs${path}`, { token });
  return {
    aisle,
    chain,
    store,
    otherStore,
    get,
    readJob: async (jobId: string): Promise<Response['body']> => (await get(`/${jobId}`)).body,
    async withWorker<Result>(work: () => Promise<Result>): Promise<Result> {
      const worker = await aisle.another({}, 'worker');
      return work().finally(worker.stop);
    },
    startExport: async (vendor = store): Promise<string> =>
      (await aisle.call('POST', `${catalogPath(chain, vendor)}/export`, { token: chain.token })).body.job_id,
    async startCreation(vendors: unknown, products: unknown[]): Promise<string> {
      const body = { vendors, products };
      const response = await aisle.call('POST', `${chain.base}/catalog`, { token: chain.token, body });
      assert.equal(response.status, 202, response.text);
      return response.body.job_id;
    },
    /** Runs `work` while the SKU's offer is locked, so that other writers are blocked. */
    whileLocked<Result>(sku: string, work: () => Promise<Result>): Promise<Result> {
      return aisle.db.transaction(async (tx) => {
        const sql = 'select 1 from offers where chain_id = $1 and vendor_id = $2 and sku = $3 for update';
        await tx.query(sql, [chain.chainId, store, sku]);
        return work();
      });
    },
  };
}
