import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Response, makeChain, makeToken, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts, readProduct, waitForJob } from '../../support/catalog.ts';
import { isLockAwaited } from '../../support/lock-waits.ts';

let aisle: TestAisle;
let chain: TestChain;
let store: string;
let otherStore: string;

before(async () => {
  aisle = await useAisle();
  chain = await makeChain(aisle);
  [store, otherStore] = chain.vendors as [string, string];
});

type Given = { global_id?: string; parent_global_id?: string | null; active?: boolean; details?: unknown };

const given = (global_id: string, parent_global_id: string | null = null, more: Given = {}): Given => ({
  global_id,
  parent_global_id,
  details: { name: { en_AE: global_id } },
  ...more,
});

const put = (categories: unknown, target = chain): Promise<Response> =>
  aisle.call('PUT', `/platform/v1/chains/${target.chainId}/categories`, {
    token: aisle.platformToken,
    body: { categories },
  });

async function read(query = '', target = chain, vendor = target.vendors[0]): Promise<Response['body'][]> {
  const path = `${target.base}/vendors/${vendor}/categories${query}`;
  const { status, text, body } = await aisle.call('GET', path, { token: target.token });
  assert.equal(status, 200, text);
  return body.categories;
}

const counts = (categories: Response['body'][]) =>
  Object.fromEntries(categories.map(({ global_id, product_count }) => [global_id, product_count]));

test('a new chain has no categories', async () => {
  assert.deepEqual(await read(), []);
});

test('categories are listed with parents before children, and siblings in the order they were sent', async () => {
  // Children are sent before their parents, and siblings are not sorted by name.
  const tree = [
    given('milk', 'dairy'),
    given('whole', 'milk', { active: false }),
    given('zoo'),
    given('food', null, {
      details: { name: { en_AE: 'Food', ar_AE: 'طعام' }, description: { en_AE: 'Everything edible' } },
    }),
    given('dairy', 'food'),
    given('bread', 'food'),
    given('apple', 'food'),
  ];
  const response = await put(tree);
  assert.equal(response.status, 200, response.text);
  const categories = await read();
  assert.deepEqual(
    categories.map(({ global_id }) => global_id),
    ['zoo', 'food', 'dairy', 'milk', 'whole', 'bread', 'apple'],
  );
  assert.deepEqual(
    response.body.categories,
    categories.map(({ product_count: _count, ...category }) => category),
  );
  assert.deepEqual(categories[1], {
    global_id: 'food',
    parent_global_id: null,
    details: { name: { en_AE: 'Food', ar_AE: 'طعام' }, description: { en_AE: 'Everything edible' } },
    active: true,
    product_count: 0,
  });
  assert.deepEqual(categories[4], {
    global_id: 'whole',
    parent_global_id: 'milk',
    details: { name: { en_AE: 'whole' }, description: {} },
    active: false,
    product_count: 0,
  });
});

test('only_leaves limits the list to categories without children', async () => {
  const leaves = (await read('?only_leaves=true')).map(({ global_id }) => global_id);
  assert.deepEqual(leaves, ['zoo', 'whole', 'bread', 'apple']);
  assert.equal((await read('?only_leaves=false')).length, 7);
  assert.equal((await read('?only_leaves=')).length, 7);
  const path = `${chain.base}/vendors/${store}/categories?only_leaves=perhaps`;
  const { status, body } = await aisle.call('GET', path, { token: chain.token });
  assert.deepEqual([status, body.errors[0].pointer], [400, 'only_leaves']);
});

test('product_count includes descendant categories and counts each of the store’s products once', async () => {
  const product = (sku: string, categories: string[], more = {}) => ({
    sku,
    title: sku,
    price: 1,
    categories,
    ...more,
  });
  await addProducts(
    aisle,
    chain,
    [
      product('A', ['whole']),
      product('B', ['whole', 'milk', 'dairy']),
      product('C', ['bread', 'apple']),
      product('D', ['food'], { active: false }),
      product('E', []),
    ],
    [store],
  );
  await addProducts(aisle, chain, [product('A', ['whole']), product('F', ['zoo'])], [otherStore]);
  const expected = { zoo: 0, food: 4, dairy: 2, milk: 2, whole: 2, bread: 1, apple: 1 };
  assert.deepEqual(counts(await read()), expected);
  assert.deepEqual(counts(await read('?only_leaves=true')), { zoo: 0, whole: 2, bread: 1, apple: 1 });
  const others = { zoo: 1, food: 1, dairy: 1, milk: 1, whole: 1, bread: 0, apple: 0 };
  assert.deepEqual(counts(await read('', chain, otherStore)), others);
  assert.deepEqual(counts(await read('', chain, 'ext-2')), others);
});

test("a category's product list matches its product_count", async () => {
  for (const { global_id, product_count } of await read()) {
    const path = `${chain.base}/vendors/${store}/catalog?category_global_ids=${global_id}`;
    const { body } = await aisle.call('GET', path, { token: chain.token });
    assert.equal(body.total_items, product_count, global_id);
  }
});

test('a PUT replaces the whole category tree, but cannot remove a category that contains products', async () => {
  const before = await read();
  const { status, body } = await put([given('food'), given('whole', 'food')]);
  assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [400, '/categories', 'in_use']);
  assert.match(body.errors[0].message, /apple, bread, dairy, milk, zoo/);
  assert.deepEqual(await read(), before);
  const kept = ['food', 'dairy', 'milk', 'whole', 'bread', 'apple', 'zoo'].map((id) => given(id));
  assert.equal((await put([...kept, given('new', 'zoo')])).status, 200);
  assert.deepEqual(counts(await read()).food, 1);
  assert.equal((await read()).length, 8);
  assert.equal((await put(kept)).status, 200);
  assert.equal((await read()).length, 7);
});

test('an invalid category tree is rejected', async () => {
  const bad: [Given[], string, string][] = [
    [[given('a'), given('a')], '/categories/1/global_id', 'repeated'],
    [[given('a', 'nowhere')], '/categories/0/parent_global_id', 'unknown'],
    [[given('a', 'a')], '/categories/0/parent_global_id', 'circular'],
    [[given('a', 'b'), given('b', 'a')], '/categories/0/parent_global_id', 'circular'],
    [[{ global_id: 'a', details: { name: {} } }], '/categories/0/details/name', 'missing'],
  ];
  const before = await read();
  for (const [categories, pointer, code] of bad) {
    const { status, body } = await put(categories);
    assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [400, pointer, code]);
  }
  assert.deepEqual(await read(), before);
});

test('a category sent without an id gets a generated id', async () => {
  const fresh = await makeChain(aisle);
  const { status, body } = await put([{ details: { name: { en_AE: 'Nameless' } } }], fresh);
  assert.equal(status, 200);
  const [category] = await read('', fresh);
  assert.ok(category?.global_id.length > 8);
  assert.equal(body.categories[0].global_id, category?.global_id);
});

test('reading categories requires catalog:read for the store', async () => {
  const writer = await makeToken(aisle, chain.chainId, { scopes: ['catalog:write'] });
  const elsewhere = await makeToken(aisle, chain.chainId, { vendor_ids: [otherStore] });
  const stranger = await makeChain(aisle);
  const cases: [string | undefined, string, number, string][] = [
    [undefined, store, 401, 'invalid_token'],
    [writer, store, 403, 'forbidden'],
    [elsewhere, store, 403, 'forbidden'],
    [stranger.token, store, 404, 'chain_not_found'],
    [chain.token, 'nope', 404, 'vendor_not_found'],
  ];
  for (const [token, vendor, status, code] of cases) {
    const response = await aisle.call('GET', `${chain.base}/vendors/${vendor}/categories`, { token });
    assert.deepEqual([response.status, response.body.code], [status, code]);
  }
  assert.deepEqual(await read('', stranger), []);
});

test('a category cannot be removed while products are being created in it', async () => {
  const target = await makeChain(aisle);
  assert.equal((await put([given('kept'), given('removed')], target)).status, 200);
  const body = { vendors: '*', products: [{ sku: 'SLOW', title: 'Slow', price: 1, categories: ['removed'] }] };
  const rollback = new Error('rollback');
  let change: Promise<Response> | undefined;
  let jobId = '';
  // Another transaction writes the same product, so the creation blocks halfway through.
  const blocked = aisle.db.transaction(async (tx) => {
    await tx.query(`insert into products (chain_id, sku, titles, search_text) values ($1, 'SLOW', '{}', '')`, [
      target.chainId,
    ]);
    jobId = (await aisle.call('POST', `${target.base}/catalog`, { token: target.token, body })).body.job_id;
    await poll(() => isLockAwaited(aisle.db, 'transactionid'));
    change = put([given('kept')], target);
    await poll(async () => (await isLockAwaited(aisle.db, 'advisory')) || (await isSettled(change)));
    throw rollback;
  });
  await assert.rejects(blocked, rollback);
  const response = (await change) as Response;
  assert.deepEqual([response.status, response.body.errors?.[0]?.code], [400, 'in_use']);
  assert.equal((await waitForJob(aisle, target, jobId)).progress.succeeded, 2);
  assert.deepEqual((await readProduct(aisle, target, 'SLOW')).category, 'removed');
});

test('a category added while a creation job runs is unknown to that job at every store', async () => {
  const target = await makeChain(aisle);
  const [first, second] = target.vendors as [string, string];
  await addProducts(aisle, target, [{ sku: 'OLD', title: 'Old', price: 1 }]);
  const create = async () => {
    const body = {
      vendors: [first, second],
      products: [{ sku: 'EARLY', title: 'Early', price: 1, categories: ['late'] }],
    };
    return (await aisle.call('POST', `${target.base}/catalog`, { token: target.token, body })).body.job_id;
  };
  // An earlier job blocks the second store, so the creation finishes much earlier at the first store.
  const jobId = await aisle.db.transaction(async (tx) => {
    await tx.query('select 1 from offers where chain_id = $1 and vendor_id = $2 for update', [target.chainId, second]);
    const earlier = { products: [{ sku: 'OLD', price: 2 }, {}] };
    await aisle.call('PUT', `${target.base}/vendors/${second}/catalog`, { token: target.token, body: earlier });
    const created = await create();
    await poll(async () => {
      const { body } = await aisle.call('GET', `${target.base}/catalog/jobs/${created}`, { token: target.token });
      return body.progress.processed === 1;
    });
    assert.equal((await put([given('late')], target)).status, 200);
    return created;
  });
  const job = await waitForJob(aisle, target, jobId);
  assert.equal(job.error, 'All items failed; the result file has the reasons.');
  assert.deepEqual(
    job.result.item_level_feedback.map((item: Response['body']) => item.vendor_id).toSorted(),
    [first, second].toSorted(),
  );
});

function isSettled(promise: Promise<unknown> | undefined): Promise<boolean> {
  const pending = Symbol('pending');
  return Promise.race([promise, Promise.resolve(pending)]).then((result) => result !== pending);
}

async function poll(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isDone())) {
    assert.ok(Date.now() < deadline, 'the condition was not met within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
