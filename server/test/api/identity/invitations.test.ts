import assert from 'node:assert/strict';
import test from 'node:test';
import { type CallOptions, makeChain, makeToken, makeUser, type Response, useAisle } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();

const chain = await makeChain(aisle);
const owner = await makeUser(aisle, chain.chainId);
const call = (method: string, path: string, options: CallOptions = {}): Promise<Response> =>
  aisle.call(method, `${chain.base}${path}`, { token: owner.session, ...options });
const accept = (token: string, password = goodPassword) =>
  aisle.call('POST', '/v2/portal/invitation', { body: { token, password } });
const read = (token: string) => aisle.call('POST', '/v2/portal/invitation/read', { body: { token } });
const signIn = (email: string, password: string) =>
  aisle.call('POST', '/v2/portal/session', { body: { email, password } });
const goodPassword = 'seven purple trams';
let count = 0;

async function invite(
  more: object = {},
): Promise<{ userId: string; email: string; token: string; body: Response['body'] }> {
  count += 1;
  const email = `invited-${count}@aisle.test`;
  const created = await call('POST', '/users', {
    body: { email, name: 'Invited', role: 'MANAGER', invite: true, ...more },
  });
  assert.equal(created.status, 201, created.text);
  const { user_id: userId, invitation } = created.body;
  return { userId, email, token: tokenOf(invitation.url), body: created.body };
}

function tokenOf(url: string): string {
  const { pathname, hash, search } = new URL(url);
  assert.deepEqual([pathname, search], ['/portal/invitation', '']);
  return hash.slice(1);
}

function sessionIn(response: Response): string {
  return /=([^;]+);/.exec(String(response.headers['set-cookie']))?.[1] ?? '';
}

test('an invited user sets a password with the link, is signed in, and can sign in again', async () => {
  const { email, token, body } = await invite();
  assert.equal('password' in body, false);
  const week = Date.parse(body.invitation.expires_at) - Date.now();
  assert.ok(Math.abs(week - 7 * 86_400_000) < 3_600_000);
  const shown = await read(token);
  assert.deepEqual(
    [shown.body.email, shown.body.name, shown.body.needs_code, shown.headers['cache-control']],
    [email, 'Invited', false, 'no-store'],
  );
  const accepted = await accept(token);
  assert.equal(accepted.status, 201, accepted.text);
  assert.deepEqual([accepted.body.user.email, accepted.body.must_change_password], [email, false]);
  assert.match(String(accepted.headers['set-cookie']), /HttpOnly/);
  assert.equal((await call('GET', '/vendors', { token: sessionIn(accepted) })).status, 200);
  assert.equal((await signIn(email, goodPassword)).status, 201);
});

test('an invitation link works only once', async () => {
  const { token } = await invite();
  const responses = await Promise.all([accept(token), accept(token, 'nine yellow ferries')]);
  const [won, lost] = responses.toSorted((a, b) => a.status - b.status);
  assert.equal(won?.status, 201, won?.text);
  assertProblem(lost as Response, 'invitation_not_found');
  assertProblem(await accept(token), 'invitation_not_found');
  assertProblem(await read(token), 'invitation_not_found');
});

test('an invitation link expires', async () => {
  const { userId, token } = await invite();
  await aisle.db.query("update invitations set expires_at = now() - interval '1 second' where user_id = $1", [userId]);
  assertProblem(await read(token), 'invitation_not_found');
  assertProblem(await accept(token), 'invitation_not_found');
});

test('a new invitation link replaces the earlier one', async () => {
  const { userId, email, token } = await invite();
  const again = await call('POST', `/users/${userId}/invitation`);
  assert.equal(again.status, 201, again.text);
  assert.equal(again.headers['cache-control'], 'no-store');
  assertProblem(await accept(token), 'invitation_not_found');
  assert.equal((await accept(tokenOf(again.body.invitation.url))).body.user.email, email);
});

test('a revoked invitation link does not work, and the user can be invited again', async () => {
  const { userId, token } = await invite();
  const revoked = await call('DELETE', `/users/${userId}/invitation`);
  assert.deepEqual([revoked.status, revoked.body.invitation_expires_at], [200, null]);
  assertProblem(await accept(token), 'invitation_not_found');
  assertProblem(await call('DELETE', `/users/${userId}/invitation`), 'invitation_not_found');
  assert.equal((await call('POST', `/users/${userId}/invitation`)).status, 201);
});

test('an invitation link does not work after the password was reset or changed', async () => {
  const { userId, email, token } = await invite();
  const reset = await call('POST', `/users/${userId}/reset-password`);
  assert.equal(reset.status, 200, reset.text);
  assertProblem(await accept(token), 'invitation_not_found');
  const again = await call('POST', `/users/${userId}/invitation`);
  const change = { current_password: reset.body.password, new_password: goodPassword };
  const session = sessionIn(await signIn(email, reset.body.password));
  const changed = await aisle.call('PUT', '/v2/portal/session/password', { token: session, body: change });
  assert.equal(changed.status, 200, changed.text);
  assertProblem(await accept(tokenOf(again.body.invitation.url)), 'invitation_not_found');
});

test('the list of users shows when an invitation expires, but not the link', async () => {
  const { userId, token, body } = await invite();
  const listed = await call('GET', '/users?page_size=500');
  const find = (users: Response['body'][]) => users.find((user) => user.user_id === userId);
  assert.equal(find(listed.body.users).invitation_expires_at, body.invitation.expires_at);
  assert.equal(listed.text.includes(token), false);
  await accept(token);
  assert.equal(find((await call('GET', '/users?page_size=500')).body.users).invitation_expires_at, null);
});

test('only a hash of the token is stored', async () => {
  const { token } = await invite();
  const rows = await aisle.db.query<{ row: string }>('select i::text as row from invitations i');
  assert.ok(rows.length > 0);
  assert.equal(
    rows.some(({ row }) => row.includes(token.slice(13, 30))),
    false,
  );
});

test('a weak or short password is rejected, and the link still works', async () => {
  const { token } = await invite();
  for (const password of ['short', 'password1234', 'aaaaaaaaaaaaaa']) {
    assertInvalid(await accept(token, password), '/password');
  }
  assert.equal((await accept(token)).status, 201);
});

test('an invitation ends the sessions of a user who forgot the password', async () => {
  const user = await makeUser(aisle, chain.chainId, 'VIEWER');
  const { body } = await call('POST', `/users/${user.user_id}/invitation`);
  assert.equal((await signIn(user.email, user.password)).status, 201, 'the old password works until then');
  assert.equal((await accept(tokenOf(body.invitation.url))).status, 201);
  assertProblem(await signIn(user.email, user.password), 'invalid_credentials');
  assertProblem(await call('GET', '/vendors', { token: user.session }), 'invalid_token');
});

test('a link that does not exist, or another token, is not an invitation', async () => {
  for (const token of ['', 'aisle_invite_x', chain.token, owner.session]) {
    assertProblem(await accept(token), 'invitation_not_found');
  }
  assertInvalid(await aisle.call('POST', '/v2/portal/invitation', { body: { password: goodPassword } }), '/token');
});

test('a page on another origin cannot accept an invitation', async () => {
  const { token } = await invite();
  const body = { token, password: goodPassword };
  const headers = { origin: 'https://elsewhere.example' };
  assertProblem(await aisle.call('POST', '/v2/portal/invitation', { body, headers }), 'forbidden');
});

test('an invitation cannot be combined with a password', async () => {
  const body = { email: 'both@aisle.test', name: 'Both', role: 'VIEWER', invite: true, password: goodPassword };
  assertInvalid(await call('POST', '/users', { body }), '/invite');
});

test('only owners of the chain can invite users', async () => {
  const { userId } = await invite();
  const manager = await makeUser(aisle, chain.chainId, 'MANAGER');
  const path = `/users/${userId}/invitation`;
  assertProblem(await call('POST', path, { token: manager.session }), 'forbidden');
  assertProblem(await call('DELETE', path, { token: manager.session }), 'forbidden');
  const managing = await makeToken(aisle, chain.chainId, { scopes: ['manage'] });
  assertProblem(await call('POST', path, { token: managing }), 'forbidden');
  const other = await makeChain(aisle);
  const stranger = await makeUser(aisle, other.chainId);
  const foreign = await aisle.call('POST', `${other.base}${path}`, { token: stranger.session });
  assertProblem(foreign, 'user_not_found');
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const expiring = await makeToken(aisle, chain.chainId, { scopes: ['users:manage'], expires_at });
  assertProblem(await call('POST', path, { token: expiring }), 'forbidden');
});

test('a user whose password was set by another person has to change it first', async () => {
  const email = 'temporary@aisle.test';
  const created = await call('POST', '/users', { body: { email, name: 'Temporary', role: 'MANAGER' } });
  const { user_id, password } = created.body;
  const signedIn = await signIn(email, password);
  assert.equal(signedIn.body.must_change_password, true);
  const session = sessionIn(signedIn);
  const problem = await call('GET', '/vendors', { token: session });
  assertProblem(problem, 'forbidden');
  assert.match(problem.body.detail, /change it/);
  const put = (body: object) => aisle.call('PUT', '/v2/portal/session/password', { token: session, body });
  const same = await put({ current_password: password, new_password: password });
  assertProblem(same, 'invalid_request');
  assert.deepEqual(same.body.errors[0].pointer, '/new_password');
  const changed = await put({ current_password: password, new_password: goodPassword });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await call('GET', '/vendors', { token: session })).status, 200);
  assert.equal((await signIn(email, goodPassword)).body.must_change_password, false);

  const reset = await call('POST', `/users/${user_id}/reset-password`);
  assert.equal((await signIn(email, reset.body.password)).body.must_change_password, true);
});

test('the creator of a user can leave out the change of the password', async () => {
  const user = { email: 'kept@aisle.test', name: 'Kept', role: 'MANAGER', password: goodPassword };
  await call('POST', '/users', { body: { ...user, must_change_password: false } });
  const signedIn = await signIn(user.email, goodPassword);
  assert.equal(signedIn.body.must_change_password, false);
  assert.equal((await call('GET', '/vendors', { token: sessionIn(signedIn) })).status, 200);
});

test('the platform can invite the first owner of a chain', async () => {
  const { chainId } = await makeChain(aisle);
  const body = { email: 'first@aisle.test', name: 'First', role: 'OWNER', invite: true };
  const path = `/platform/v1/chains/${chainId}/users`;
  const created = await aisle.call('POST', path, { token: aisle.platformToken, body });
  assert.equal((await accept(tokenOf(created.body.invitation.url))).body.chain.chain_id, chainId);
});
