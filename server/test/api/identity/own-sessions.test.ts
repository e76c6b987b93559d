import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenHash } from '../../../src/identity/index.ts';
import { recordSessionUse } from '../../../src/identity/session-queries.ts';
import { type Response, makeChain, makeToken, makeUser, useOwnAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle({ AISLE_TRUSTED_PROXIES: '127.0.0.1', AISLE_SESSION_IDLE_MINUTES: '30' });
const another = await aisle.another();
test.after(another.stop);

const path = '/v2/portal/session';
const browser = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  'x-forwarded-for': '203.0.113.9',
};

async function signIn(user: { email: string; password: string }): Promise<string> {
  const { email, password } = user;
  const response = await aisle.call('POST', path, { body: { email, password }, headers: browser });
  return /aisle_session=([^;]+)/.exec(String(response.headers['set-cookie']))?.[1] ?? '';
}

async function isSignedIn(session: string, on = aisle): Promise<boolean> {
  return (await on.call('GET', path, { token: session })).status === 200;
}

function listOwn(token: string): Promise<Response> {
  return aisle.call('GET', '/v2/portal/sessions', { token });
}

function idOf(response: Response, isCurrent: boolean): string {
  return response.body.sessions.find((one: { is_current: boolean }) => one.is_current === isCurrent)?.session_id;
}

async function makeUserOf(chain?: string) {
  const chainId = chain ?? (await makeChain(aisle)).chainId;
  return { ...(await makeUser(aisle, chainId, 'VIEWER')), chainId };
}

async function setLastUse(session: string, minutesAgo: number): Promise<void> {
  await aisle.db.query(
    `update sessions set last_used_at = now() - make_interval(secs => 60 * $2::float8)
     where session_hash = sha256(convert_to($1, 'UTF8'))`,
    [session, minutesAgo],
  );
}

test('a user sees where they are signed in, and which session is the current one', async () => {
  const user = await makeUserOf();
  const session = await signIn(user);
  const { body } = await listOwn(session);
  assert.equal(body.total_items, 2);
  const current = body.sessions.find((one: { is_current: boolean }) => one.is_current);
  assert.deepEqual([current.address, current.device], ['203.0.113.9', 'Chrome on Windows']);
  assert.ok(current.created_at <= current.last_used_at && current.last_used_at < current.expires_at);
  assert.equal(JSON.stringify(body).includes(session), false);
  assert.equal(body.sessions.filter((one: { is_current: boolean }) => one.is_current).length, 1);
});

test('a user can end one session, which stops working on every server', async () => {
  const user = await makeUserOf();
  const session = await signIn(user);
  assert.ok((await isSignedIn(user.session)) && (await isSignedIn(user.session, another)));
  const other = idOf(await listOwn(session), false);
  const ended = await aisle.call('DELETE', `/v2/portal/sessions/${other}`, { token: session });
  assert.deepEqual([ended.status, ended.body.session_id], [200, other]);
  assert.equal(await isSignedIn(user.session), false);
  await waitFor('the other server', async () => !(await isSignedIn(user.session, another)), 30);
  assertProblem(await aisle.call('DELETE', `/v2/portal/sessions/${other}`, { token: session }), 'session_not_found');
  assert.ok(await isSignedIn(session));
});

test('a user can end all other sessions', async () => {
  const user = await makeUserOf();
  const [one, two] = [await signIn(user), await signIn(user)];
  const stranger = await makeUserOf();
  const ended = await aisle.call('DELETE', '/v2/portal/sessions', { token: two });
  assert.deepEqual(ended.body, { ended_sessions: 2 });
  assert.deepEqual(
    [await isSignedIn(user.session), await isSignedIn(one), await isSignedIn(two)],
    [false, false, true],
  );
  assert.ok(await isSignedIn(stranger.session));
});

test("a user cannot see or end another user's session", async () => {
  const { chainId, base } = await makeChain(aisle);
  const [user, other] = [await makeUserOf(chainId), await makeUserOf(chainId)];
  const id = idOf(await listOwn(other.session), true);
  assertProblem(await aisle.call('DELETE', `/v2/portal/sessions/${id}`, { token: user.session }), 'session_not_found');
  assertProblem(
    await aisle.call('GET', `${base}/users/${other.user_id}/sessions`, { token: user.session }),
    'forbidden',
  );
  assert.ok(await isSignedIn(other.session));
});

test("an owner, or a token with users:manage, can see and end a user's sessions", async () => {
  const { chainId, base } = await makeChain(aisle);
  const owner = await makeUser(aisle, chainId);
  const token = await makeToken(aisle, chainId, { scopes: ['users:manage'] });
  const user = await makeUserOf(chainId);
  const session = await signIn(user);
  const sessions = `${base}/users/${user.user_id}/sessions`;
  const listed = await aisle.call('GET', sessions, { token: owner.session });
  assert.equal(listed.body.total_items, 2);
  assert.ok(listed.body.sessions.every((one: { is_current: boolean }) => !one.is_current));
  const [newest] = listed.body.sessions;
  assert.equal((await aisle.call('DELETE', `${sessions}/${newest.session_id}`, { token })).status, 200);
  assert.deepEqual([await isSignedIn(session), await isSignedIn(user.session)], [false, true]);
  const all = await aisle.call('DELETE', sessions, { token: owner.session });
  assert.deepEqual(all.body, { ended_sessions: 1 });
  assert.deepEqual([await isSignedIn(user.session), await isSignedIn(owner.session)], [false, true]);
});

test("an owner cannot see or end the sessions of another chain's user", async () => {
  const { chainId, base } = await makeChain(aisle);
  const owner = await makeUser(aisle, chainId);
  const stranger = await makeUserOf();
  const id = idOf(await listOwn(stranger.session), true);
  const sessions = `${base}/users/${stranger.user_id}/sessions`;
  const token = owner.session;
  assertProblem(await aisle.call('GET', sessions, { token }), 'user_not_found');
  assertProblem(await aisle.call('DELETE', sessions, { token }), 'user_not_found');
  assertProblem(await aisle.call('DELETE', `${sessions}/${id}`, { token }), 'user_not_found');
  assert.ok(await isSignedIn(stranger.session));
});

test('a session that is unused for too long expires and is no longer listed', async () => {
  const user = await makeUserOf();
  const session = await signIn(user);
  await setLastUse(user.session, 31);
  assertProblem(await aisle.call('GET', path, { token: user.session }), 'invalid_token');
  assert.equal((await listOwn(session)).body.total_items, 1);
});

test('using a session keeps it alive, and its last use is stored at most once a minute', async () => {
  const user = await makeUserOf();
  await setLastUse(user.session, 29);
  const lastUse = async () => Date.parse((await listOwn(user.session)).body.sessions[0].last_used_at);
  const before = await lastUse();
  await waitFor('the last use', async () => (await lastUse()) > before, 30);
  const stored = await lastUse();
  const row = { chain_id: user.chainId, session_hash: tokenHash(user.session) };
  await recordSessionUse(aisle.db, [row]);
  assert.equal(await lastUse(), stored);
});

test('a session that is used seconds before it would expire can still be used afterwards', async () => {
  const user = await makeUserOf();
  await setLastUse(user.session, 29.9);
  assert.ok(await isSignedIn(user.session));
  await sleep(7000);
  assert.ok(await isSignedIn(user.session));
});

test('the list of sessions is empty for a user who is signed out', async () => {
  const { chainId, base } = await makeChain(aisle);
  const owner = await makeUser(aisle, chainId);
  const user = await makeUserOf(chainId);
  await aisle.call('DELETE', `${base}/users/${user.user_id}/sessions`, { token: owner.session });
  const listed = await aisle.call('GET', `${base}/users/${user.user_id}/sessions`, { token: owner.session });
  assert.deepEqual([listed.status, listed.body.total_items], [200, 0]);
});
