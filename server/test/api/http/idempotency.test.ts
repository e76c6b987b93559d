import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { deleteOldKeys } from '../../../src/kernel/http/idempotency.ts';
import {
  type Response,
  type CallOptions,
  makeChain,
  makeToken,
  useAisle,
  type TestAisle,
  type TestChain,
} from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';
import { allPicked, placeOrder } from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();

type Keyed = CallOptions & { on?: TestAisle };

/** Sends a request with the chain's token and an idempotency key. */
function keyed(chain: TestChain, key: string, method: string, path: string, options: Keyed = {}): Promise<Response> {
  const { on = aisle, headers, ...rest } = options;
  return on.call(method, `${chain.base}${path}`, {
    token: chain.token,
    ...rest,
    headers: { 'idempotency-key': key, ...headers },
  });
}

function exportKeyed(chain: TestChain, key: string, options: Keyed = {}): Promise<Response> {
  return keyed(chain, key, 'POST', `/vendors/${chain.vendors[0]}/catalog/export`, options);
}

async function countJobs(chain: TestChain): Promise<number> {
  return (await aisle.call('GET', `${chain.base}/catalog/jobs`, { token: chain.token })).body.total_items;
}

function assertReplayed(again: Response, first: Response): void {
  assert.equal(first.headers['idempotent-replayed'], undefined);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(again.headers['location'], first.headers['location']);
  assert.equal(again.status, first.status);
  assert.equal(again.text, first.text);
  assert.equal(again.headers['content-type'], first.headers['content-type']);
}

test('requests with the same idempotency key and body have one effect and get the same response', async () => {
  const chain = await makeChain(aisle);
  const first = await exportKeyed(chain, 'key-1');
  assert.equal(first.status, 202);
  for (let times = 0; times < 3; times++) assertReplayed(await exportKeyed(chain, 'key-1'), first);
  assert.equal(await countJobs(chain), 1);
  assert.notEqual((await exportKeyed(chain, 'key-2')).body.job_id, first.body.job_id);
});

test('repeating a request that created a token returns the same token', async () => {
  const chain = await makeChain(aisle);
  const create = () => keyed(chain, 'key', 'POST', '/tokens', { body: { name: 'once' } });
  const first = await create();
  assert.equal(first.status, 201);
  assertReplayed(await create(), first);
  const { body } = await aisle.call('GET', `${chain.base}/tokens`, { token: chain.token });
  assert.equal(body.total_items, 2);
});

test('the stored response is returned even if the data has changed since', async () => {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(1));
  const path = `/vendors/${chain.vendors[0]}/catalog`;
  const put = (key: string, price: number) =>
    keyed(chain, key, 'PUT', path, { body: { products: [{ sku: 'SKU-00001', price }] } });
  const first = await put('a', 2);
  assert.equal(first.status, 200);
  assert.equal((await put('b', 3)).body.price, 3);
  assertReplayed(await put('a', 2), first);
  const { body } = await aisle.call('GET', `${chain.base}${path}`, { token: chain.token });
  assert.equal(body.products[0].price, 3);
});

test('the same idempotency key with another body returns 422 and has no effect', async () => {
  const chain = await makeChain(aisle);
  await keyed(chain, 'key', 'POST', '/clients', { body: { name: 'one' } });
  assertProblem(await keyed(chain, 'key', 'POST', '/clients', { body: { name: 'two' } }), 'idempotency_key_reused');
  const { body } = await aisle.call('GET', `${chain.base}/clients`, { token: chain.token });
  assert.deepEqual(
    body.clients.map((one: { name: string }) => one.name),
    ['one'],
  );
});

test('bodies are compared after decompression', async () => {
  const chain = await makeChain(aisle);
  const raw = '{"name": "compressed"}';
  const first = await keyed(chain, 'key', 'POST', '/clients', { raw });
  const headers = { 'content-encoding': 'gzip' };
  assertReplayed(await keyed(chain, 'key', 'POST', '/clients', { raw: gzipSync(raw), headers }), first);
});

test('an idempotency key is the same with and without quotes', async () => {
  const chain = await makeChain(aisle);
  const first = await exportKeyed(chain, '"a-b c"');
  assertReplayed(await exportKeyed(chain, 'a-b c'), first);
  const escaped = await exportKeyed(chain, '"a\\"b"');
  assertReplayed(await exportKeyed(chain, 'a"b'), escaped);
  assert.equal(await countJobs(chain), 2);
});

test('an invalid idempotency key is rejected', async () => {
  const chain = await makeChain(aisle);
  for (const key of ['""', 'x'.repeat(256), `"${'x'.repeat(256)}"`, 'ümlaut']) {
    assertInvalid(await exportKeyed(chain, key), 'Idempotency-Key');
  }
  assert.equal((await exportKeyed(chain, 'x'.repeat(255))).status, 202);
  assert.equal((await exportKeyed(chain, '')).status, 202, 'an empty header counts as absent');
  assert.equal(await countJobs(chain), 2);
});

test('an idempotency key applies only to its path, method and chain', async () => {
  const [chain, other] = [await makeChain(aisle), await makeChain(aisle)];
  const products = [
    { sku: 'A', title: 'A', price: 1 },
    { sku: 'B', title: 'B', price: 1 },
  ];
  const body = { products };
  const jobs = [
    await exportKeyed(chain, 'key'),
    await exportKeyed(other, 'key'),
    await keyed(chain, 'key', 'POST', `/vendors/${chain.vendors[1]}/catalog/export`),
    await keyed(chain, 'key', 'POST', `/vendors/${chain.vendors[0]}/catalog`, { body }),
    await keyed(chain, 'key', 'PUT', `/vendors/${chain.vendors[0]}/catalog`, { body }),
  ].map((response) => {
    assert.equal(response.status, 202, response.text);
    return response.body.job_id as string;
  });
  assert.equal(new Set(jobs).size, 5);
});

test('requests with the same key that differ only in their query are treated as repeats', async () => {
  const chain = await makeChain(aisle);
  const path = `/vendors/${chain.vendors[0]}/catalog/export`;
  const first = await keyed(chain, 'key', 'POST', `${path}?a=1`);
  assertReplayed(await keyed(chain, 'key', 'POST', `${path}?a=2`), first);
});

test('the query is part of the request, so a preview is not returned for the update', async () => {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(2));
  const products = [1, 2].map((no) => ({ sku: `SKU-0000${no}`, price: 9 }));
  const put = (key: string, query: string) =>
    keyed(chain, key, 'PUT', `/vendors/${chain.vendors[0]}/catalog${query}`, { body: { products } });
  const preview = await put('file', '?dry_run=true');
  assert.equal(preview.status, 202);
  assertReplayed(await put('file', '?dry_run=true'), preview);
  assertProblem(await put('file', ''), 'idempotency_key_reused');
  assert.equal((await put('other', '')).status, 202);
});

test('the platform API supports idempotency keys too', async () => {
  const create = (name: string) =>
    aisle.call('POST', '/platform/v1/chains', {
      token: aisle.platformToken,
      body: { name },
      headers: { 'idempotency-key': 'platform-key' },
    });
  const first = await create('Once');
  assert.equal(first.status, 201);
  assertReplayed(await create('Once'), first);
  assertProblem(await create('Twice'), 'idempotency_key_reused');
});

test('GET, PATCH and DELETE ignore an idempotency key', async () => {
  const chain = await makeChain(aisle);
  await keyed(chain, 'key', 'PATCH', '/settings', { body: { name: 'One' } });
  assert.equal((await keyed(chain, 'key', 'PATCH', '/settings', { body: { name: 'Two' } })).body.name, 'Two');
  assert.equal((await keyed(chain, 'key', 'GET', '/settings')).body.name, 'Two');
});

test('a second request with the same key returns 409 while the first is running, and the stored response afterwards', async (t) => {
  const chain = await makeChain(aisle);
  const other = await aisle.another();
  t.after(other.stop);
  const create = (on: TestAisle) => keyed(chain, 'key', 'POST', '/tokens', { body: { name: 'once' }, on });
  const held = holdChain(chain);
  await held.isHeld;
  const running = create(aisle);
  await waitUntilBlocked();
  assertProblem(await create(aisle), 'idempotency_in_progress');
  assertProblem(await create(other), 'idempotency_in_progress');
  held.release();
  const first = await running;
  assert.equal(first.status, 201);
  await held.done;
  assertReplayed(await create(aisle), first);
  assertReplayed(await create(other), first);
  const { body } = await aisle.call('GET', `${chain.base}/tokens`, { token: chain.token });
  assert.equal(body.total_items, 2);
});

test('of many concurrent requests to two servers with the same key, only one has an effect', async (t) => {
  const chain = await makeChain(aisle);
  const other = await aisle.another();
  t.after(other.stop);
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => exportKeyed(chain, 'key', { on: index % 2 === 0 ? aisle : other })),
  );
  const done = responses.filter(({ status }) => status === 202);
  assert.ok(done.length >= 1);
  assert.equal(new Set(done.map(({ body }) => body.job_id)).size, 1);
  for (const response of responses) if (response.status !== 202) assertProblem(response, 'idempotency_in_progress');
  assert.equal(await countJobs(chain), 1);
});

test('a 404 response is stored and returned again', async () => {
  const chain = await makeChain(aisle);
  const put = (key: string) =>
    keyed(chain, key, 'PUT', `/vendors/${chain.vendors[0]}/catalog`, {
      body: { products: [{ sku: 'SKU-00001', price: 2 }] },
    });
  const first = await put('a');
  assertProblem(first, 'product_not_found');
  await addProducts(aisle, chain, plainProducts(1));
  assertReplayed(await put('a'), first);
  assert.equal((await put('b')).status, 200);
});

test('a 400 response is stored and returned again', async () => {
  const chain = await makeChain(aisle);
  const create = (key: string) => keyed(chain, key, 'POST', '/tokens', { body: { name: 'x', vendor_ids: ['later'] } });
  const first = await create('a');
  assertInvalid(first, '/vendor_ids/0');
  await aisle.call('PATCH', `${chain.base}/vendors/${chain.vendors[0]}/settings`, {
    token: chain.token,
    body: { external_id: 'later' },
  });
  assertReplayed(await create('a'), first);
  assert.equal((await create('b')).status, 201);
});

test('the 400 and 202 responses to a large body are stored like any other response', async () => {
  const chain = await makeChain(aisle);
  const put = (key: string, products: unknown) =>
    keyed(chain, key, 'PUT', `/vendors/${chain.vendors[0]}/catalog`, { body: { products } });
  const items = Array.from({ length: 3000 }, (_, index) => ({ sku: `SKU-${index}`, price: 1, note: 'x'.repeat(30) }));
  const wrong = await put('a', [...items, 7]);
  assertInvalid(wrong, '/products/3000');
  const again = await put('a', [...items, 7]);
  assert.equal(again.body.instance, wrong.body.instance, 'the stored response');
  assertReplayed(again, wrong);
  assertProblem(await put('a', items), 'idempotency_key_reused');
  assert.equal(await countJobs(chain), 0);
  const accepted = await put('b', items);
  assert.equal(accepted.status, 202, accepted.text);
  assertReplayed(await put('b', items), accepted);
  assert.equal(await countJobs(chain), 1);
});

test('a 401 response is not stored, so the request can be repeated', async () => {
  const chain = await makeChain(aisle);
  const stranger = { ...chain, token: `${chain.token.slice(0, -1)}?` };
  assertProblem(await exportKeyed(stranger, 'key'), 'invalid_token');
  assert.equal((await exportKeyed(chain, 'key')).status, 202);
});

test('a 403 response is not stored, whether the access check or the handler rejects the request', async () => {
  const chain = await makeChain(aisle);
  const limited = await makeToken(aisle, chain.chainId, { vendor_ids: [String(chain.vendors[1])] });
  const body = { vendors: '*', products: [{ sku: 'A', title: 'A', price: 1 }] };
  assertProblem(await exportKeyed({ ...chain, token: limited }, 'key'), 'forbidden');
  assert.equal((await exportKeyed(chain, 'key')).status, 202);
  assertProblem(await keyed({ ...chain, token: limited }, 'key', 'POST', '/catalog', { body }), 'forbidden');
  assert.equal((await keyed(chain, 'key', 'POST', '/catalog', { body })).status, 202);
});

test('a 409 response is not stored, so the request can be repeated', async () => {
  const chain = await makeChain(aisle);
  for (let count = 2; count <= 11; count++) await makeToken(aisle, chain.chainId);
  const create = () => keyed(chain, 'key', 'POST', '/tokens', { body: { name: 'x' } });
  assertProblem(await create(), 'token_limit_reached');
  const { body } = await aisle.call('GET', `${chain.base}/tokens`, { token: chain.token });
  await aisle.call('DELETE', `${chain.base}/tokens/${body.tokens[0].token_id}`, { token: chain.token });
  assert.equal((await create()).status, 201);
});

test('a 412 response is not stored, so the request can be repeated with the new ETag', async () => {
  const chain = await makeChain(aisle);
  await addProducts(aisle, chain, plainProducts(1));
  const order = await placeOrder(aisle, chain, [{ sku: 'SKU-00001', quantity: 1 }]);
  const body = { status: 'READY_FOR_PICKUP', items: allPicked(order) };
  const put = (tag: string) =>
    keyed(chain, 'key', 'PUT', `/orders/${order.order_id}`, { body, headers: { 'if-match': tag } });
  assertProblem(await put('"7"'), 'precondition_failed');
  assert.equal((await put('"1"')).body.status, 'READY_FOR_PICKUP');
});

test('a 429 response is not stored, so the request can be repeated', async (t) => {
  const chain = await makeChain(aisle);
  const strict = await aisle.another({ AISLE_RATE_LIMITS: 'catalog_write=1' });
  t.after(strict.stop);
  let rejected: Response | undefined;
  for (let tries = 0; tries < 3 && rejected?.status !== 429; tries++) {
    rejected = await exportKeyed(chain, `key-${tries}`, { on: strict });
    if (rejected.status === 429) assert.equal((await exportKeyed(chain, `key-${tries}`)).status, 202);
  }
  assertProblem(rejected as Response, 'rate_limited');
});

test('a 500 response is not stored, and the effect is rolled back', async () => {
  const chain = await makeChain(aisle);
  await aisle.db.query('alter table queue_tasks rename to queue_tasks_away');
  const broken = await exportKeyed(chain, 'key');
  await aisle.db.query('alter table queue_tasks_away rename to queue_tasks');
  assertProblem(broken, 'internal_error');
  assert.equal(await countJobs(chain), 0);
  assert.equal((await exportKeyed(chain, 'key')).status, 202);
  assert.equal(await countJobs(chain), 1);
});

test('an idempotency key is valid for 24 hours', async () => {
  const chain = await makeChain(aisle);
  const first = await exportKeyed(chain, 'key');
  await age(chain, '23 hours 59 minutes');
  assertReplayed(await exportKeyed(chain, 'key'), first);
  await age(chain, '24 hours 1 minute');
  const second = await exportKeyed(chain, 'key');
  assert.equal(second.status, 202);
  assert.notEqual(second.body.job_id, first.body.job_id);
  assertReplayed(await exportKeyed(chain, 'key'), second);
});

test('old idempotency keys are deleted by a chore, and recent ones are kept', async () => {
  const [old, recent] = [await makeChain(aisle), await makeChain(aisle)];
  await exportKeyed(old, 'key');
  await exportKeyed(recent, 'key');
  await age(old, '25 hours');
  await age(recent, '23 hours');
  await aisle.db.transaction((tx) => deleteOldKeys(tx, 24));
  const rows = await aisle.db.query<{ chain_id: string }>(
    'select chain_id from idempotency_keys where chain_id = any ($1)',
    [[old.chainId, recent.chainId]],
  );
  assert.deepEqual(rows, [{ chain_id: recent.chainId }]);
});

async function age(chain: TestChain, interval: string): Promise<void> {
  const sql = 'update idempotency_keys set created_at = now() - $2::interval where chain_id = $1';
  await aisle.db.query(sql, [chain.chainId, interval]);
}

/** Locks the chain, so that other transactions that need this lock wait until it is released. */
function holdChain(chain: TestChain) {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const done = aisle.db.transaction(async (tx) => {
    await tx.query('select 1 from chains where chain_id = $1 for update', [chain.chainId]);
    held.resolve();
    await released.promise;
  });
  return { isHeld: held.promise, release: released.resolve, done };
}

/** Waits until a statement in this database is blocked by a lock. */
async function waitUntilBlocked(): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const rows = await aisle.db.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
    assert.ok(Date.now() < deadline, 'no statement waits for a lock');
  }
}
