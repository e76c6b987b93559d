import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import pg from 'pg';
import { makeChain, makeToken, type TestChain, useOwnAisle } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { setWebhook } from '../../support/webhooks.ts';

const aisle = await useOwnAisle({ AISLE_WEBHOOK_ALLOW: '10.1.0.0/16' });
let chain: TestChain;
beforeEach(async () => {
  chain = await makeChain(aisle);
});

const address = 'https://hooks.example.com/aisle';

test('a webhook can be set, read, replaced and deleted, and its signing secret is shown once', async () => {
  assertProblem(await get(), 'webhook_not_found');
  const created = await put({ environment: 'staging', staging_url: address, secret: 'Bearer x' });
  assert.equal(created.status, 200, created.text);
  assert.match(created.body.signing_secret, /^whsec_/);
  const { signing_secret: _, ...shown } = created.body;
  assert.deepEqual((await get()).body, shown);
  assert.deepEqual(
    [shown.environment, shown.staging_url, shown.production_url, shown.has_secret, shown.status],
    ['staging', address, null, true, 'ENABLED'],
  );

  const replaced = await put({
    environment: 'production',
    production_url: `${address}/2`,
    production_catalog_url: address,
  });
  assert.equal(replaced.body.signing_secret, undefined);
  assert.deepEqual(
    [
      replaced.body.staging_url,
      replaced.body.production_url,
      replaced.body.production_catalog_url,
      replaced.body.has_secret,
    ],
    [null, `${address}/2`, address, true],
  );
  assert.equal((await call('DELETE')).status, 200);
  assertProblem(await get(), 'webhook_not_found');
  assertProblem(await call('DELETE'), 'webhook_not_found');
});

test('the secret is kept if it is omitted and cleared if it is null', async () => {
  await put({ environment: 'staging', staging_url: address, secret: 'x' });
  assert.equal((await put({ environment: 'staging', staging_url: address })).body.has_secret, true);
  assert.equal((await put({ environment: 'staging', staging_url: address, secret: null })).body.has_secret, false);
});

test('the stored secret is not sent to a new host', async () => {
  const url = new URL(address);
  const set = (staging_url: string, more: object = {}) => put({ environment: 'staging', staging_url, ...more });
  await set(address, { secret: 'x' });
  assert.equal((await set(new URL('/another/path', url).href)).body.has_secret, true);
  assert.equal((await set('https://hooks.example.org/', { secret: 'x' })).body.has_secret, true);
  for (const changed of ['http://hooks.example.org/', 'https://hooks.example.org:8443/', 'https://example.org/']) {
    await set('https://hooks.example.org/', { secret: 'x' });
    assert.equal((await set(changed)).body.has_secret, false, changed);
  }
  await set(address, { secret: 'x' });
  const added = await set(address, { production_url: 'https://hooks.example.org/' });
  assert.equal(added.body.has_secret, false, 'another URL was added');
});

test('secrets are encrypted in the database and appear in no response', async () => {
  const secret = 'Bearer very-secret-value';
  const created = await put({ environment: 'staging', staging_url: address, secret });
  const [row] = await aisle.db.query<Record<string, unknown>>('select * from webhooks where chain_id = $1', [
    chain.chainId,
  ]);
  const stored = JSON.stringify(row, (_, value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value));
  const signing = Buffer.from(created.body.signing_secret.slice(6), 'base64').toString('latin1');
  for (const hidden of ['very-secret-value', created.body.signing_secret, signing]) assert.ok(!stored.includes(hidden));
  assert.ok(!(await get()).text.includes('secret-words'));
});

test('the URL for the active environment is required', async () => {
  assertInvalid(await put({ environment: 'production', staging_url: address }), '/production_url');
  assertInvalid(await put({ environment: 'staging' }), '/staging_url');
  assertInvalid(await put({ environment: 'testing', staging_url: address }), '/environment');
  assertInvalid(await put({}), '/environment');
});

test('internal and malformed URLs are rejected with a pointer, and URLs in an allowed network are accepted', async () => {
  const response = await put({
    environment: 'staging',
    staging_url: 'http://127.1/',
    production_url: 'ftp://hooks.example.com/',
    staging_catalog_url: 'http://[::ffff:169.254.169.254]/',
    production_catalog_url: 'http://user:pw@hooks.example.com/',
  });
  assertInvalid(response, '/staging_url', '/production_url', '/staging_catalog_url', '/production_catalog_url');
  assertProblem(await get(), 'webhook_not_found');
  assert.equal((await put({ environment: 'staging', staging_url: 'http://10.1.2.3/hook' })).status, 200);
});

test('a secret cannot be used to inject a header', async () => {
  for (const secret of ['x\r\nx-evil: 1', 'x\ny', 'ü', ' x', 'x ', '']) {
    assertInvalid(await put({ environment: 'staging', staging_url: address, secret }), '/secret');
  }
});

test('rotating a secret returns a new one and the expiry time of the old one', async () => {
  const { body: created } = await put({ environment: 'staging', staging_url: address });
  const rotated = await call('POST', '/rotate-secret');
  assert.equal(rotated.status, 200, rotated.text);
  assert.notEqual(rotated.body.signing_secret, created.signing_secret);
  const hours = (Date.parse(rotated.body.previous_secret_expires_at) - Date.now()) / 3_600_000;
  assert.ok(hours > 23.9 && hours <= 24, String(hours));
  assert.equal((await get()).body.previous_secret_expires_at, rotated.body.previous_secret_expires_at);
});

test('a webhook disabled manually stays disabled when its URL changes, until it is enabled', async () => {
  await put({ environment: 'staging', staging_url: address });
  const off = await call('POST', '/disable');
  assert.deepEqual(
    [off.body.status, off.body.disabled_reason, off.body.catalog_status],
    ['DISABLED', 'MANUAL', 'DISABLED'],
  );
  assertProblem(await call('POST', '/ping'), 'webhook_disabled');
  assert.equal((await put({ environment: 'staging', staging_url: `${address}/2` })).body.status, 'DISABLED');
  const on = await call('POST', '/enable');
  assert.deepEqual([on.body.status, on.body.disabled_reason, on.body.catalog_status], ['ENABLED', null, 'ENABLED']);
});

test('changing the URL enables a webhook that was disabled after failures', async () => {
  await put({ environment: 'staging', staging_url: address });
  await aisle.db.query("update endpoints set disabled_at = now(), disabled_reason = 'FAILING' where chain_id = $1", [
    chain.chainId,
  ]);
  assert.equal((await put({ environment: 'staging', staging_url: address })).body.disabled_reason, 'FAILING');
  assert.equal((await put({ environment: 'staging', staging_url: `${address}/2` })).body.status, 'ENABLED');
});

test("a vendor's webhook can be read with either of the vendor's ids", async () => {
  const path = `${chain.base}/vendors/ext-1/webhook`;
  const created = await aisle.call('PUT', path, {
    token: chain.token,
    body: { environment: 'staging', staging_url: address },
  });
  assert.equal(created.body.vendor_id, chain.vendors[0]);
  assertProblem(await get(), 'webhook_not_found');
  assert.equal(
    (await aisle.call('GET', `${chain.base}/vendors/${chain.vendors[0]}/webhook`, { token: chain.token })).status,
    200,
  );
  assertProblem(
    await aisle.call('GET', `${chain.base}/vendors/ext-2/webhook`, { token: chain.token }),
    'webhook_not_found',
  );
});

test("a token restricted to certain vendors can set those vendors' webhooks, but not the chain's", async () => {
  const [mine] = chain.vendors;
  const scopes = ['manage', 'orders:read', 'catalog:read'];
  const token = await makeToken(aisle, chain.chainId, { scopes, vendor_ids: [String(mine)] });
  const body = { environment: 'staging', staging_url: address };
  assertProblem(await aisle.call('PUT', `${chain.base}/webhook`, { token, body }), 'forbidden');
  assertProblem(await aisle.call('GET', `${chain.base}/webhook`, { token }), 'forbidden');
  assert.equal((await aisle.call('PUT', `${chain.base}/vendors/${mine}/webhook`, { token, body })).status, 200);
});

test('a token with only the manage scope cannot have order events sent to a URL of its choice', async () => {
  const body = { environment: 'staging', staging_url: address };
  const put = async (path: string, ...more: string[]) => {
    const token = await makeToken(aisle, chain.chainId, { scopes: ['manage', ...more] });
    return aisle.call('PUT', `${chain.base}${path}`, { token, body });
  };
  for (const path of ['/webhook', `/vendors/${chain.vendors[0]}/webhook`]) {
    const rejected = await put(path);
    assertProblem(rejected, 'forbidden');
    assert.equal(
      rejected.body.detail,
      'The token lacks the scopes orders:read and catalog:read, which are also required.',
    );
    assertProblem(await put(path, 'orders:read'), 'forbidden');
    assert.equal((await put(path, 'orders:read', 'catalog:read')).status, 200);
  }
});

test('listing webhooks reads all of their endpoints in one statement', async (t) => {
  const many = await makeChain(aisle, { vendors: 5 });
  for (const vendor of many.vendors) await setWebhook(aisle, many, { production_url: address }, vendor);
  const query = pg.Client.prototype.query as (...statement: unknown[]) => unknown;
  const texts: string[] = [];
  t.mock.method(pg.Client.prototype, 'query', function send(this: pg.Client, statement: { text?: string }) {
    texts.push(statement.text ?? '');
    return query.call(this, statement);
  });
  const list = await aisle.call('GET', `${many.base}/webhooks`, { token: many.token });
  assert.equal(list.body.webhooks.length, 5);
  for (const { status, catalog_status } of list.body.webhooks) {
    assert.deepEqual([status, catalog_status], ['ENABLED', 'ENABLED']);
  }
  assert.equal(texts.filter((text) => text.includes('from webhooks')).length, 1);
  assert.equal(texts.filter((text) => text.includes('from endpoints')).length, 1);
});

test('repeating a request with the same idempotency key returns the same secret and creates no second webhook', async () => {
  const headers = { 'idempotency-key': 'one' };
  const body = { environment: 'staging', staging_url: address };
  const send = () => aisle.call('PUT', `${chain.base}/webhook`, { token: chain.token, body, headers });
  const [first, second] = [await send(), await send()];
  assert.deepEqual(first.body, second.body);
  assert.ok(first.body.signing_secret);
});

test('webhooks cannot be set without a secret key, and the error says what to do', async () => {
  const keyless = await aisle.another({ AISLE_SECRET_KEY: '' });
  const body = { environment: 'staging', staging_url: address };
  const response = await keyless.call('PUT', `${chain.base}/webhook`, { token: chain.token, body });
  assertProblem(response, 'secret_key_missing');
  await put(body);
  const ready = await keyless.call('GET', '/health/ready');
  assert.deepEqual([ready.status, /AISLE_SECRET_KEY/.test(ready.body.checks.deliveries)], [503, true]);
  await keyless.stop();
});

function get() {
  return call('GET');
}

function put(body: unknown) {
  return aisle.call('PUT', `${chain.base}/webhook`, { token: chain.token, body });
}

function call(method: string, action = '') {
  return aisle.call(method, `${chain.base}/webhook${action}`, { token: chain.token });
}
