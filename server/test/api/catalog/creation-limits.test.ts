import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeChain, makeToken, startTestAisle } from '../../support/aisle.ts';
import {
  catalogPath,
  addProducts,
  plainProducts,
  readLog,
  readProduct,
  runUpdate,
  waitForJob,
} from '../../support/catalog.ts';
import { product, startCreationTests } from '../../support/creation.ts';

const { aisle, chain, store, otherStore, post, create, vendorsOf } = await startCreationTests();

test('a malformed request is rejected without creating a job', async () => {
  const products = [product('REFUSED')];
  const count = () => aisle.db.query('select count(*) from jobs');
  const before = await count();
  const bad: [unknown, string][] = [
    [{ products }, '/vendors'],
    [{ vendors: null, products }, '/vendors'],
    [{ vendors: [], products }, '/vendors'],
    [{ vendors: store, products }, '/vendors'],
    [{ vendors: ['*', store], products }, '/vendors'],
    [{ vendors: [5], products }, '/vendors'],
    [{ vendors: [''], products }, '/vendors'],
    [{ vendors: ['a\0'], products }, '/vendors'],
    [{ vendors: { id: store }, products }, '/vendors'],
    [{ vendors: '*' }, '/products'],
    [{ vendors: '*', products: [] }, '/products'],
    [{ vendors: '*', products: {} }, '/products'],
    [{ vendors: '*', products: [products] }, '/products/0'],
    [{ vendors: '*', products: ['SKU'] }, '/products/0'],
    [[], ''],
  ];
  for (const [body, pointer] of bad) {
    const response = await post(body);
    assert.deepEqual([response.status, response.body.errors?.[0]?.pointer], [400, pointer], JSON.stringify(body));
  }
  const text = await aisle.call('POST', `${chain.base}/catalog`, { token: chain.token, raw: '{"vendors":' });
  assert.deepEqual([text.status, text.body.code], [400, 'invalid_request']);
  assert.deepEqual(await count(), before);
});

test('products cannot be created in a chain without stores', async () => {
  const empty = await makeChain(aisle, { vendors: 0 });
  const { status, body } = await post(
    { vendors: '*', products: [product('A')] },
    { path: `${empty.base}/catalog`, token: empty.token },
  );
  assert.deepEqual([status, body.code], [400, 'invalid_request']);
});

test('a token restricted to certain vendors can create products only for those vendors', async () => {
  const limited = await makeToken(aisle, chain.chainId, { vendor_ids: [store] });
  const reader = await makeToken(aisle, chain.chainId, { scopes: ['catalog:read'] });
  const products = [product('LIMITED')];
  // A token restricted to certain vendors cannot create products that the chain does not have.
  await create({ vendors: [otherStore], products });
  for (const vendors of ['*', ['*'], [store, otherStore], [otherStore], ['ext-2'], ['nope']]) {
    const { status, body } = await post({ vendors, products }, { token: limited });
    assert.deepEqual([status, body.code], [403, 'forbidden'], JSON.stringify(vendors));
  }
  const elsewhere = await post({ products }, { token: limited, path: catalogPath(chain, otherStore) });
  assert.equal(elsewhere.status, 403);
  assert.equal((await post({ vendors: '*', products }, { token: reader })).status, 403);
  assert.deepEqual(await vendorsOf('LIMITED'), [otherStore]);
  const { status, body } = await post({ vendors: ['ext-1'], products }, { token: limited });
  assert.equal(status, 202);
  await waitForJob(aisle, chain, body.job_id);
  assert.deepEqual(new Set(await vendorsOf('LIMITED')), new Set([store, otherStore]));
});

test('the number of product × vendor pairs in a request is limited', async () => {
  const small = await aisle.another({ AISLE_MAX_CREATION_OFFERS: '6' });
  try {
    const send = (vendors: unknown, count: number, path = `${chain.base}/catalog`) =>
      small.call('POST', path, { token: chain.token, body: { vendors, products: plainProducts(count) } });
    for (const [vendors, count] of [
      [[store, otherStore], 4],
      [[store, 'nope', 'no'], 3],
      ['*', 4],
    ] as const) {
      const { status, body } = await send(vendors, count);
      assert.deepEqual([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code], [400, '/products', 'too_long']);
    }
    assert.equal((await send(undefined, 7, catalogPath(chain))).status, 400);
    assert.equal((await send(undefined, 6, catalogPath(chain))).status, 202);
    assert.equal((await send([store, otherStore], 3)).status, 202);
  } finally {
    await small.stop();
  }
});

test('a creation request with 2,000,000 product × vendor pairs is accepted, and a larger one is rejected', async () => {
  const idle = await startTestAisle({}, 'api');
  try {
    const large = await makeChain(idle);
    const vendors = Array.from({ length: 100_000 }, (_, index) => `nope-${index}`);
    const send = (count: number) =>
      idle.call('POST', `${large.base}/catalog`, {
        token: large.token,
        body: { vendors, products: plainProducts(count) },
      });
    const over = await send(21);
    assert.deepEqual([over.status, over.body.errors?.[0]?.code], [400, 'too_long']);
    assert.equal((await send(20)).status, 202);
    const { body } = await idle.call('GET', `${large.base}/catalog/jobs`, { token: large.token });
    assert.deepEqual([body.total_items, body.jobs[0].progress.total], [1, 2_000_000]);
  } finally {
    await idle.stop();
  }
});

test('a large creation job reports at most 1,000 failures and 1,000 duplicates', async () => {
  const many = Array.from({ length: 1100 }, (_, index) => product(`MANY-${index}`));
  await addProducts(aisle, chain, many, [store]);
  const bad = many.map((one, index) => ({ ...one, sku: `WRONG-${index}`, price: 'x' }));
  const fresh = Array.from({ length: 9000 }, (_, index) => product(`FRESH-${index}`));
  const job = await create({ vendors: [store, otherStore], products: [...many, ...bad, ...fresh] });
  assert.deepEqual(job.progress, {
    total: 22_400,
    processed: 22_400,
    succeeded: 19_100,
    unchanged: 1100,
    failed: 2200,
  });
  assert.equal(job.result.item_level_feedback.length, 1000);
  assert.equal(job.result.duplicated_products.length, 1000);
  const log = await readLog(aisle, chain, job.job_id);
  assert.equal(log.length, 22_401);
  assert.ok(log.includes(`FRESH-8999,,CREATED,,11200,,${otherStore}`));
  await runUpdate(aisle, chain, [{ sku: 'FRESH-8999', price: 3 }], otherStore);
  assert.equal((await readProduct(aisle, chain, 'FRESH-8999', otherStore)).price, 3);
});

test('a creation job uses an index to find products, even on a connection opened when the table was small', async () => {
  const growing = await startTestAisle({}, 'api');
  try {
    const small = await makeChain(growing, { vendors: 1 });
    const give = (round: number, count: number) =>
      addProducts(
        growing,
        small,
        plainProducts(count).map((one) => ({ ...one, sku: `${round}-${one.sku}` })),
      );
    const countRead = async () => {
      await growing.db.query('select pg_stat_force_next_flush()');
      const [read] = await growing.db.query<{ count: number }>(
        `select seq_tup_read::int as count from pg_stat_user_tables where relname = 'products'`,
      );
      return read?.count ?? 0;
    };
    for (let round = 0; round < 10; round++) await give(round, 3);
    await growing.db.query('analyze products');
    for (let round = 10; round < 20; round++) await give(round, 3);
    const before = await countRead();
    await give(20, 2000);
    const read = (await countRead()) - before;
    assert.ok(read < 100_000, `${read} products were read by sequential scans`);
  } finally {
    await growing.stop();
  }
});

test('concurrent requests to create the same products create each of them once', async () => {
  const products = Array.from({ length: 50 }, (_, index) => product(`RACE-${index}`));
  const jobs = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      create({
        vendors: index % 2 ? '*' : [otherStore, store],
        products: index % 3 ? products : products.toReversed(),
      }),
    ),
  );
  const sum = (field: string) => jobs.reduce((total, job) => total + job.progress[field], 0);
  assert.deepEqual([sum('failed'), sum('processed')], [0, sum('total')]);
  const created = await aisle.db.query<{ sku: string }>(
    `select sku from offers where chain_id = $1 and sku like 'RACE-%' and vendor_id = any ($2)`,
    [chain.chainId, [store, otherStore]],
  );
  assert.equal(created.length, 100);
});

test('each of 50,000 unknown vendors is reported as a failure', async () => {
  const vendors = [store, ...Array.from({ length: 50_000 }, (_, index) => `nope-${index}`)];
  const job = await create({ vendors, products: [product('FAR')] });
  assert.deepEqual(job.progress, { total: 50_001, processed: 50_001, succeeded: 1, unchanged: 0, failed: 50_000 });
  assert.equal(job.result.item_level_feedback.length, 1000);
  const log = await readLog(aisle, chain, job.job_id);
  assert.deepEqual([log.length, log[1]], [50_002, `FAR,,CREATED,,1,,${store}`]);
  assert.equal(log.at(-1), 'FAR,vendor_not_found,FAILED,"The chain has no vendor nope-49999.",1,,nope-49999');
});
