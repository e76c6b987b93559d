import assert from 'node:assert/strict';
import { randomBytes, scryptSync } from 'node:crypto';
import test from 'node:test';
import { makeChain, makeUser, useOwnAisle } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const cost = '11';
const aisle = await useOwnAisle({ AISLE_PASSWORD_COST: cost });
const chain = await makeChain(aisle);
const owner = await makeUser(aisle, chain.chainId);

const weak = ['            ', 'weak.user@palm-grocer.example', 'password1234', 'Weak User 123', 'qwertyuiop12'];
const signIn = (body: unknown) => aisle.call('POST', '/v2/portal/session', { body });
const hashOf = async (userId: string) => {
  const sql = 'select password_hash from users where chain_id = $1 and user_id = $2';
  const [row] = await aisle.db.query<{ password_hash: string }>(sql, [chain.chainId, userId]);
  return String(row?.password_hash);
};

test('12 spaces, the email address and a common password are rejected as the password of a new user', async () => {
  const user = { email: 'weak.user@palm-grocer.example', name: 'Weak User', role: 'VIEWER' };
  const platformPath = `/platform/v1/chains/${chain.chainId}/users`;
  for (const password of weak) {
    const body = { ...user, password };
    const byOwner = await aisle.call('POST', `${chain.base}/users`, { token: owner.session, body });
    assertInvalid(byOwner, '/password');
    assert.equal(byOwner.body.errors[0].code, 'weak_password', password);
    assert.match(byOwner.body.errors[0].message, /is too easy to guess/);
    assertInvalid(await aisle.call('POST', platformPath, { token: aisle.platformToken, body }), '/password');
  }
  const body = { ...user, password: 'seven purple trams' };
  assert.equal((await aisle.call('POST', `${chain.base}/users`, { token: owner.session, body })).status, 201);
});

test('a weak password is rejected when a user changes their own password', async () => {
  const user = await makeUser(aisle, chain.chainId);
  const change = (new_password: string) =>
    aisle.call('PUT', '/v2/portal/session/password', {
      token: user.session,
      body: { current_password: user.password, new_password },
    });
  for (const password of ['            ', 'password1234', user.email]) {
    assertInvalid(await change(password), '/new_password');
  }
  assert.equal((await change('seven purple trams')).status, 200);
  assert.equal((await signIn({ email: user.email, password: 'seven purple trams' })).status, 201);
});

test('a caller who does not know the current password cannot have new passwords checked', async () => {
  const { session } = await makeUser(aisle, chain.chainId);
  const body = { current_password: 'not the right one', new_password: 'p4ssw0rd'.repeat(12) };
  const rejected = await aisle.call('PUT', '/v2/portal/session/password', { token: session, body });
  assertProblem(rejected, 'invalid_credentials');
  assert.equal(rejected.body.detail, 'The current password is wrong.');
});

test('a password hashed with older parameters is hashed again when the user signs in', async () => {
  const { user_id, email, password } = await makeUser(aisle, chain.chainId);
  const salt = randomBytes(16);
  const old = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
  await aisle.db.query('update users set password_hash = $3 where chain_id = $1 and user_id = $2', [
    chain.chainId,
    user_id,
    ['scrypt', 1024, 8, 1, salt.toString('base64'), old.toString('base64')].join('$'),
  ]);
  assertProblem(await signIn({ email, password: 'not the right one' }), 'invalid_credentials');
  assert.match(await hashOf(user_id), /^scrypt\$1024\$/);
  assert.equal((await signIn({ email, password })).status, 201);
  assert.match(await hashOf(user_id), /^scrypt\$2048\$8\$1\$/);
  assert.equal((await signIn({ email, password })).status, 201);
});

test('vendor_ids: null is rejected instead of granting access to all vendors', async () => {
  for (const path of ['tokens', 'clients']) {
    for (const [base, token] of [
      [chain.base, chain.token],
      [`/platform/v1/chains/${chain.chainId}`, aisle.platformToken],
    ]) {
      const refused = await aisle.call('POST', `${base}/${path}`, { token, body: { name: 'x', vendor_ids: null } });
      assertInvalid(refused, '/vendor_ids');
      assert.equal(
        refused.body.errors[0].message,
        'must be a list of vendor ids; leave it out to grant access to all vendors',
      );
    }
  }
});
