import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { makeChain, makeToken, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, waitForJob } from '../../support/catalog.ts';

let aisle: TestAisle;
let chain: TestChain;
before(async () => {
  aisle = await useAisle();
  chain = await makeChain(aisle, { vendors: 3 });
  await addProducts(aisle, chain, plainProducts(400));
});

const put = (vendor: string | undefined, products: unknown[]) =>
  aisle.call('PUT', `${chain.base}/vendors/${vendor}/catalog`, { token: chain.token, body: { products } });

test('a job accepted earlier neither overwrites a barcode set by a single update nor deadlocks with it', async () => {
  const deadlocks = await countDeadlocks();
  const skus = plainProducts(400).map((product) => product.sku);
  const bulk = (round: number, isReversed: boolean) => {
    const items = skus.map((sku, index) => ({ sku, price: 2 + round, barcode: String(1000 + round * 10_000 + index) }));
    return isReversed ? items.toReversed() : items;
  };
  for (let round = 1; round <= 3; round++) {
    const jobs = await Promise.all(
      chain.vendors.map(async (vendor, index) => {
        const { body } = await put(vendor, bulk(round, index % 2 === 1));
        return body.job_id as string;
      }),
    );
    const singles = skus.filter((_, index) => index % 100 === round);
    const responses = await Promise.all(
      singles.map((sku, index) => put(chain.vendors[0], [{ sku, price: 90 + round, barcode: `77${round}${index}` }])),
    );
    for (const { status, body } of responses) assert.equal(status, 200, JSON.stringify(body));
    for (const jobId of jobs) assert.equal((await waitForJob(aisle, chain, jobId, 60)).progress.failed, 0);
    const rows = await aisle.db.query<{ price: string }>(
      'select price from offers where chain_id = $1 and vendor_id = $2 and sku = any ($3)',
      [chain.chainId, chain.vendors[0], singles],
    );
    assert.deepEqual(new Set(rows.map((row) => Number(row.price))), new Set([90 + round]));
  }
  assert.equal(await countDeadlocks(), deadlocks);
});

/** Of all tests that share the database. */
async function countDeadlocks(): Promise<number | undefined> {
  const [row] = await aisle.db.query<{ count: number }>(
    'select deadlocks::int as count from pg_stat_database where datname = current_database()',
  );
  return row?.count;
}

test('within one store, a job accepted earlier does not overwrite a barcode set by a single update', async () => {
  const [store] = chain.vendors;
  const items = plainProducts(400).map(({ sku }, index) => ({ sku, barcode: String(500_000 + index) }));
  for (let round = 0; round < 5; round++) {
    const { body } = await put(store, items);
    const sku = `SKU-00${100 + round}`;
    const single = await put(store, [{ sku, barcode: `99${round}` }]);
    assert.deepEqual(single.body.barcodes, [`99${round}`]);
    await waitForJob(aisle, chain, body.job_id);
    const list = await aisle.call('GET', `${chain.base}/vendors/${store}/catalog?query_term=${sku}`, {
      token: chain.token,
    });
    assert.deepEqual(list.body.products[0].barcodes, [`99${round}`], `round ${round}`);
  }
});

test('the stored response for an idempotency key is not returned to a token with less access', async () => {
  const limited = await makeToken(aisle, chain.chainId, {
    scopes: ['manage'],
    vendor_ids: [chain.vendors[0] as string],
  });
  const request = { body: { name: 'full', scopes: ['manage'] }, headers: { 'idempotency-key': 'order-1' } };
  const first = await aisle.call('POST', `${chain.base}/tokens`, { token: chain.token, ...request });
  const again = await aisle.call('POST', `${chain.base}/tokens`, { token: chain.token, ...request });
  const foreign = await aisle.call('POST', `${chain.base}/tokens`, { token: limited, ...request });
  assert.deepEqual([first.status, again.status, again.body.token], [201, 201, first.body.token]);
  assert.equal(foreign.status, 403);
  assert.equal(foreign.body.token, undefined);
});

test('a category tree deeper than 20 levels and the external id * are rejected', async () => {
  const categories = Array.from({ length: 21 }, (_, index) => ({
    global_id: `level-${index}`,
    ...(index > 0 && { parent_global_id: `level-${index - 1}` }),
    details: { name: { en_AE: `Level ${index}` } },
  }));
  const path = `/platform/v1/chains/${chain.chainId}/categories`;
  const deep = await aisle.call('PUT', path, { token: aisle.platformToken, body: { categories } });
  assert.deepEqual([deep.status, deep.body.errors[0].code], [400, 'too_deep']);
  const fine = await aisle.call('PUT', path, {
    token: aisle.platformToken,
    body: { categories: categories.slice(0, 20) },
  });
  assert.equal(fine.status, 200);
  const star = await aisle.call('PATCH', `${chain.base}/vendors/${chain.vendors[0]}/settings`, {
    token: chain.token,
    body: { external_id: '*' },
  });
  assert.equal(star.status, 400);
});

test('a single update that was numbered before another one does not take back its number', async () => {
  const [sku = ''] = plainProducts(1).map((product) => product.sku);
  const values = [chain.chainId, chain.vendors[0], sku];
  const where = 'where chain_id = $1 and vendor_id = $2 and sku = $3';
  await aisle.db.query(`update offers set single_update_no = 1000000 ${where}`, values);
  assert.equal((await put(chain.vendors[0], [{ sku, price: 91 }])).status, 200);
  const rows = await aisle.db.query<{ no: number; price: string }>(
    `select single_update_no::int as no, price::float8 as price from offers ${where}`,
    values,
  );
  assert.deepEqual(rows, [{ no: 1_000_000, price: 91 }]);
});
