import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createUser, makeSecretForEmail } from '../../../src/identity/index.ts';
import { type Response, type CallOptions, makeChain, makeToken, makeUser, useAisle } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const another = await aisle.another();
after(async () => {
  await another.stop();
});

async function prepare() {
  const chain = await makeChain(aisle);
  const owner = await makeUser(aisle, chain.chainId);
  const call = (method: string, path: string, options: CallOptions = {}): Promise<Response> =>
    aisle.call(method, `${chain.base}${path}`, { token: owner.session, ...options });
  return { chain, owner, call };
}

function isSignedIn(session: string, on = aisle): Promise<boolean> {
  return on.call('GET', '/v2/portal/session', { token: session }).then(({ status }) => status === 200);
}

test('a new user gets a generated password that is shown once', async () => {
  const { call } = await prepare();
  const created = await call('POST', '/users', { body: { email: 'New@Aisle.test', name: 'New', role: 'VIEWER' } });
  assert.equal(created.status, 201, created.text);
  assert.equal(created.body.email, 'new@aisle.test');
  assert.match(created.body.password, /^\w{16}$/);
  const { email, password } = created.body;
  assert.equal((await aisle.call('POST', '/v2/portal/session', { body: { email, password } })).status, 201);
  const listed = await call('GET', '/users');
  assert.equal(listed.body.total_items, 2);
  assert.equal(listed.text.includes('password'), false);
});

test('a password sent in the request is not returned, and a short one is rejected', async () => {
  const { call } = await prepare();
  const user = { email: 'given@aisle.test', name: 'Given', role: 'MANAGER' };
  assertInvalid(await call('POST', '/users', { body: { ...user, password: 'elevenchars' } }), '/password');
  const created = await call('POST', '/users', { body: { ...user, password: 'twelve chars' } });
  assert.equal(created.status, 201);
  assert.equal('password' in created.body, false);
});

test('an email address must be unique in its chain, ignoring case', async () => {
  const { call } = await prepare();
  const user = { email: 'once@aisle.test', name: 'Once', role: 'VIEWER' };
  assert.equal((await call('POST', '/users', { body: user })).status, 201);
  assertProblem(await call('POST', '/users', { body: { ...user, email: 'ONCE@aisle.test' } }), 'email_taken');
  assertInvalid(await call('POST', '/users', { body: { ...user, email: 'no email' } }), '/email');
  assertInvalid(await call('POST', '/users', { body: { ...user, role: 'ADMIN' } }), '/role');
});

test('a duplicate email address causes no database error, which would log the address', async () => {
  const { chain, owner } = await prepare();
  const errors: unknown[] = [];
  const input = { email: owner.email, name: 'Again', role: 'VIEWER' };
  const secret = await makeSecretForEmail(aisle.db, chain.chainId, input, 10);
  const creating = aisle.db.transaction((tx) => {
    const query: typeof tx.query = (text, values) =>
      tx.query<never>(text, values).catch((error: unknown) => {
        errors.push(error);
        throw error;
      });
    return createUser({ ...tx, query }, chain.chainId, input, secret);
  });
  await assert.rejects(creating, { code: 'email_taken' });
  assert.deepEqual(errors, []);
});

test('creating a user does not reveal whether another chain has a user with the same email address', async () => {
  const { call } = await prepare();
  const other = await prepare();
  const user = { email: 'both@aisle.test', name: 'Both', role: 'VIEWER' };
  const first = await call('POST', '/users', { body: user });
  const second = await other.call('POST', '/users', { body: user });
  assert.deepEqual([first.status, second.status], [201, 201]);
  const signIn = (password: string) =>
    aisle.call('POST', '/v2/portal/session', { body: { email: user.email, password } });
  assert.equal((await signIn(first.body.password)).body.user.user_id, first.body.user_id);
  assert.equal((await signIn(second.body.password)).body.user.user_id, second.body.user_id);
  assertProblem(await signIn('neither of the two'), 'invalid_credentials');
});

test('a person with the same password in two chains chooses the chain when signing in', async () => {
  const [mine, other, stranger] = [await prepare(), await prepare(), await prepare()];
  const user = { email: 'same@aisle.test', name: 'Same', role: 'VIEWER', password: 'seven purple trams' };
  for (const { call } of [mine, other]) assert.equal((await call('POST', '/users', { body: user })).status, 201);
  const signIn = (chain_id?: string, password = user.password) =>
    aisle.call('POST', '/v2/portal/session', { body: { email: user.email, password, chain_id } });
  const unclear = await signIn();
  assertProblem(unclear, 'several_accounts');
  const ids = unclear.body.chains.map(({ chain_id }: { chain_id: string }) => chain_id).toSorted();
  assert.deepEqual(ids, [mine.chain.chainId, other.chain.chainId].toSorted());
  for (const { chain } of [mine, other]) {
    assert.equal((await signIn(chain.chainId)).body.chain.chain_id, chain.chainId);
  }
  assertProblem(await signIn(stranger.chain.chainId), 'invalid_credentials');
  assertProblem(await signIn(mine.chain.chainId, 'not the right one'), 'invalid_credentials');
  assertInvalid(await signIn('mine'), '/chain_id');
});

test('a deleted user is signed out on every server immediately', async () => {
  const { chain, call } = await prepare();
  const user = await makeUser(aisle, chain.chainId, 'MANAGER');
  assert.ok((await isSignedIn(user.session)) && (await isSignedIn(user.session, another)));
  assert.equal((await call('DELETE', `/users/${user.user_id}`)).status, 200);
  assert.equal(await isSignedIn(user.session), false);
  const deadline = Date.now() + 5000;
  while (await isSignedIn(user.session, another))
    assert.ok(Date.now() < deadline, 'the other server still accepts the session');
  assertProblem(await call('DELETE', `/users/${user.user_id}`), 'user_not_found');
});

test('a changed role applies from the next request', async () => {
  const { chain, call } = await prepare();
  const { user_id, session } = await makeUser(aisle, chain.chainId, 'VIEWER');
  const exportCatalog = () =>
    aisle.call('POST', `${chain.base}/vendors/${chain.vendors[0]}/catalog/export`, { token: session });
  assertProblem(await exportCatalog(), 'forbidden');
  const changed = await call('PATCH', `/users/${user_id}`, { body: { role: 'MANAGER', name: 'Night shift' } });
  assert.deepEqual([changed.body.role, changed.body.name], ['MANAGER', 'Night shift']);
  assert.equal((await exportCatalog()).status, 202);
});

test('a password reset replaces the old password and ends all sessions', async () => {
  const { chain, call } = await prepare();
  const user = await makeUser(aisle, chain.chainId, 'VIEWER');
  const { body } = await call('POST', `/users/${user.user_id}/reset-password`);
  assert.equal(await isSignedIn(user.session), false);
  const signIn = (password: string) =>
    aisle.call('POST', '/v2/portal/session', { body: { email: user.email, password } });
  assertProblem(await signIn(user.password), 'invalid_credentials');
  assert.equal((await signIn(body.password)).status, 201);
});

test('a chain always has at least one owner, even if two owners delete each other concurrently', async () => {
  const { chain, owner, call } = await prepare();
  assertProblem(await call('DELETE', `/users/${owner.user_id}`), 'last_owner');
  assertProblem(await call('PATCH', `/users/${owner.user_id}`, { body: { role: 'VIEWER' } }), 'last_owner');
  const second = await makeUser(aisle, chain.chainId);
  const responses = await Promise.all([
    aisle.call('DELETE', `${chain.base}/users/${second.user_id}`, { token: owner.session }),
    another.call('DELETE', `${chain.base}/users/${owner.user_id}`, { token: second.session }),
  ]);
  assert.equal(
    responses.filter(({ status }) => status === 200).length,
    1,
    responses.map(({ text }) => text).join('\n'),
  );
});

test("another chain's users return 404, and a token restricted to stores sees no users", async () => {
  const { chain, call } = await prepare();
  const stranger = await makeUser(aisle, (await makeChain(aisle)).chainId);
  assertProblem(await call('PATCH', `/users/${stranger.user_id}`, { body: { role: 'VIEWER' } }), 'user_not_found');
  assertProblem(await call('DELETE', `/users/${stranger.user_id}`), 'user_not_found');
  assertProblem(await call('POST', `/users/${stranger.user_id}/reset-password`), 'user_not_found');
  const vendor_ids = [String(chain.vendors[0])];
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage'], vendor_ids });
  assertProblem(await call('GET', '/users', { token }), 'forbidden');
});

test("the platform can create a chain's first user", async () => {
  const chain = await makeChain(aisle);
  const created = await aisle.call('POST', `/platform/v1/chains/${chain.chainId}/users`, {
    token: aisle.platformToken,
    body: { email: 'first@aisle.test', name: 'First', role: 'OWNER' },
  });
  assert.equal(created.status, 201, created.text);
  const { email, password } = created.body;
  const session = await aisle.call('POST', '/v2/portal/session', { body: { email, password } });
  assert.equal(session.body.chain.chain_id, chain.chainId);
});
