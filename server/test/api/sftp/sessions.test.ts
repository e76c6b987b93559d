import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import ssh2 from 'ssh2';
import { generateKey } from '../../../src/sftp/index.ts';
import { fingerprintOf } from '../../../src/sftp/rules/public-key.ts';
import { callerFor, makeChain, type TestAisle } from '../../support/aisle.ts';
import { holdLocks } from '../../support/lock-waits.ts';
import {
  connectSftp,
  connectSsh,
  hostKey,
  listenForSftp,
  makeSftpUser,
  promised,
  useSftp,
} from '../../support/sftp.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useSftp();
const chain = await makeChain(aisle);
const call = callerFor(aisle, chain);
const refused = /All configured authentication methods failed/;

test('the API shows the address and the fingerprint that clients see', async () => {
  const shown = await call('GET', '/sftp-server');
  const key = ssh2.utils.parseKey(hostKey);
  assert.ok(!(key instanceof Error) && !Array.isArray(key));
  assert.deepEqual(shown.body, {
    enabled: true,
    host: 'aisle.test',
    port: aisle.port,
    host_keys: [{ type: 'ssh-ed25519', fingerprint: aisle.aisle.sftp?.fingerprint }],
  });
});

test('a user can log in only with the right password', async () => {
  const user = await makeSftpUser(aisle, chain);
  const sftp = await connectSftp(aisle.port, user);
  assert.deepEqual(await sftp.list('/'), ['catalog', 'products', 'promotions', 'exports', 'results']);
  await sftp.end();
  const found = await call('GET', `/sftp-users/${user.sftp_user_id}`);
  assert.notEqual(found.body.last_login_at, null);
  for (const login of [
    { ...user, password: 'wrong' },
    { ...user, username: 'test-unknown' },
    { ...user, username: 'x\0y' },
  ]) {
    await assert.rejects(connectSsh(aisle.port, login), refused);
  }
  const failures = aisle.logged.filter((line) => line.includes('sftp.login_failed'));
  assert.equal(failures.length, 3);
  assert.ok(!aisle.logged.some((line) => line.includes(user.password)));
});

test('a user can log in with each of the allowed key types', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
  const keys = [
    generateKey(),
    ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private,
    ssh2.utils.generateKeyPairSync('ecdsa', { bits: 521 }).private,
    String(rsa),
  ];
  const user = await makeSftpUser(aisle, chain, { password_login: false, public_keys: keys.map(publicLine) });
  for (const privateKey of keys) {
    const sftp = await connectSftp(aisle.port, { username: user.username }, { privateKey });
    await sftp.end();
  }
  const other = generateKey();
  await assert.rejects(connectSsh(aisle.port, { username: user.username }, { privateKey: other }), refused);
  await assert.rejects(connectSsh(aisle.port, { username: user.username, password: 'any' }), refused);
});

test('a stored key whose signatures take long to check cannot be used', async () => {
  const {
    d = '',
    e = '',
    ...rest
  } = generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey.export({
    format: 'jwk',
  });
  const swapped = createPrivateKey({ key: { ...rest, d: e, e: d, dp: e, dq: e }, format: 'jwk' });
  const privateKey = String(swapped.export({ type: 'pkcs1', format: 'pem' }));
  const user = await makeSftpUser(aisle, chain, { public_keys: [publicLine(generateKey())] });
  await aisle.db.query('update sftp_public_keys set fingerprint = $3 where chain_id = $1 and sftp_user_id = $2', [
    chain.chainId,
    user.sftp_user_id,
    fingerprintOf(Buffer.from(publicLine(privateKey).split(' ')[1] ?? '', 'base64')),
  ]);
  await assert.rejects(connectSsh(aisle.port, { username: user.username }, { privateKey }), refused);
  assert.ok(aisle.logged.some((line) => line.includes('unusual public exponent')));
});

test('a public key is rejected if the client signs with a different private key', async () => {
  const own = generateKey();
  const user = await makeSftpUser(aisle, chain, { public_keys: [publicLine(own)] });
  const forged = ssh2.utils.parseKey(own);
  const other = ssh2.utils.parseKey(generateKey());
  assert.ok(!(forged instanceof Error) && !(other instanceof Error) && !Array.isArray(forged) && !Array.isArray(other));
  forged.sign = other.sign.bind(other);
  const authHandler = [{ type: 'publickey' as const, username: user.username, key: forged }];
  await assert.rejects(connectSsh(aisle.port, { username: user.username }, { authHandler }), refused);
  assert.ok(aisle.logged.some((line) => line.includes('wrong signature')));
});

const changes: Record<string, (path: string) => Promise<unknown>> = {
  'the user is deleted': (path) => call('DELETE', path),
  'the password is reset': (path) => call('POST', `${path}/reset-password`),
  'the scopes change': (path) => call('PATCH', path, { body: { scopes: ['catalog:read'] } }),
  'a key is added': (path) => {
    const key = generateKey();
    return call('POST', `${path}/public-keys`, { body: { public_key: publicLine(key) } });
  },
};
for (const [what, change] of Object.entries(changes)) {
  test(`open sessions are closed when ${what}`, async () => {
    const user = await makeSftpUser(aisle, chain);
    const other = await makeSftpUser(aisle, chain);
    const sftp = await connectSftp(aisle.port, user);
    const unaffected = await connectSftp(aisle.port, other);
    const closed = once(sftp.client, 'close');
    await change(`/sftp-users/${user.sftp_user_id}`);
    await closed;
    assert.ok((await unaffected.list('/')).length > 0);
    await unaffected.end();
  });
}

test('a session in another process is closed when the user is deleted', async () => {
  await withAnother({}, async (second, port) => {
    const user = await makeSftpUser(aisle, chain);
    const sftp = await connectSftp(port, user);
    const closed = once(sftp.client, 'close');
    await call('DELETE', `/sftp-users/${user.sftp_user_id}`);
    await closed;
    await waitFor('the log line', () => second.logged.some((line) => line.includes('"reason":"user changed"')), 30);
  });
});

test('after failed logins, the account is blocked for a while at that address', async () => {
  await withAnother({ AISLE_RATE_LIMITS: 'on' }, async (limited, port) => {
    const user = await makeSftpUser(aisle, chain);
    for (let failures = 0; failures < 6; failures++) {
      await assert.rejects(connectSsh(port, { ...user, password: 'guess' }));
    }
    // The first delays are shorter than the time that a slow machine needs for a login.
    const extended = await aisle.db.query(
      `update failed_attempts set blocked_until = now() + interval '1 hour'
       where account like 'sftp %' and failures >= 6 returning 1`,
    );
    assert.equal(extended.length, 1);
    await assert.rejects(connectSsh(port, user));
    assert.ok(limited.logged.some((line) => line.includes('have failed from this address')));
    const other = await makeSftpUser(aisle, chain);
    await (await connectSftp(port, other)).end();
  });
});

test('a chain has a maximum number of connections', async () => {
  await withAnother({ AISLE_SFTP_CHAIN_CONNECTIONS: '1' }, async (_, port) => {
    const user = await makeSftpUser(aisle, chain);
    const first = await connectSftp(port, user);
    await assert.rejects(connectSsh(port, user));
    const other = await makeChain(aisle);
    await (await connectSftp(port, await makeSftpUser(aisle, other))).end();
    await first.end();
    const canConnect = async () => (await connectSftp(port, user).catch(() => undefined)) !== undefined;
    await waitFor('a free connection', canConnect, 30);
  });
});

test('an address has a maximum number of connections, including those that have not logged in', async () => {
  await withAnother({ AISLE_SFTP_ADDRESS_CONNECTIONS: '2' }, async (limited, port) => {
    const sockets = [1, 2, 3].map(() =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    await waitFor('a closed socket', () => sockets.some((socket) => socket.closed), 30);
    assert.ok(limited.logged.some((line) => line.includes('too many connections')));
    for (const socket of sockets) socket.destroy();
  });
});

test('a connection is closed if it does not log in in time, or if it is idle', async () => {
  await withAnother({ AISLE_SFTP_LOGIN_SECONDS: '1', AISLE_SFTP_IDLE_SECONDS: '2' }, async (_, port) => {
    const socket = connect(port, '127.0.0.1');
    socket.resume();
    const user = await makeSftpUser(aisle, chain);
    const sftp = await connectSftp(port, user);
    await Promise.all([once(socket, 'close'), once(sftp.client, 'close')]);
  });
});

test('a shutdown ends idle sessions at once and waits for uploads', async () => {
  const second = await aisle.another();
  const port = await listenForSftp(second);
  const user = await makeSftpUser(aisle, chain);
  const idle = await connectSftp(port, user);
  const busy = await connectSftp(port, user);
  const handle = await busy.open('/catalog/all/during-stop.csv', 'w');
  const ended = once(idle.client, 'close');
  const stopped = second.stop();
  await ended;
  await busy.write(handle, Buffer.from('sku,price\nA,1\n'), 0);
  await assert.rejects(busy.open('/catalog/all/too-late.csv', 'w'), /shutting down/);
  await busy.close(handle);
  await stopped;
  const files = await call('GET', '/files');
  assert.ok(files.body.files.some((file: { name: string }) => file.name === 'during-stop.csv'));
});

test('sessions, logins, files and bytes are counted', async () => {
  const sftp = await connectSftp(aisle.port, await makeSftpUser(aisle, chain));
  await sftp.put('/products/counted.csv', 'sku\n1\n');
  const { text } = await aisle.call('GET', '/metrics');
  assert.match(text, /aisle_sftp_sessions [1-9]/);
  assert.match(text, /aisle_sftp_logins_total\{method="password",outcome="accepted"\} [1-9]/);
  assert.match(text, /aisle_sftp_logins_total\{method="password",outcome="rejected"\} [1-9]/);
  assert.match(text, /aisle_sftp_files_total\{outcome="accepted"\} [1-9]/);
  assert.match(text, /aisle_sftp_bytes_total\{direction="received"\} [1-9]/);
  await sftp.end();
});

test('a session needs the SFTP subsystem; everything else is refused and logged', async () => {
  const client = await connectSsh(aisle.port, await makeSftpUser(aisle, chain));
  await assert.rejects(
    promised((done) => client.exec('id', done)),
    /Unable to exec/,
  );
  await assert.rejects(
    promised((done) => client.shell(false, done)),
    /Unable to open shell/,
  );
  await assert.rejects(
    promised((done) => client.subsys('netconf', done)),
    /Unable to start subsystem/,
  );
  await assert.rejects(
    promised((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, done)),
    /Channel open failure/,
  );
  await assert.rejects(
    promised((done) => client.forwardIn('127.0.0.1', 0, done)),
    /Unable to bind/,
  );
  client.end();
  for (const request of ['exec', 'shell', 'subsystem', 'tcpip', 'forwarding']) {
    assert.ok(
      aisle.logged.some((line) => line.includes(`"request":"${request}"`)),
      request,
    );
  }
});

test('a client that supports only outdated algorithms cannot connect', async () => {
  const user = await makeSftpUser(aisle, chain);
  for (const algorithms of [
    { cipher: ['aes128-cbc' as const] },
    { kex: ['diffie-hellman-group14-sha1' as const] },
    // Each of these handshakes would block the process for a while.
    { kex: ['diffie-hellman-group16-sha512' as const, 'diffie-hellman-group18-sha512' as const] },
    { hmac: ['hmac-sha1' as const], cipher: ['aes128-ctr' as const] },
  ]) {
    await assert.rejects(connectSsh(aisle.port, user, { algorithms }), /no matching/);
  }
});

/** Runs `work` with a second server on the same database. */
async function withAnother(
  environment: Record<string, string>,
  work: (second: TestAisle, port: number) => Promise<void>,
): Promise<void> {
  const second = await aisle.another({ AISLE_SHUTDOWN_SECONDS: '1', ...environment });
  try {
    await work(second, await listenForSftp(second));
  } finally {
    await second.stop();
  }
}

function publicLine(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error || Array.isArray(key)) throw new Error('The key cannot be parsed.');
  return `${key.type} ${key.getPublicSSH().toString('base64')} test`;
}

test('a chain that reads exports in many sessions at once leaves connections and processors for other chains', async () => {
  const user = await makeSftpUser(aisle, chain);
  const sessions = await Promise.all(Array.from({ length: 5 }, () => connectSftp(aisle.port, user)));
  const unlock = await holdLocks(aisle.db, 'lock table offers in access exclusive mode');
  const countExports = async () => {
    const rows = await aisle.db.query(
      "select 1 from pg_stat_activity where datname = current_database() and query ilike 'copy (%' and state = 'active'",
    );
    return rows.length;
  };
  const reading = sessions.map((sftp) => sftp.get(`/exports/${chain.vendors[0]}/catalog.csv`));
  const expected = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
  await waitFor('exports to wait for the lock', async () => (await countExports()) >= expected, 30);
  await sleep(200);
  assert.equal(await countExports(), expected);
  await unlock();
  assert.equal(new Set((await Promise.all(reading)).map(String)).size, 1);
  await Promise.all(sessions.map((sftp) => sftp.end()));
});
