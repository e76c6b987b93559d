import assert from 'node:assert/strict';
import test from 'node:test';
import { callerFor, makeChain, makeToken, useOwnAisle } from '../../support/aisle.ts';

const aisle = await useOwnAisle({ AISLE_MAX_SFTP_USERS: '100' });
const chain = await makeChain(aisle, { vendors: 2 });
const call = callerFor(aisle, chain);
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO2ESGccYBd+qZVvsSWP/KhPXNXCXf1iloPzFe/o5do8 first';

test('an SFTP user gets a login name with a suffix and a password that is shown once', async () => {
  const created = await call('POST', '/sftp-users', { body: { name: 'back-office' } });
  assert.equal(created.status, 201);
  assert.match(created.body.username, /^back-office-[0-9a-z]{6}$/);
  assert.match(created.body.password, /^\w{16}$/);
  assert.deepEqual(created.body.scopes, ['catalog:read', 'catalog:write', 'promotions:read', 'promotions:write']);
  const { password, ...rest } = created.body;
  const found = await call('GET', `/sftp-users/${created.body.sftp_user_id}`);
  assert.deepEqual(found.body, rest);
  const listed = await call('GET', '/sftp-users');
  assert.ok(listed.body.sftp_users.some((user: { username: string }) => user.username === rest.username));
  assert.ok(!listed.text.includes(password));
  assert.ok(!JSON.stringify(await aisle.db.query('select * from sftp_users')).includes(password));
});

test('two users can have the same name, in the same chain or in different chains', async () => {
  const other = await makeChain(aisle);
  const body = { name: 'nightly' };
  const first = await call('POST', '/sftp-users', { body });
  const second = await call('POST', '/sftp-users', { body });
  const third = await callerFor(aisle, other)('POST', '/sftp-users', { body });
  assert.equal(new Set([first, second, third].map((response) => response.body.username)).size, 3);
});

test('public keys are added, shown with their fingerprint and removed', async () => {
  const { body: user } = await call('POST', '/sftp-users', { body: { name: 'keys' } });
  const path = `/sftp-users/${user.sftp_user_id}`;
  const added = await call('POST', `${path}/public-keys`, { body: { public_key: key } });
  assert.equal(added.status, 201);
  const [shown] = added.body.public_keys;
  assert.equal(shown.fingerprint, 'SHA256:3DrynrQuyzX15rz8wNxfAwLLgEJLZXcQ6H2n1tb9jLQ');
  assert.equal(shown.comment, 'first');
  const again = await call('POST', `${path}/public-keys`, { body: { public_key: key.replace('first', 'renamed') } });
  assert.deepEqual(again.body.public_keys, [{ ...shown, comment: 'renamed' }]);
  const removed = await call('DELETE', `${path}/public-keys/${shown.key_id}`);
  assert.deepEqual(removed.body.public_keys, []);
  assert.equal((await call('DELETE', `${path}/public-keys/${shown.key_id}`)).body.code, 'public_key_not_found');
});

test('a user that could not log in, without a password and without a key, is not created', async () => {
  for (const keys of [{}, { public_keys: [] }]) {
    const body = { name: 'useless', password_login: false, ...keys };
    const { status, body: problem } = await call('POST', '/sftp-users', { body });
    assert.deepEqual([status, problem.errors[0].pointer], [400, '/public_keys']);
    assert.match(problem.errors[0].message, /at least one key if password_login is false/);
  }
  const body = { name: 'useful', password_login: false, public_keys: [key] };
  const { status, body: created } = await call('POST', '/sftp-users', { body });
  assert.deepEqual([status, created.password], [201, undefined]);
});

test('a bad public key is rejected with its position and the reason', async () => {
  const body = { name: 'bad', public_keys: [key, 'ssh-ed25519 nonsense!'] };
  const response = await call('POST', '/sftp-users', { body });
  assert.equal(response.status, 400);
  assert.equal(response.body.errors[0].pointer, '/public_keys/1');
  assert.match(response.body.errors[0].message, /OpenSSH format/);
});

test('a name that cannot be part of a login name is rejected', async () => {
  for (const name of ['Back', '-x', 'a b', 'ä', '', 'x'.repeat(33), '../etc']) {
    const response = await call('POST', '/sftp-users', { body: { name } });
    assert.equal(response.status, 400, name);
    assert.equal(response.body.errors[0].pointer, '/name');
  }
});

test('the password can be deleted and reset', async () => {
  const { body: user } = await call('POST', '/sftp-users', { body: { name: 'reset' } });
  const path = `/sftp-users/${user.sftp_user_id}`;
  const without = await call('PATCH', path, { body: { password_login: false } });
  assert.equal(without.body.password_login, false);
  const refused = await call('PATCH', path, { body: { password_login: true } });
  assert.equal(refused.body.errors[0].pointer, '/password_login');
  const reset = await call('POST', `${path}/reset-password`);
  assert.equal(reset.body.password_login, true);
  assert.notEqual(reset.body.password, user.password);
});

test('access can be limited and extended', async () => {
  const { body: user } = await call('POST', '/sftp-users', {
    body: { name: 'limits', vendor_ids: [chain.vendors[0]] },
  });
  assert.deepEqual(user.vendor_ids, [chain.vendors[0]]);
  const body = { vendor_ids: null, scopes: ['catalog:read'] };
  const changed = await call('PATCH', `/sftp-users/${user.sftp_user_id}`, { body });
  assert.equal(changed.body.vendor_ids, null);
  assert.deepEqual(changed.body.scopes, ['catalog:read']);
  const unknown = await call('PATCH', `/sftp-users/${user.sftp_user_id}`, { body: { vendor_ids: ['nowhere'] } });
  assert.equal(unknown.body.errors[0].pointer, '/vendor_ids/0');
});

test('a token cannot grant more access than it has, or take over a user with more', async () => {
  const [vendor = ''] = chain.vendors;
  const { body: full } = await call('POST', '/sftp-users', { body: { name: 'full' } });
  const narrow = callerFor(aisle, chain, await makeToken(aisle, chain.chainId, { scopes: ['manage', 'catalog:read'] }));
  const limited = callerFor(
    aisle,
    chain,
    await makeToken(aisle, chain.chainId, { scopes: ['manage', 'catalog:write'], vendor_ids: [vendor] }),
  );
  const path = `/sftp-users/${full.sftp_user_id}`;
  const attempts = [
    narrow('POST', '/sftp-users', { body: { name: 'more', scopes: ['catalog:write'] } }),
    narrow('POST', `${path}/reset-password`),
    narrow('POST', `${path}/public-keys`, { body: { public_key: key } }),
    narrow('PATCH', path, { body: { vendor_ids: null } }),
    limited('POST', '/sftp-users', { body: { name: 'everywhere' } }),
    limited('POST', '/sftp-users', { body: { name: 'elsewhere', vendor_ids: [chain.vendors[1]] } }),
  ];
  for (const response of await Promise.all(attempts)) assert.equal(response.body.code, 'forbidden');
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await limited(method, path)).body.code, 'sftp_user_not_found');
  }
  assert.deepEqual((await narrow('POST', '/sftp-users', { body: { name: 'same' } })).body.scopes, ['catalog:read']);
  const own = await limited('POST', '/sftp-users', { body: { name: 'own', vendor_ids: [vendor] } });
  assert.equal(own.status, 201);
  assert.equal(
    (await limited('PATCH', `/sftp-users/${own.body.sftp_user_id}`, { body: { vendor_ids: null } })).status,
    403,
  );
  const listed = await limited('GET', '/sftp-users');
  assert.ok(
    listed.body.sftp_users.every((user: { vendor_ids: string[] | null }) => user.vendor_ids?.join() === vendor),
  );
});

test('a token that expires cannot create an SFTP user', async () => {
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const token = await makeToken(aisle, chain.chainId, { scopes: ['manage', 'catalog:read'], expires_at: expires });
  const response = await callerFor(aisle, chain, token)('POST', '/sftp-users', { body: { name: 'short' } });
  assert.equal(response.status, 403);
  assert.match(response.body.detail, /SFTP users do not expire/);
});

test('a chain has a maximum number of SFTP users, and a user a maximum number of keys', async () => {
  const small = await aisle.another({ AISLE_MAX_SFTP_USERS: '1' }, 'api');
  try {
    const other = await makeChain(aisle);
    const callOther = callerFor(small, other);
    const { body: user } = await callOther('POST', '/sftp-users', { body: { name: 'first' } });
    const refused = await callOther('POST', '/sftp-users', { body: { name: 'second' } });
    assert.equal(refused.body.code, 'sftp_user_limit_reached');
    await aisle.db.query(
      `insert into sftp_public_keys (chain_id, sftp_user_id, key_id, type, key, fingerprint, comment)
       select $1, $2, gen_random_uuid(), 'ssh-ed25519', '', 'SHA256:' || n, '' from generate_series(1, 20) n`,
      [other.chainId, user.sftp_user_id],
    );
    const full = await callOther('POST', `/sftp-users/${user.sftp_user_id}/public-keys`, { body: { public_key: key } });
    assert.equal(full.body.code, 'public_key_limit_reached');
  } finally {
    await small.stop();
  }
});

test('a deleted user is no longer found', async () => {
  const { body: user } = await call('POST', '/sftp-users', { body: { name: 'gone', public_keys: [key] } });
  const path = `/sftp-users/${user.sftp_user_id}`;
  assert.equal((await call('DELETE', path)).body.username, user.username);
  assert.equal((await call('GET', path)).body.code, 'sftp_user_not_found');
  assert.equal((await call('DELETE', path)).body.code, 'sftp_user_not_found');
});
