import assert from 'node:assert/strict';
import test from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { makeChain, makeToken, type Response, useAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath, plainProducts } from '../../support/catalog.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { openRequestLog } from '../../support/requests.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
const log = await openRequestLog(aisle, chain);
const send = (
  method: string,
  path: string,
  options: { body?: unknown; raw?: string | Buffer; headers?: Record<string, string> } = {},
) => aisle.call(method, `${chain.base}${path}`, { token: chain.token, ...options });
const record = (isOn: boolean) => send('PATCH', '/settings', { body: { record_bodies: isOn } });

test('bodies are not recorded by default', async () => {
  const response = await send('PATCH', '/settings', { body: { name: 'Renamed' } });
  assert.equal(response.body.record_bodies, false);
  const { request_body, response_body } = await log.find(response);
  assert.deepEqual([request_body, response_body], [null, null]);
});

test('bodies are recorded only while the chain has recording turned on', async () => {
  assert.equal((await record(true)).body.record_bodies, true);
  const on = await send('PATCH', '/settings', { body: { name: 'Again' } });
  const text = JSON.stringify({ name: 'Again' });
  const entry = await log.find(on);
  assert.deepEqual(entry.request_body, { text, bytes: text.length, truncated: false });
  assert.deepEqual(entry.response_body, { text: on.text, bytes: on.text.length, truncated: false });
  assert.equal((await record(false)).body.record_bodies, false);
  assert.equal((await log.find(await send('GET', '/settings'))).response_body, null);
});

test('a malformed body is recorded as it was sent, except for secrets', async () => {
  await record(true);
  const response = await send('PATCH', '/settings', { raw: '{"name": "Again", "password": "hidden' });
  assert.equal(response.status, 400);
  assert.equal((await log.find(response)).request_body.text, '{"name": "Again", "password": "[removed]"');
});

test('a compressed request body is recorded after decompression', async () => {
  await record(true);
  const raw = gzipSync('{"name": "Zipped"}');
  const response = await send('PATCH', '/settings', { raw, headers: { 'content-encoding': 'gzip' } });
  assert.equal((await log.find(response)).request_body.text, '{"name":"Zipped"}');
});

test('a compressed response is recorded in its uncompressed form', async () => {
  await record(true);
  await addProducts(aisle, chain, plainProducts(20));
  const headers = { authorization: `Bearer ${chain.token}`, 'accept-encoding': 'gzip' };
  const compressed = await aisle.aisle.http.inject({ method: 'GET', url: catalogPath(chain), headers });
  assert.equal(compressed.headers['content-encoding'], 'gzip');
  const { response_body } = await log.find(compressed);
  assert.equal(response_body.text, gunzipSync(compressed.rawPayload).toString());
});

test('only the first 16 KiB of a large body are recorded', async () => {
  await record(true);
  await addProducts(aisle, chain, plainProducts(800));
  const products = plainProducts(800).map(({ sku }) => ({ sku, price: 2 }));
  const update = await log.find(
    await aisle.call('PUT', catalogPath(chain), { token: chain.token, body: { products } }),
  );
  assert.equal(update.request_body.truncated, true);
  assert.equal(update.request_body.bytes, JSON.stringify({ products }).length);
  assert.equal(update.request_body.text, JSON.stringify({ products }).slice(0, 16 * 1024));
  const list = await aisle.call('GET', `${catalogPath(chain)}?page_size=100`, { token: chain.token });
  const entry = await log.find(list);
  assert.deepEqual([entry.streamed, entry.response_body.bytes], [false, Buffer.byteLength(list.text)]);
  assert.equal(entry.response_body.text, list.text.slice(0, 16 * 1024));
});

test('the log contains no secrets from requests or from responses that show a secret once', async () => {
  await record(true);
  const token = await send('POST', '/tokens', { body: { name: 'New' } });
  const client = await send('POST', '/clients', { body: { name: 'New' } });
  const url = 'https://user:HIDDEN@hooks.example.com/a?key=1&token=HIDDEN';
  const webhook = await send('PUT', '/webhook', { body: { production_url: url } });
  const download = await send('GET', '/vendors?signature=HIDDEN&page_size=1');
  const responses: Response[] = [token, client, webhook, download];
  for (const response of responses) assert.ok((await log.find(response)).response_body, response.text);
  const secrets = [chain.token, token.body.token, client.body.client_secret, 'HIDDEN'];
  assert.ok(secrets.every((secret) => typeof secret === 'string' && secret.length > 5));
  const rows = JSON.stringify(await aisle.db.query('select * from requests where chain_id = $1', [chain.chainId]));
  for (const secret of secrets) assert.equal(rows.includes(secret), false, secret);
  assert.equal((await log.find(download)).query, 'signature=[removed]&page_size=1');
});

test('only a token with the manage scope and access to every vendor can turn on body recording', async () => {
  const reading = await makeToken(aisle, chain.chainId);
  const limited = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids: [String(chain.vendors[0])] });
  for (const token of [reading, limited]) {
    const body = { record_bodies: true };
    assertProblem(await aisle.call('PATCH', `${chain.base}/settings`, { token, body }), 'forbidden');
  }
  assertInvalid(await send('PATCH', '/settings', { body: { record_bodies: 'yes' } }), '/record_bodies');
});

test('a token with only the manage scope cannot read orders in the recorded bodies of other tokens', async () => {
  await record(true);
  const ordersPath = `/vendors/${chain.vendors[0]}/orders?query_term=Noor`;
  const response = await send('GET', ordersPath);
  assert.equal(response.status, 200);
  assert.ok((await log.find(response)).response_body, 'a portal user sees the bodies');
  const read = async (...scopes: string[]) => {
    const token = await makeToken(aisle, chain.chainId, { scopes: ['manage', ...scopes] });
    const id = String(response.headers['x-request-id']);
    const { body } = await aisle.call('GET', `${chain.base}/requests/${id}`, { token });
    const list = await aisle.call('GET', `${chain.base}/requests?request_id=${id}`, { token });
    return [body.query, list.body.requests[0].query, body.response_body?.text];
  };
  assert.deepEqual(await read(), [null, null, undefined]);
  assert.deepEqual(await read('orders:read'), ['query_term=Noor', 'query_term=Noor', response.text]);
});
