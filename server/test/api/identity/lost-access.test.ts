import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerFor, credentials, makeUser, type Response, useOwnAisle } from '../../support/aisle.ts';
import { compressPart } from '../../../src/jobs/gzip-parts.ts';
import { addProducts, plainProducts, waitForJob } from '../../support/catalog.ts';
import { holdLocks, isLockAwaited } from '../../support/lock-waits.ts';
import { makeShop, placeOrder } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

/** Between two requests, access ends at once. These requests have started before it ends. */
const aisle = await useOwnAisle({ AISLE_LOG_LEVEL: 'error' });
const url = await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 });
const chain = await makeShop(aisle, { vendors: 2 });
const [first = '', second = ''] = chain.vendors;
const owner = await makeUser(aisle, chain.chainId);
const call = callerFor(aisle, chain, owner.session);

test('a token that is revoked while the body arrives cannot create another token', async () => {
  const { token, token_id } = await newToken();
  const response = await during({ method: 'POST', path: '/tokens', token, body: { name: 'too late' } }, () =>
    call('DELETE', `/tokens/${token_id}`),
  );
  assertProblem(response, 'invalid_token');
  assert.equal((await call('GET', '/tokens?page_size=500')).text.includes('too late'), false);
});

test('a token that is revoked while the request waits for a lock cannot create another token', async () => {
  const { token, token_id } = await newToken();
  const unlock = await holdLocks(aisle.db, 'select 1 from chains where chain_id = $1 for update', [chain.chainId]);
  const response = aisle.call('POST', `${chain.base}/tokens`, { token, body: { name: 'too late' } });
  await waitFor('the request to wait', () => isLockAwaited(aisle.db, 'transactionid'));
  await sleep(150);
  assert.equal((await call('DELETE', `/tokens/${token_id}`)).status, 200);
  await unlock();
  assertProblem(await response, 'invalid_token');
  assert.equal((await call('GET', '/tokens?page_size=500')).text.includes('too late'), false);
});

test('a user who is deleted while the body arrives cannot create another user', async () => {
  const user = await makeUser(aisle, chain.chainId);
  const body = { email: 'late@aisle.test', name: 'Too late', role: 'OWNER' };
  const response = await during({ method: 'POST', path: '/users', token: user.session, body }, () =>
    call('DELETE', `/users/${user.user_id}`),
  );
  assertProblem(response, 'invalid_token');
  assert.equal((await call('GET', '/users?page_size=500')).text.includes(body.email), false);
});

test('a user whose role is lowered while the body arrives has only the new role', async () => {
  const user = await makeUser(aisle, chain.chainId);
  const response = await during(
    { method: 'POST', path: '/tokens', token: user.session, body: { name: 'too late' } },
    () => call('PATCH', `/users/${user.user_id}`, { body: { role: 'MANAGER' } }),
  );
  assertProblem(response, 'forbidden');
});

test('a user who loses a store while the body arrives cannot close it', async () => {
  const user = await makeUser(aisle, chain.chainId, 'MANAGER');
  const body = {
    vendor_ids: [first, second],
    status: 'CLOSED_UNTIL',
    closed_reason: 'OTHER',
    closed_until: '2999-01-01T00:00:00Z',
  };
  const response = await during({ method: 'PUT', path: '/status', token: user.session, body }, () =>
    call('PATCH', `/users/${user.user_id}`, { body: { vendor_ids: [first] } }),
  );
  assertProblem(response, 'forbidden');
  assert.equal((await call('GET', `/vendors/${second}/status`)).body.status, 'OPEN');
});

test('a large catalog request is not applied if its token is revoked while the body arrives', async () => {
  await addProducts(aisle, chain, plainProducts(1));
  const { token, token_id } = await newToken();
  const path = `/vendors/${first}/catalog`;
  const body = { products: [{ sku: 'SKU-1', price: 99 }], padding: 'x'.repeat(100_000) };
  const response = await during({ method: 'PUT', path, token, body }, () => call('DELETE', `/tokens/${token_id}`));
  assertProblem(response, 'invalid_token');
});

test('a response that is stored under an idempotency key is not sent to a token that is revoked', async () => {
  const { token, token_id } = await newToken();
  const sent = { method: 'POST', path: '/tokens', token, body: { name: 'once' }, headers: { 'idempotency-key': 'a' } };
  assert.equal((await during(sent, async () => undefined)).status, 201);
  const response = await during(sent, () => call('DELETE', `/tokens/${token_id}`));
  assertProblem(response, 'invalid_token');
});

test('a response that is stored under an idempotency key is not sent to a user who has lost the store', async () => {
  const user = await makeUser(aisle, chain.chainId, 'MANAGER');
  const repeat = () =>
    aisle.call('PUT', `${chain.base}/status`, {
      token: user.session,
      headers: { 'idempotency-key': 'narrowed' },
      body: { vendor_ids: [second], status: 'OPEN' },
    });
  assert.equal((await repeat()).status, 200);
  assert.equal((await repeat()).headers['idempotent-replayed'], 'true');
  await call('PATCH', `/users/${user.user_id}`, { body: { vendor_ids: [first] } });
  assertProblem(await repeat(), 'forbidden');
});

test('nothing is kept of a file whose uploader loses access while it arrives', async () => {
  const { token, token_id } = await newToken();
  const upload = { method: 'POST', token, raw: 'sku,price\nMILK,99\n', type: 'text/csv' };
  const revoked = await during({ ...upload, path: `/files?folder=/catalog/${first}&name=late.csv` }, () =>
    call('DELETE', `/tokens/${token_id}`),
  );
  assertProblem(revoked, 'invalid_token');
  const user = await makeUser(aisle, chain.chainId, 'MANAGER');
  const limited = await during(
    { ...upload, token: user.session, path: '/files?folder=/catalog/all&name=late.csv' },
    () => call('PATCH', `/users/${user.user_id}`, { body: { vendor_ids: [first] } }),
  );
  assertProblem(limited, 'forbidden');
  assert.equal((await call('GET', '/files')).body.total_items, 0);
  const kept = await aisle.db.query('select 1 from files where chain_id = $1', [chain.chainId]);
  assert.equal(kept.length, 0);
});

test('a request whose body arrives slowly succeeds if access has not become less', async () => {
  const user = await makeUser(aisle, chain.chainId, 'MANAGER', { vendor_ids: [first] });
  const sent = { method: 'PUT', path: `/vendors/${first}/status`, token: user.session, body: { status: 'OPEN' } };
  for (const vendor_ids of [[first], [first, second], null]) {
    const response = await during(sent, () => call('PATCH', `/users/${user.user_id}`, { body: { vendor_ids } }));
    assert.equal(response.status, 200, response.text);
  }
});

test('a user who loses a store while waiting for events gets none of that store', async () => {
  const user = await makeUser(aisle, chain.chainId, 'VIEWER');
  const waiting = aisle.call('GET', `${chain.base}/events?after=latest&wait=20`, { token: user.session });
  await sleep(200);
  const limited = await call('PATCH', `/users/${user.user_id}`, { body: { vendor_ids: [second] } });
  assert.equal(limited.status, 200, limited.text);
  await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }], { vendor_id: first });
  assertProblem(await waiting, 'forbidden');
});

test('a download ends when its token is revoked or its user loses the store, but not when the token expires', async () => {
  const job = await makeFile();
  const path = `/catalog/jobs/${job}/download`;
  const { token, token_id } = await newToken();
  const revoked = await download(path, token, () => call('DELETE', `/tokens/${token_id}`));
  assert.equal(revoked, 'ended early');
  const user = await makeUser(aisle, chain.chainId, 'MANAGER');
  const limited = await download(path, user.session, () =>
    call('PATCH', `/users/${user.user_id}`, { body: { vendor_ids: [second] } }),
  );
  assert.equal(limited, 'ended early');
  const brief = await newToken();
  const expired = await download(path, brief.token, async () => {
    const expire = 'update api_tokens set expires_at = now() where chain_id = $1 and token_id = $2';
    await aisle.db.query(expire, [chain.chainId, brief.token_id]);
    await aisle.db.query("select pg_notify('aisle_identity', '')");
    return undefined;
  });
  assert.equal(expired, 'complete');
});

/** Returns the id of a job whose file is too large for the buffers of a connection. */
async function makeFile(): Promise<string> {
  const { body } = await call('POST', `/vendors/${first}/catalog/export`);
  await waitForJob(aisle, chain, body.job_id);
  const part = await compressPart(`${randomBytes(200_000).toString('base64')},,1,1,,\n`);
  await aisle.db.query(
    `insert into job_file_parts (chain_id, job_id, part_no, bytes) select $1, $2, 100 + n, $3 from generate_series(1, 100) n`,
    [chain.chainId, body.job_id, part],
  );
  return body.job_id;
}

/** Starts a download, does something before most of it has been read, and reads the rest. */
async function download(
  path: string,
  token: string,
  work: () => Promise<Response | undefined>,
): Promise<'complete' | 'ended early'> {
  const sending = request(`${url}${chain.base}${path}`, { headers: credentials(token) }).end();
  const [incoming] = (await once(sending, 'response')) as [IncomingMessage];
  assert.equal(incoming.statusCode, 200);
  const done = await work();
  assert.ok(done === undefined || done.status === 200, done?.text);
  await sleep(1200);
  const result = await incoming.toArray().then(
    () => 'complete' as const,
    () => 'ended early' as const,
  );
  // Not a failure of the server.
  const ownLines = aisle.logged.filter((line) => line.includes(String(incoming.headers['x-request-id'])));
  assert.deepEqual(
    ownLines.filter((line) => line.includes('request.failed')),
    [],
  );
  return result;
}

async function newToken(): Promise<{ token: string; token_id: string }> {
  const { body } = await call('POST', '/tokens', { body: { name: crypto.randomUUID(), scopes } });
  return body;
}

const scopes = ['catalog:read', 'catalog:write', 'manage'];

type Sent = { method: string; path: string; token: string; headers?: Record<string, string> };

/** Sends a request, and does something after it has been admitted but before its body is complete. */
async function during(
  { method, path, token, headers, ...content }: Sent & ({ body: object } | { raw: string; type: string }),
  work: () => Promise<Response | undefined>,
): Promise<Response> {
  const [text, type] =
    'raw' in content ? [content.raw, content.type] : [JSON.stringify(content.body), 'application/json'];
  const sending = request(`${url}${chain.base}${path}`, {
    method,
    headers: {
      ...credentials(token),
      ...headers,
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      // The server asks for the body when it has admitted the request.
      expect: '100-continue',
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  sending.on('error', reject).on('response', async (incoming) => {
    const chunks = await incoming.toArray();
    const received = Buffer.concat(chunks).toString();
    resolve({
      status: Number(incoming.statusCode),
      body: JSON.parse(received),
      text: received,
      headers: incoming.headers,
    });
  });
  sending.once('continue', async () => {
    sending.write(text.slice(0, -1));
    const done = await work();
    assert.ok(done === undefined || done.status === 200, done?.text);
    await sleep(150);
    sending.end(text.slice(-1));
  });
  sending.flushHeaders();
  return promise;
}
