import assert from 'node:assert/strict';
import test from 'node:test';
import { emailAccount } from '../../../src/identity/guard-attempts.ts';
import { discardFactors } from '../../../src/identity/index.ts';
import { readConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/kernel/monitoring/log.ts';
import { getSecretKeys } from '../../../src/secret-keys.ts';
import { type Response, makeChain, makeToken, makeUser, useOwnAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';
import { codeFor, setUpSecondFactor, startSecondFactor } from '../../support/second-factor.ts';

const aisle = await useOwnAisle();
const path = '/v2/portal/second-factor';

/** Creates a user with a second factor. */
async function makeProtected(role: 'OWNER' | 'VIEWER' = 'OWNER') {
  const chain = await makeChain(aisle);
  const user = await makeUser(aisle, chain.chainId, role);
  return { chain, ...user, ...(await setUpSecondFactor(aisle, user)) };
}

function signIn(user: { email: string; password: string }, code?: string, on = aisle): Promise<Response> {
  const { email, password } = user;
  return on.call('POST', '/v2/portal/session', { body: { email, password, ...(code !== undefined && { code }) } });
}

function readFactor(session: string): Promise<Response> {
  return aisle.call('GET', path, { token: session });
}

async function isSignedIn(session: string): Promise<boolean> {
  return (await aisle.call('GET', '/v2/portal/session', { token: session })).status === 200;
}

test('setting up a second factor requires the password and a first code, and ends other sessions', async () => {
  const { chainId } = await makeChain(aisle);
  const user = await makeUser(aisle, chainId, 'VIEWER');
  const other = await signIn(user);
  const otherSession = /aisle_session=([^;]+)/.exec(String(other.headers['set-cookie']))?.[1] ?? '';
  const start = (password: string) => aisle.call('POST', path, { token: user.session, body: { password } });
  assertProblem(await start('not the password'), 'invalid_credentials');
  const started = await start(user.password);
  assert.match(started.body.secret, /^[A-Z2-7]{32}$/);
  assert.ok(started.body.url.startsWith('otpauth://totp/') && started.body.url.includes(started.body.secret));
  assert.equal(started.headers['cache-control'], 'no-store');
  assert.equal((await readFactor(user.session)).body.is_enabled, false);
  assert.equal((await signIn(user)).status, 201, 'the factor is off until it is confirmed');
  const confirm = (code: string) => aisle.call('POST', `${path}/confirm`, { token: user.session, body: { code } });
  assertProblem(await confirm('000000'), 'invalid_code');
  const confirmed = await confirm(codeFor(started.body.secret));
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.equal(new Set(confirmed.body.recovery_codes).size, 10);
  assert.deepEqual([confirmed.body.is_enabled, confirmed.body.recovery_codes_left], [true, 10]);
  assert.deepEqual([await isSignedIn(otherSession), await isSignedIn(user.session)], [false, true]);
  assertProblem(await start(user.password), 'second_factor_enabled');
  assertProblem(await confirm(codeFor(started.body.secret, 30)), 'second_factor_enabled');
});

test('a second factor cannot be confirmed before setup starts, and starting over replaces the secret', async () => {
  const user = await makeUser(aisle, (await makeChain(aisle)).chainId);
  const confirm = (code: string) => aisle.call('POST', `${path}/confirm`, { token: user.session, body: { code } });
  assertProblem(await confirm('123456'), 'second_factor_disabled');
  const first = await startSecondFactor(aisle, user);
  const second = await startSecondFactor(aisle, user);
  assertProblem(await confirm(codeFor(first)), 'invalid_code');
  assert.equal((await confirm(codeFor(second))).status, 200);
});

test('signing in requires the password and then a code, which works once', async () => {
  const user = await makeProtected();
  const asked = await signIn(user);
  assertProblem(asked, 'second_factor_required');
  assert.equal(asked.headers['set-cookie'], undefined);
  assertProblem(await signIn({ ...user, password: 'wrong' }, codeFor(user.secret, 30)), 'invalid_credentials');
  assertProblem(await signIn(user, '000 000'), 'invalid_code');
  assertProblem(await signIn(user, codeFor(user.secret, 3600)), 'invalid_code');
  const code = codeFor(user.secret, 30);
  const signedIn = await signIn(user, ` ${code.slice(0, 3)} ${code.slice(3)}`);
  assert.equal(signedIn.status, 201, signedIn.text);
  assert.equal(signedIn.body.user.has_second_factor, true);
  assertProblem(await signIn(user, code), 'invalid_code');
});

test('of two concurrent sign-ins with the same code, only one succeeds', async () => {
  const user = await makeProtected();
  const code = codeFor(user.secret, 30);
  const statuses = (await Promise.all([signIn(user, code), signIn(user, code)])).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [201, 401],
  );
});

test('the code that confirmed the second factor cannot be used to sign in', async () => {
  const user = await makeUser(aisle, (await makeChain(aisle)).chainId);
  const code = codeFor(await startSecondFactor(aisle, user));
  await aisle.call('POST', `${path}/confirm`, { token: user.session, body: { code } });
  assertProblem(await signIn(user, code), 'invalid_code');
});

test('a recovery code works once, regardless of case and with or without dashes', async () => {
  const user = await makeProtected('VIEWER');
  const [first = '', second = ''] = user.recoveryCodes;
  assert.equal((await signIn(user, first)).status, 201);
  assertProblem(await signIn(user, first), 'invalid_code');
  assert.equal((await signIn(user, second.toUpperCase().replaceAll('-', ''))).status, 201);
  assert.equal((await readFactor(user.session)).body.recovery_codes_left, 8);
});

test('new recovery codes replace the old ones', async () => {
  const user = await makeProtected('VIEWER');
  const replace = (body: unknown) => aisle.call('POST', `${path}/recovery-codes`, { token: user.session, body });
  const { password, recoveryCodes } = user;
  assertProblem(await replace({ password: 'wrong', code: recoveryCodes[0] }), 'invalid_credentials');
  assertProblem(await replace({ password, code: '000000' }), 'invalid_code');
  const replaced = await replace({ password, code: codeFor(user.secret, 30) });
  assert.equal(replaced.body.recovery_codes_left, 10, replaced.text);
  assertProblem(await signIn(user, recoveryCodes[1]), 'invalid_code');
  assert.equal((await signIn(user, replaced.body.recovery_codes[1])).status, 201);
});

test('turning the second factor off requires the password and a code', async () => {
  const user = await makeProtected('VIEWER');
  const disable = (body: unknown) => aisle.call('POST', `${path}/disable`, { token: user.session, body });
  const { password } = user;
  assertProblem(await disable({ password: 'wrong', code: codeFor(user.secret, 30) }), 'invalid_credentials');
  assertProblem(await disable({ password, code: '000000' }), 'invalid_code');
  assert.equal((await disable({ password })).status, 400);
  const disabled = await disable({ password, code: codeFor(user.secret, 30) });
  assert.deepEqual([disabled.status, disabled.body.is_enabled], [200, false]);
  assert.equal((await signIn(user)).status, 201);
  assertProblem(await disable({ password, code: '000000' }), 'second_factor_disabled');
});

test("an owner can reset another user's second factor, but not their own", async () => {
  const owner = await makeProtected();
  const user = await makeUser(aisle, owner.chain.chainId, 'VIEWER');
  await setUpSecondFactor(aisle, user);
  const reset = (id: string, token: string) =>
    aisle.call('DELETE', `${owner.chain.base}/users/${id}/second-factor`, { token });
  assertProblem(await reset(owner.user_id, user.session), 'forbidden');
  const own = await reset(owner.user_id, owner.session);
  assertProblem(own, 'forbidden');
  assert.match(own.body.detail, /your own second factor.*password and a code/);
  const done = await reset(user.user_id, owner.session);
  assert.deepEqual([done.status, done.body.has_second_factor], [200, false]);
  assert.equal(await isSignedIn(user.session), false);
  assert.equal((await signIn(user)).status, 201);
  const stranger = await makeProtected();
  assertProblem(await reset(stranger.user_id, owner.session), 'user_not_found');
  assertProblem(await signIn(stranger), 'second_factor_required');
  const token = await makeToken(aisle, owner.chain.chainId, { scopes: ['manage'] });
  assertProblem(await reset(owner.user_id, token), 'forbidden');
});

test("the platform can find and reset any user's second factor", async () => {
  const owner = await makeProtected();
  const users = `/platform/v1/chains/${owner.chain.chainId}/users`;
  const listed = await aisle.call('GET', users, { token: aisle.platformToken });
  assert.deepEqual([listed.body.total_items, listed.body.users[0].has_second_factor], [1, true]);
  const { user_id } = listed.body.users[0];
  const reset = await aisle.call('DELETE', `${users}/${user_id}/second-factor`, { token: aisle.platformToken });
  assert.equal(reset.status, 200, reset.text);
  assert.equal((await signIn(owner)).status, 201);
});

test('wrong codes delay further codes for the same user from any address, but not for other users', async (t) => {
  const limited = await aisle.another({ AISLE_RATE_LIMITS: 'sign_in=100', AISLE_TRUSTED_PROXIES: '127.0.0.1' });
  t.after(limited.stop);
  const [user, other] = [await makeProtected(), await makeProtected()];
  const guess = (code: string, from: string, { email, password } = user) =>
    limited.call('POST', '/v2/portal/session', {
      body: { email, password, code },
      headers: { 'x-forwarded-for': from },
    });
  const statuses: number[] = [];
  for (let tries = 0; tries < 7; tries++) statuses.push((await guess('000000', `203.0.113.${tries}`)).status);
  assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
  const delayed = await guess(codeFor(user.secret, 30), '198.51.100.1');
  assertProblem(delayed, 'rate_limited');
  assert.match(delayed.body.detail, /^\d+ attempts have failed; try again in \d+ s\.$/);
  assert.equal((await guess(codeFor(other.secret, 30), '203.0.113.1', other)).status, 201);
  await aisle.db.query('update failed_attempts set blocked_until = now()');
  assert.equal((await guess(codeFor(user.secret, 30), '198.51.100.1')).status, 201);
  const rows = await aisle.db.query('select 1 from failed_attempts where account = $1', [`code ${user.user_id}`]);
  assert.deepEqual(rows, []);
});

test('a correct password without a code does not reset the number of failures from an address', async (t) => {
  const limited = await aisle.another({ AISLE_RATE_LIMITS: 'sign_in=100' });
  t.after(limited.stop);
  const user = await makeProtected();
  for (let tries = 0; tries < 5; tries++) {
    assertProblem(
      await signIn(user, tries % 2 === 0 ? '000000' : undefined, limited),
      ['invalid_code', 'second_factor_required'][tries % 2] as 'invalid_code',
    );
  }
  const [row] = await aisle.db.query('select failures from failed_attempts where account = $1', [
    emailAccount(user.email),
  ]);
  assert.deepEqual(row, { failures: 5 });
});

test('a chain can require a second factor for owners, who must then set it up before doing anything else', async () => {
  const { chainId, base } = await makeChain(aisle);
  const [owner, manager] = [await makeUser(aisle, chainId), await makeUser(aisle, chainId, 'MANAGER')];
  const settings = (token: string, isRequired: boolean) =>
    aisle.call('PATCH', `${base}/settings`, { token, body: { require_second_factor_for_owners: isRequired } });
  assert.equal((await settings(owner.session, true)).body.require_second_factor_for_owners, true);
  const blocked = await aisle.call('GET', `${base}/vendors`, { token: owner.session });
  assertProblem(blocked, 'forbidden');
  assert.match(blocked.body.detail, /requires owners to have a second factor/);
  assertProblem(await settings(owner.session, false), 'forbidden');
  assert.equal((await aisle.call('GET', `${base}/vendors`, { token: manager.session })).status, 200);
  assert.equal((await signIn(owner)).body.must_set_up_second_factor, true);
  assert.equal((await readFactor(owner.session)).body.is_required, true);
  await setUpSecondFactor(aisle, owner);
  assert.equal((await aisle.call('GET', `${base}/vendors`, { token: owner.session })).status, 200);
  const session = await aisle.call('GET', '/v2/portal/session', { token: owner.session });
  assert.equal(session.body.must_set_up_second_factor, false);
  const promote = { token: owner.session, body: { role: 'OWNER' } };
  assert.equal((await aisle.call('PATCH', `${base}/users/${manager.user_id}`, promote)).status, 200);
  assertProblem(await aisle.call('GET', `${base}/vendors`, { token: manager.session }), 'forbidden');
});

test('the secret is stored encrypted and recovery codes are stored as hashes', async () => {
  const user = await makeProtected();
  const [row] = await aisle.db.query<{ all: string }>(
    `select f::text || (select string_agg(r::text, ' ') from recovery_codes r where r.user_id = $1) as all
     from second_factors f where user_id = $1`,
    [user.user_id],
  );
  const stored = row?.all.toLowerCase() ?? '';
  for (const secret of [user.secret, user.recoveryCodes[0] ?? '']) {
    const text = secret.toLowerCase().replaceAll('-', '');
    assert.ok(stored.length > 0 && !stored.includes(text) && !stored.includes(Buffer.from(text).toString('hex')));
  }
});

test('without the key, a code is still required but returns 503, and recovery codes still work', async (t) => {
  const user = await makeProtected();
  for (const key of ['', Buffer.alloc(32, 'x').toString('base64')]) {
    const keyless = await aisle.another({ AISLE_SECRET_KEY: key });
    t.after(keyless.stop);
    assertProblem(await signIn(user, undefined, keyless), 'second_factor_required');
    assertProblem(await signIn(user, codeFor(user.secret, 30), keyless), 'secret_key_missing');
    assert.equal((await signIn(user, user.recoveryCodes.pop(), keyless)).status, 201);
  }
});

test('a key that cannot decrypt the second factors prevents startup until they are discarded', async () => {
  const user = await makeProtected();
  const otherKey = Buffer.alloc(32, 'o');
  const config = readConfig({ DATABASE_URL: aisle.url, AISLE_SECRET_KEY: otherKey.toString('base64') });
  await assert.rejects(
    getSecretKeys(aisle.db, config, createLog('silent')),
    /cannot decrypt the second factors .*discard-secrets/,
  );
  assert.ok((await discardFactors(aisle.db, [otherKey])) > 0);
  assert.equal(await discardFactors(aisle.db, [otherKey]), 0);
  assert.equal((await getSecretKeys(aisle.db, config, createLog('silent'))).length, 1);
  assert.equal((await signIn(user)).status, 201);
});
