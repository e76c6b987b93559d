import assert from 'node:assert/strict';
import { randomBytes, scryptSync } from 'node:crypto';
import test from 'node:test';
import { insertSession } from '../../../src/identity/session-queries.ts';
import type { Tx } from '../../../src/kernel/database/db.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { type Response, makeChain, makeUser, useOwnAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';
import { codeFor, setUpSecondFactor, startSecondFactor, type TestUser } from '../../support/second-factor.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle({ AISLE_PASSWORD_COST: '11' });
const { chainId } = await makeChain(aisle);

test('a sign-in with the old password fails if the password is changed while it is being checked', async () => {
  const user = await makeUser(aisle, chainId);
  const replaced = hashOf('a new password');
  const response = await signInDuring(user, (tx) => setHash(tx, user, replaced));
  assertProblem(response, 'invalid_credentials');
  assert.equal(await readHash(user), replaced);
});

test('a sign-in that rehashes the old password does not replace a new one', async () => {
  const user = await makeUser(aisle, chainId);
  await aisle.db.transaction((tx) => setHash(tx, user, hashOf(user.password, 1024)));
  const replaced = hashOf('a new password');
  const response = await signInDuring(user, (tx) => setHash(tx, user, replaced));
  assertProblem(response, 'invalid_credentials');
  assert.equal(await readHash(user), replaced);
});

test('two sign-ins that rehash the password at the same time both succeed', async () => {
  const user = await makeUser(aisle, chainId);
  const salt = randomBytes(16);
  await aisle.db.transaction((tx) => setHash(tx, user, hashOf(user.password, 1024, salt)));
  const response = await signInDuring(user, (tx) => setHash(tx, user, hashOf(user.password, 2048, salt)));
  assert.equal(response.status, 201, response.text);
});

test('a sign-in of a user who is deleted while the password is being checked returns 401, not 500', async () => {
  const user = await makeUser(aisle, chainId, 'VIEWER');
  const sql = 'delete from users where chain_id = $1 and user_id = $2';
  assertProblem(await signInDuring(user, (tx) => tx.query(sql, [chainId, user.user_id])), 'invalid_credentials');
});

test('a sign-in without a code fails if the second factor is turned on while the password is being checked', async () => {
  const user = await makeUser(aisle, chainId);
  await startSecondFactor(aisle, user);
  const response = await signInDuring(user, async (tx) => {
    await lockUser(tx, user);
    await tx.query('update second_factors set confirmed_at = now() where chain_id = $1 and user_id = $2', [
      chainId,
      user.user_id,
    ]);
  });
  assertProblem(response, 'second_factor_required');
});

test('turning on the second factor ends the session of a sign-in at the same time', async () => {
  const user = await makeUser(aisle, chainId);
  const secret = await startSecondFactor(aisle, user);
  const body = { code: codeFor(secret) };
  const confirmed = await callDuring(
    () => aisle.call('POST', '/v2/portal/second-factor/confirm', { token: user.session, body }),
    (tx) => openSession(tx, user),
  );
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.equal(await countSessions(user), 1);
});

test('resetting the second factor ends the session of a sign-in at the same time', async () => {
  const owner = await makeUser(aisle, chainId);
  const user = await makeUser(aisle, chainId);
  await setUpSecondFactor(aisle, user);
  const path = `/v2/chains/${chainId}/users/${user.user_id}/second-factor`;
  const reset = await callDuring(
    () => aisle.call('DELETE', path, { token: owner.session }),
    (tx) => openSession(tx, user),
  );
  assert.equal(reset.status, 200, reset.text);
  assert.equal(await countSessions(user), 0);
});

test('a sign-in with a code fails with invalid_credentials if the second factor is turned off meanwhile', async () => {
  const user = await makeUser(aisle, chainId);
  const { recoveryCodes } = await setUpSecondFactor(aisle, user);
  const sql = 'delete from second_factors where chain_id = $1 and user_id = $2';
  const turnOff = (tx: Tx) => tx.query(sql, [chainId, user.user_id]);
  const response = await signInDuring({ ...user, code: recoveryCodes[0] }, turnOff);
  assertProblem(response, 'invalid_credentials');
});

test('a user who is deleted while setting up a second factor or changing the password gets 401, not 500', async () => {
  const deleted = 'delete from users where chain_id = $1 and user_id = $2';
  const requests: [method: string, path: string, body: (password: string) => object][] = [
    ['POST', '/v2/portal/second-factor', (password) => ({ password })],
    [
      'PUT',
      '/v2/portal/session/password',
      (password) => ({ current_password: password, new_password: 'eight green barges' }),
    ],
  ];
  for (const [method, path, body] of requests) {
    const user = await makeUser(aisle, chainId, 'VIEWER');
    const response = await callDuring(
      () => aisle.call(method, path, { token: user.session, body: body(user.password) }),
      (tx) => tx.query(deleted, [chainId, user.user_id]),
    );
    assert.equal(response.status, 401, `${path}: ${response.text}`);
  }
});

test('an invitation that is accepted while the password is reset waits for the reset, and is void after it', async () => {
  const owner = await makeUser(aisle, chainId);
  const user = await makeUser(aisle, chainId);
  const invited = await aisle.call('POST', `/v2/chains/${chainId}/users/${user.user_id}/invitation`, {
    token: owner.session,
  });
  const body = { token: new URL(invited.body.invitation.url).hash.slice(1), password: 'eight green barges' };
  const where = 'where chain_id = $1 and user_id = $2';
  const replaced = hashOf('a new password');
  const response = await callDuring(
    () => aisle.call('POST', '/v2/portal/invitation', { body }),
    (tx) => setHash(tx, user, replaced),
    async (tx) => {
      await tx.query(`select 1 from invitations ${where} for update nowait`, [chainId, user.user_id]);
      await tx.query(`delete from invitations ${where}`, [chainId, user.user_id]);
    },
  );
  assertProblem(response, 'invitation_not_found');
  assert.equal(await readHash(user), replaced);
});

function signInDuring(
  { email, password, code }: TestUser & { code?: string | undefined },
  change: (tx: Tx) => Promise<unknown>,
): Promise<Response> {
  return callDuring(() => aisle.call('POST', '/v2/portal/session', { body: { email, password, code } }), change);
}

/** Sends a request while a transaction has made a change, which is committed when the request waits for it, or ends. */
function callDuring(
  call: () => Promise<Response>,
  change: (tx: Tx) => Promise<unknown>,
  changeMore: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<Response> {
  let hasEnded = false;
  return aisle.db
    .transaction(async (tx) => {
      await change(tx);
      const calling = call().finally(() => {
        hasEnded = true;
      });
      await waitFor('the request to wait for the change', async () => hasEnded || (await isBlocked()), 30);
      await changeMore(tx);
      return { calling };
    })
    .then(({ calling }) => calling);
}

async function isBlocked(): Promise<boolean> {
  const sql = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return (await aisle.db.query(sql)).length > 0;
}

function lockUser(tx: Tx, { user_id }: TestUser): Promise<unknown> {
  return tx.query('update users set last_sign_in_at = now() where chain_id = $1 and user_id = $2', [chainId, user_id]);
}

/** Does what a sign-in does. */
async function openSession(tx: Tx, user: TestUser): Promise<void> {
  await lockUser(tx, user);
  const session = { hash: randomBytes(32), session_id: newId(), hours: 1, address: '192.0.2.1', device: null };
  await insertSession(tx, chainId, user.user_id, session);
}

async function countSessions({ user_id }: TestUser): Promise<number> {
  const sql = 'select 1 from sessions where chain_id = $1 and user_id = $2';
  return (await aisle.db.query(sql, [chainId, user_id])).length;
}

function setHash(tx: Tx, { user_id }: TestUser, hash: string): Promise<unknown> {
  return tx.query('update users set password_hash = $3 where chain_id = $1 and user_id = $2', [chainId, user_id, hash]);
}

async function readHash({ user_id }: TestUser): Promise<string | undefined> {
  const sql = 'select password_hash from users where chain_id = $1 and user_id = $2';
  return (await aisle.db.query<{ password_hash: string }>(sql, [chainId, user_id]))[0]?.password_hash;
}

function hashOf(password: string, N = 2048, salt = randomBytes(16)): string {
  const hash = scryptSync(password, salt, 32, { N, r: 8, p: 1 });
  return ['scrypt', N, 8, 1, salt.toString('base64'), hash.toString('base64')].join('$');
}
