import assert from 'node:assert/strict';
import test from 'node:test';
import { emailAccount } from '../../../src/identity/guard-attempts.ts';
import { hashPassword } from '../../../src/identity/passwords.ts';
import {
  makeChain,
  makeClient,
  makeUser,
  requestAccessToken,
  type Response,
  useOwnAisle,
} from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({
  AISLE_RATE_LIMITS: 'token=3,sign_in=30',
  AISLE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
  AISLE_LOG_LEVEL: 'info',
});

const attacker = '203.0.113.7';
const home = '198.51.100.20';

function signIn(email: string, password: string, from: string, on = aisle): Promise<Response> {
  const headers = { 'x-forwarded-for': from };
  return on.call('POST', '/v2/portal/session', { body: { email, password }, headers });
}

function grant(client: { client_id: string; client_secret: string }, from: string, secret = client.client_secret) {
  const fields = { client_id: client.client_id, client_secret: secret };
  return requestAccessToken(aisle, fields, { 'x-forwarded-for': from });
}

async function newUser() {
  return makeUser(aisle, (await makeChain(aisle)).chainId);
}

test('wrong passwords from another address do not lock the user out', async () => {
  const { email, password } = await newUser();
  for (let tries = 0; tries < 5; tries++) {
    assertProblem(await signIn(email, `guess ${tries}`, attacker), 'invalid_credentials');
  }
  await setNextAttempt('1 hour');
  assertProblem(await signIn(email, 'guess', attacker), 'rate_limited');
  assert.equal((await signIn(email, password, home)).status, 201);
});

test("the correct password works from the attacker's address too, after a delay", async () => {
  const { email, password } = await newUser();
  for (let tries = 0; tries < 5; tries++) await signIn(email, 'wrong', attacker);
  await setNextAttempt('1 second');
  const [next] = await aisle.db.query<{ at: Date }>('select max(blocked_until) as at from failed_attempts');
  assert.equal((await signIn(email, password, attacker)).status, 201);
  const [now] = await aisle.db.query<{ at: Date }>('select now() as at');
  assert.ok(next && now && now.at >= next.at, 'the password is checked after the delay');
});

test('wrong secrets do not lock a client out, whether they come from its own address or another one', async () => {
  const client = await makeClient(aisle, (await makeChain(aisle)).chainId);
  const guesses: number[] = [];
  for (let tries = 0; tries < 8; tries++) guesses.push((await grant(client, attacker, `guess ${tries}`)).status);
  assert.deepEqual(guesses, [401, 401, 401, 401, 401, 429, 429, 429]);
  assert.equal((await grant(client, home)).status, 200);
  assert.equal((await grant(client, attacker)).status, 200, 'the correct secret is accepted at the same address too');
});

test('a client whose secret was hashed with scrypt can still get a token, and its secret is hashed again', async () => {
  const client = await makeClient(aisle, (await makeChain(aisle)).chainId);
  const stored = async () => {
    const rows = await aisle.db.query<{ secret_hash: string }>('select secret_hash from clients where client_id = $1', [
      client.client_id,
    ]);
    return rows[0]?.secret_hash ?? '';
  };
  const fast = await stored();
  const slow = await hashPassword(client.client_secret, 10);
  await aisle.db.query('update clients set secret_hash = $2 where client_id = $1', [client.client_id, slow]);
  for (let tries = 0; tries < 5; tries++) await grant(client, attacker, 'wrong');
  await setNextAttempt('1 hour');
  assert.equal((await grant(client, attacker, 'wrong')).status, 429);
  assert.equal(await stored(), slow, 'a wrong secret is not stored');
  assert.equal((await grant(client, home)).status, 200);
  assert.equal(await stored(), fast);
  assert.equal((await grant(client, home, 'wrong')).status, 401);
  assert.equal((await grant(client, home)).status, 200);
});

test('users behind a trusted proxy do not share one limit', async (t) => {
  const strict = await aisle.another({ AISLE_RATE_LIMITS: 'sign_in=1' });
  t.after(strict.stop);
  const users = await Promise.all([newUser(), newUser()]);
  const guesses = Array.from({ length: 11 }, (_, index) =>
    signIn(`unknown-${index}@aisle.test`, 'x', '203.0.113.99', strict),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429], 'one address can try ten accounts');
  for (const { email, password } of users) assert.equal((await signIn(email, password, home, strict)).status, 201);
});

test('the delay grows with every failure to a few seconds, and a successful sign-in does not count', async () => {
  const { email, password } = await newUser();
  const delays: number[] = [];
  for (let tries = 0; tries < 10; tries++) {
    assertProblem(await signIn(email, 'wrong', home), 'invalid_credentials');
    delays.push(await secondsToNextAttempt(email));
    await setNextAttempt('0 seconds');
  }
  assert.deepEqual(delays, [0, 0, 0, 0, 1, 2, 4, 8, 8, 8]);
  assert.equal((await signIn(email, password, home)).status, 201);
  assert.equal(await countFailures(email), 10);
  const other = await newUser();
  for (let tries = 0; tries < 6; tries++) {
    assert.equal((await signIn(other.email, other.password, home)).status, 201);
    assert.equal(await secondsToNextAttempt(other.email), 0);
  }
});

test('an attacker cannot reset the delay by signing in to an own account with the same email address', async () => {
  const guessBetweenSignIns = async (email: string) => {
    const { chainId } = await makeChain(aisle);
    const body = { email, name: 'Attacker', role: 'OWNER' };
    const own = await aisle.call('POST', `/platform/v1/chains/${chainId}/users`, { token: aisle.platformToken, body });
    const counts: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (const password of ['guess', 'another guess', own.body.password]) {
        await signIn(email, password, attacker);
        await setNextAttempt('0 seconds');
      }
      counts.push(await countFailures(email));
    }
    return counts;
  };
  const victim = await newUser();
  assert.deepEqual(await guessBetweenSignIns(victim.email), [2, 4, 6]);
  const withoutVictim = await guessBetweenSignIns('not-used-elsewhere@aisle.test');
  assert.deepEqual(withoutVictim, [2, 4, 6], 'the delay does not reveal whether another chain has such a user');
});

test('guesses are counted together, however the email address is spelled', async () => {
  // In most databases, lower() makes the same email address of all of them.
  const spellings = ['nik@aisle.test', 'NIK@aisle.test ', 'n\u0130k@aisle.test', 'ni\u212A@a\u0130sle.test'];
  for (const spelling of spellings) await signIn(spelling, 'guess', attacker);
  assert.equal(await countFailures('nik@aisle.test'), spellings.length);
});

test('concurrent attempts are delayed one after another, and one that would wait too long is rejected', async () => {
  const { email, password } = await newUser();
  for (let tries = 0; tries < 7; tries++) {
    await setNextAttempt('0 seconds');
    await signIn(email, 'wrong', attacker);
  }
  await setNextAttempt('2 seconds');
  // The first attempt waits for two seconds. The other one would then wait for another eight.
  const waiting = [signIn(email, 'guess', attacker), signIn(email, password, attacker)];
  const first = await Promise.race(waiting);
  assertProblem(first, 'rate_limited');
  assert.match(first.body.detail, /^8 attempts have failed from this address; try again in (8|9|10) s\.$/);
  assert.match(String(first.headers['retry-after']), /^(8|9|10)$/);
  await Promise.all(waiting);
});

test('an address in X-Forwarded-For or Forwarded counts only if a trusted proxy sent it', async (t) => {
  const direct = await aisle.another({ AISLE_TRUSTED_PROXIES: 'none' });
  t.after(direct.stop);
  const { email } = await newUser();
  const guess = async (headers: Record<string, string>, on = aisle) =>
    (await on.call('POST', '/v2/portal/session', { body: { email, password: 'wrong' }, headers })).status;
  for (let tries = 0; tries < 5; tries++) await guess({ 'x-forwarded-for': `192.0.2.${tries}` }, direct);
  await setNextAttempt('1 hour');
  assert.equal(await guess({ 'x-forwarded-for': '192.0.2.200' }, direct), 429, 'a new address per guess does not help');
  assert.equal(await guess({ forwarded: 'for=192.0.2.201' }, direct), 429);
  assert.equal(await guess({ forwarded: 'for=192.0.2.201;proto=https, for=10.1.2.3' }), 401);
});

test('the log line for a sign-in contains the user id and the address, but not the email address', async () => {
  const { email, password, user_id } = await newUser();
  const lines = async (work: () => Promise<unknown>) => {
    const before = aisle.logged.length;
    await work();
    const added = aisle.logged.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    // Slow statements are logged, too.
    return added.filter((line) => 'account' in line);
  };
  const [failed] = await lines(() => signIn(email, 'wrong', attacker));
  const [succeeded] = await lines(() => signIn(email, password, home));
  assert.deepEqual([failed?.['status'], failed?.['account'], failed?.['ip']], [401, `user:${user_id}`, attacker]);
  assert.deepEqual([succeeded?.['status'], succeeded?.['account'], succeeded?.['ip']], [201, `user:${user_id}`, home]);
  const client = await makeClient(aisle, (await makeChain(aisle)).chainId);
  const [granted] = await lines(() => grant(client, attacker, 'wrong'));
  assert.deepEqual([granted?.['account'], granted?.['ip']], [`client:${client.client_id}`, attacker]);
  assert.ok(!aisle.logged.some((line) => line.includes(email)));
});

test('only hashes of email addresses are stored when sign-ins fail', async () => {
  await signIn('private-person@aisle.test', 'wrong', attacker);
  for (const table of ['failed_attempts', 'rate_windows']) {
    const [row] = await aisle.db.query<{ all: string }>(`select string_agg(t::text, ' ') as all from ${table} t`);
    assert.ok(row && row.all.length > 0);
    assert.doesNotMatch(row.all, /private-person/);
  }
});

/** Sets the time of the next allowed attempt, for all accounts with failures. */
async function setNextAttempt(after: string): Promise<void> {
  await aisle.db.query('update failed_attempts set blocked_until = now() + $1::interval', [after]);
}

async function countFailures(email: string): Promise<number> {
  const [row] = await aisle.db.query<{ failures: number }>('select failures from failed_attempts where account = $1', [
    emailAccount(email),
  ]);
  return row?.failures ?? 0;
}

/** The delay after the last failure of this user. */
async function secondsToNextAttempt(email: string): Promise<number> {
  const [row] = await aisle.db.query<{ seconds: number }>(
    'select extract(epoch from blocked_until - last_failed_at)::float8 as seconds from failed_attempts where account = $1',
    [emailAccount(email)],
  );
  return Math.round(row?.seconds ?? -1);
}

test('guessing invitation links is delayed, and does not affect another address', async () => {
  const chain = await makeChain(aisle);
  const owner = await makeUser(aisle, chain.chainId);
  const path = `${chain.base}/users/${owner.user_id}/invitation`;
  const { body } = await aisle.call('POST', path, { token: owner.session });
  const token = new URL(body.invitation.url).hash.slice(1);
  const read = (sent: string, from: string) =>
    aisle.call('POST', '/v2/portal/invitation/read', { body: { token: sent }, headers: { 'x-forwarded-for': from } });
  for (let tries = 0; tries < 5; tries++) {
    assertProblem(await read(`aisle_invite_${tries}`, '203.0.113.99'), 'invitation_not_found');
  }
  await setNextAttempt('1 hour');
  assertProblem(await read(token, '203.0.113.99'), 'rate_limited');
  assert.equal((await read(token, home)).status, 200);
});
