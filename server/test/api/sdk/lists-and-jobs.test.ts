import assert from 'node:assert/strict';
import test from 'node:test';
import { type AisleClient, type CatalogJob, JobError, TimeoutError } from '@aisle/sdk';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { clientOf, errorOf, faultyNetwork } from '../../support/sdk.ts';
import { changeOrder } from '../../support/webhooks.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle, { isSandbox: true });
const skus = Array.from({ length: 23 }, (_, index) => `SKU-${String(index).padStart(2, '0')}`);
await addProducts(
  aisle,
  chain,
  skus.map((sku) => ({ sku, title: sku, price: 2, quantity: 1000 })),
);
const vendor_id = String(chain.vendors[0]);
const network = faultyNetwork();
const client: AisleClient = await clientOf(aisle, chain.token, { fetch: network.fetch, chainId: chain.chainId });

test('all items of a list with pages are read, with as many requests as there are pages', async () => {
  const before = network.sent.length;
  const found: string[] = [];
  for await (const { sku } of client.listCatalog.all({ params: { vendor_id }, query: { page_size: 10 } }))
    found.push(sku);
  assert.deepEqual(found, skus);
  assert.deepEqual(
    network.sent.slice(before).map(({ path }) => new URL(path, 'http://x').searchParams.get('page')),
    ['1', '2', '3'],
  );
});

test('reading stops when the caller has seen enough', async () => {
  const before = network.sent.length;
  for await (const { sku } of client.listCatalog.all({ params: { vendor_id }, query: { page_size: 5 } })) {
    if (sku === 'SKU-07') break;
  }
  assert.equal(network.sent.length - before, 2);
});

test('pages are available as they are, with the total number of items', async () => {
  const sizes: number[] = [];
  for await (const page of client.listCatalog.pages({ params: { vendor_id }, query: { page_size: 10 } })) {
    assert.equal(page.total_items, 23);
    sizes.push(page.products.length);
  }
  assert.deepEqual(sizes, [10, 10, 3]);
});

test('all items of a list with a cursor are read', async () => {
  const found = new Set<string>();
  const query = { limit: 10, vendor_id, updated_since: new Date(Date.now() - 3_600_000).toISOString() };
  for await (const { sku } of client.listChainProducts.all({ query })) found.add(sku);
  assert.deepEqual([...found].toSorted(), skus);
});

test('all orders are read from a list that is a bare array', async () => {
  const placed: string[] = [];
  for (let count = 0; count < 5; count++) placed.push((await placeOrder()).order_id);
  for (const page_size of [2, 5]) {
    const found: string[] = [];
    for await (const { order_id } of client.listOrdersBare.all({ params: { vendor_id }, query: { page_size } })) {
      found.push(order_id);
    }
    assert.deepEqual(found.toSorted(), placed.toSorted());
  }
});

test('all events of the feed are read until there are no more', async () => {
  const orders = [await changeOrder(aisle, chain), await changeOrder(aisle, chain), await changeOrder(aisle, chain)];
  const find = async () => {
    const found: string[] = [];
    for await (const event of client.listEvents.all({ query: { limit: 2 } })) {
      if (event.type === 'order.received') found.push(event.body.order_id);
    }
    return found;
  };
  await waitFor('the events', async () => {
    const found = await find();
    return orders.every((order) => found.includes(order));
  });
});

test('a job is followed until it has finished, and its result is read row by row', async () => {
  const seen: CatalogJob[] = [];
  const products = [...skus.map((sku) => ({ sku, price: 3 })), { sku: 'UNKNOWN', price: 3 }];
  const job = await client
    .updateCatalog({ params: { vendor_id }, body: { products } })
    .finished({ onProgress: (one) => seen.push(one) });
  assert.ok('progress' in job);
  assert.deepEqual([job.job_status, job.progress.succeeded, job.progress.failed], ['COMPLETED', 23, 1]);
  assert.equal(seen.at(-1)?.job_status, 'COMPLETED');
  const failed: unknown[] = [];
  for await (const row of client.downloadCatalogJob.rows({ params: { job_id: job.job_id } })) {
    if ('state' in row && row.state === 'FAILED') failed.push([row.sku, row.rowNumber]);
  }
  assert.deepEqual(failed, [['UNKNOWN', 24]]);
});

test('an export is downloaded as a stream', async () => {
  const { job_id } = await client.exportCatalog({ params: { vendor_id } }).finished();
  const download = await client.downloadCatalogJob({ params: { job_id } });
  const parts: Uint8Array[] = [];
  for await (const part of download) parts.push(part);
  const text = Buffer.concat(parts).toString();
  assert.equal(text.trim().split('\n').length, 24);
  assert.match(String(download.contentType), /^text\/csv/);
  const json = await client.downloadCatalogJob({ params: { job_id } }, { headers: { accept: 'application/json' } });
  assert.equal((JSON.parse(await json.text()) as unknown[]).length, 23);
});

test('a promotion job is followed until it has finished', async () => {
  const job = await client
    .putPromotion({
      body: {
        vendors: [vendor_id],
        type: 'STRIKETHROUGH',
        active: true,
        display_name: { en_AE: 'Sale' },
        conditions: { start_time: '2026-01-01T00:00:00Z', end_time: '2036-01-01T00:00:00Z' },
        discount: [{ sku: ['SKU-00'], discount_subtype: 'PERCENTAGE', discount_value: 10, active: true }],
      },
    })
    .finished();
  assert.equal(job.job_status, 'COMPLETED');
  assert.deepEqual(await client.waitForPromotionJob(job.job_id), job);
});

test('waiting for a job that was cancelled, or that takes too long, is an error', async () => {
  const apply_at = new Date(Date.now() + 3_600_000).toISOString();
  const { job_id } = await accepted(
    client.updateCatalog({
      params: { vendor_id },
      query: { apply_at },
      body: { products: [{ sku: 'SKU-01', price: 4 }] },
    }),
  );
  assert.ok((await errorOf(client.waitForCatalogJob(job_id, { timeoutMs: 100, pollMs: 50 }))) instanceof TimeoutError);
  const waiting = errorOf(client.waitForCatalogJob(job_id, { pollMs: 50 }));
  await client.cancelCatalogJob({ params: { job_id } });
  const error = await waiting;
  assert.ok(error instanceof JobError && error.job.job_id === job_id, String(error));
});

test('a file is uploaded from a string, from bytes and from a stream', async () => {
  const csv = (price: number) => `sku,price\nSKU-02,${price}\n`;
  const upload = async (name: string, body: Parameters<AisleClient['uploadFile']>[0]['body']) => {
    const { job_ids } = await client.uploadFile({ query: { folder: '/catalog/all', name }, body });
    return client.waitForCatalogJob(String(job_ids[0]));
  };
  async function* parts() {
    yield Buffer.from('sku,price\n');
    yield Buffer.from('SKU-02,14\n');
  }
  for (const body of [csv(11), Buffer.from(csv(12)), new Blob([csv(13)]), parts()]) {
    assert.equal((await upload('prices.csv', body)).progress.succeeded, 2);
  }
  const { products } = await client.listCatalog({ params: { vendor_id }, query: { query_term: 'SKU-02' } });
  assert.equal(products[0]?.price, 14);
});

test('a large request is compressed', async () => {
  const products = Array.from({ length: 2000 }, (_, index) => ({ sku: `SKU-${index + 10}`, price: 1 }));
  const { job_id } = await accepted(client.updateCatalog({ params: { vendor_id }, body: { products } }));
  assert.equal(network.sent.at(-1)?.headers['content-encoding'], 'gzip');
  assert.equal((await client.waitForCatalogJob(job_id)).progress.total, 2000);
});

async function accepted(response: Promise<object>): Promise<{ job_id: string }> {
  const body = await response;
  return 'job_id' in body ? (body as { job_id: string }) : assert.fail('there is no job');
}

function placeOrder() {
  return client.sandboxPlaceOrder({
    body: {
      vendor_id,
      customer: { first_name: 'Sam', phone_number: '+971500000000' },
      items: [{ sku: 'SKU-00', quantity: 1 }],
      payment: { type: 'PAID' },
    },
  });
}
