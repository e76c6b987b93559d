import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';
import { JobError, type PushProgress } from '@aisle/sdk';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { clientOf, errorOf, faultyNetwork } from '../../support/sdk.ts';

const aisle = await useOwnAisle({ AISLE_MAX_CATALOG_ITEMS: '400' });
const chain = await makeChain(aisle);
const skus = Array.from({ length: 1000 }, (_, index) => `SKU-${index}`);
await addProducts(
  aisle,
  chain,
  skus.map((sku) => ({ sku, title: sku, price: 2, quantity: 1 })),
);
const vendorId = String(chain.vendors[0]);

async function* rowsOf(count: number, price: number, onRead: (index: number) => void = () => {}) {
  for (let index = 0; index < count; index++) {
    onRead(index);
    yield { sku: `SKU-${index % 1000}`, price };
  }
}

test('any number of rows becomes jobs that the installation accepts', async () => {
  const client = await clientOf(aisle, chain.token);
  const seen: PushProgress[] = [];
  const counts = await client
    .pushCatalog(rowsOf(1000, 3), { vendorId, onProgress: (one) => seen.push(one), pollMs: 50 })
    .finished();
  assert.deepEqual(counts, { jobs: 3, items: 1000, succeeded: 1000, unchanged: 0, failed: 0 });
  assert.deepEqual(seen.at(-1), { read: 1000, accepted: 1000, finished: counts });
  const { products } = await client.listCatalog({ params: { vendor_id: vendorId }, query: { query_term: 'SKU-999' } });
  assert.equal(products[0]?.price, 3);
});

test('rows are read only as fast as jobs finish', async () => {
  const client = await clientOf(aisle, chain.token);
  let read = 0;
  const rows = rowsOf(1000, 4, (index) => (read = index + 1));
  const ahead: number[] = [];
  let finished = 0;
  for await (const job of client.pushCatalog(rows, { vendorId, rowsPerJob: 100, unfinishedJobs: 2, pollMs: 50 })) {
    finished += job.progress.total;
    ahead.push(read - finished);
  }
  assert.equal(finished, 1000);
  assert.ok(Math.max(...ahead) <= 301, `at most two jobs, a chunk and the first row of the next: ${ahead.join()}`);
});

test('a lost response does not push a chunk twice, and the last of several rows for a SKU wins', async () => {
  const network = faultyNetwork(undefined, 'response lost');
  const client = await clientOf(aisle, chain.token, { fetch: network.fetch, chainId: chain.chainId });
  const rows = [5, 6, 7].map((price) => ({ sku: 'SKU-1', price }));
  const counts = await client.pushCatalog(rows, { vendorId, rowsPerJob: 1, pollMs: 50 }).finished();
  assert.equal(counts.jobs, 3);
  const { jobs } = await client.listCatalogJobs({ query: { page_size: 4 } });
  assert.deepEqual(
    jobs.map(({ progress }) => progress.total),
    [1, 1, 1, 100],
  );
  const { products } = await client.listCatalog({ params: { vendor_id: vendorId }, query: { query_term: 'SKU-1' } });
  assert.equal(products.find(({ sku }) => sku === 'SKU-1')?.price, 7);
});

test('a job in which all rows fail does not end the push', async () => {
  const client = await clientOf(aisle, chain.token);
  const rows = ['NOPE-1', 'NOPE-2', 'SKU-4', 'NOPE-3'].map((sku) => ({ sku, quantity: 12 }));
  const counts = await client.pushCatalog(rows, { vendorId, rowsPerJob: 2, pollMs: 50 }).finished();
  assert.deepEqual(counts, { jobs: 2, items: 4, succeeded: 1, unchanged: 0, failed: 3 });
  const body = { products: rows.slice(0, 2) };
  const error = await errorOf(client.updateCatalog({ params: { vendor_id: vendorId }, body }).finished());
  assert.ok(error instanceof JobError && error.hasOnlyFailedRows, String(error));
  assert.doesNotMatch(inspect(error), /signature|NOPE-1/, 'a logged error has no rows and no signed link');
});

test('a preview changes nothing', async () => {
  const client = await clientOf(aisle, chain.token);
  for await (const job of client.pushCatalog([{ sku: 'SKU-2', price: 99 }], { vendorId, dryRun: true, pollMs: 50 })) {
    assert.equal(job.dry_run, true);
    const { items } = await client.getCatalogPreview({ params: { job_id: job.job_id } });
    assert.equal(items[0]?.sku, 'SKU-2');
  }
  const { products } = await client.listCatalog({ params: { vendor_id: vendorId }, query: { query_term: 'SKU-2' } });
  assert.equal(products.find(({ sku }) => sku === 'SKU-2')?.price, 4);
});

test('an error in the rows, and an aborted signal, end the push', async () => {
  const client = await clientOf(aisle, chain.token);
  async function* broken() {
    yield { sku: 'SKU-3', price: 1 };
    throw new Error('the file is damaged');
  }
  assert.match(String(await errorOf(client.pushCatalog(broken(), { vendorId }).finished())), /the file is damaged/);
  const controller = new AbortController();
  const { signal } = controller;
  const endless = rowsOf(Infinity, 1, (index) => index === 1500 && controller.abort());
  const error = await errorOf(client.pushCatalog(endless, { vendorId, rowsPerJob: 400, signal }).finished());
  assert.equal((error as Error).name, 'AbortError');
});
