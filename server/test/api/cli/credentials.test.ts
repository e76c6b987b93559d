import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { createCli } from '../../support/cli.ts';
import { listen } from '../../support/sdk.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle, { isSandbox: true });
const url = await listen(aisle);
const store = String(chain.vendors[0]);

test('login checks the token, stores it in a file that only the user can read, and later commands use it', async () => {
  const cli = createCli({});
  const wrong = await cli.run(['login', '--url', url], { input: 'aisle_live_wrong\n' });
  assert.equal(wrong.exitCode, 3);
  assert.match(wrong.stderr, /Error: .*token/i);
  assert.equal((await cli.run(['whoami'])).exitCode, 3, 'nothing was stored');

  const login = await cli.run(['login', '--url', url, '--store', store], { input: `${chain.token}\n` });
  assert.deepEqual([login.exitCode, login.stdout.startsWith('✓ Logged in to ')], [0, true]);
  assert.ok(!login.stdout.includes(chain.token) && !login.stderr.includes(chain.token));
  const file = join(cli.folder, 'config/config.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).profiles.default.token, chain.token);
  const who = await cli.run(['whoami', '--json']);
  assert.equal(JSON.parse(who.stdout).chain.chain_id, chain.chainId);
});

test('login --platform-token also checks and stores a platform token, which simulate uses', async () => {
  const cli = createCli({});
  const args = ['login', '--url', url, '--platform-token'];
  const wrong = await cli.run(args, { input: `${chain.token}\n${chain.token}\n` });
  assert.equal(wrong.exitCode, 3);
  const without = await cli.run(['simulate'], { env: { AISLE_URL: url, AISLE_TOKEN: chain.token } });
  assert.deepEqual([without.exitCode, /needs a platform token/.test(without.stderr)], [3, true]);
  const login = await cli.run(args, { input: `${chain.token}\n${aisle.platformToken}\n` });
  assert.equal(login.exitCode, 0, login.stderr);
  const file = JSON.parse(readFileSync(join(cli.folder, 'config/config.json'), 'utf8'));
  assert.equal(file.profiles.default.platform_token, aisle.platformToken);
  const simulated = await cli.run(['simulate', '--stores', '1', '--duration', '5s']);
  assert.equal(simulated.exitCode, 0, simulated.stdout + simulated.stderr);
  assert.match(simulated.stdout, /\d+ of 50 planned orders sent[^]*✓ 0 violations/);
});

test('profiles keep several credentials apart', async () => {
  const cli = createCli({});
  for (const name of ['one', 'two']) {
    await cli.run(['login', '--profile', name, '--url', url], { env: { AISLE_TOKEN: chain.token } });
  }
  const list = JSON.parse((await cli.run(['profile', 'list', '--json'])).stdout);
  assert.deepEqual(
    list.map((one: { name: string; is_current: boolean }) => [one.name, one.is_current]),
    [
      ['one', false],
      ['two', true],
    ],
  );
  assert.equal((await cli.run(['profile', 'use', 'one'])).exitCode, 0);
  assert.equal((await cli.run(['profile', 'set-store', store])).exitCode, 0);
  assert.equal((await cli.run(['profile', 'set-store', 'nowhere'])).exitCode, 4);
  assert.match((await cli.run(['whoami'])).stdout, new RegExp(`Default store +${store}`));
  assert.equal((await cli.run(['profile', 'remove', 'one'])).exitCode, 0);
  const missing = await cli.run(['whoami', '--profile', 'one']);
  assert.equal(missing.exitCode, 2);
  assert.match(missing.stderr, /There is no profile named one\.\nProfiles: two/);
});

test('--demo takes the credentials from data/demo.json in this folder or above', async () => {
  const cli = createCli({});
  const none = await cli.run(['whoami', '--demo']);
  assert.deepEqual([none.exitCode, /npm start/.test(none.stderr)], [3, true]);
  mkdirSync(join(cli.folder, 'data'));
  const demo = { base_url: url, chain_id: chain.chainId, api_token: chain.token, platform_token: '', vendors: [] };
  writeFileSync(join(cli.folder, 'data/demo.json'), JSON.stringify(demo));
  assert.match((await cli.run(['whoami', '--demo'])).stdout, /from demo/);
});

test('a stored token is never sent to another server', async () => {
  const cli = createCli({});
  await cli.run(['login', '--url', url], { env: { AISLE_TOKEN: chain.token } });
  const other = await cli.run(['whoami', '--url', 'http://127.0.0.1:9']);
  assert.equal(other.exitCode, 2);
  assert.match(other.stderr, /belong to http:\/\/127\.0\.0\.1:\d+, not to/);
});

test('errors are explained without a stack trace, and are JSON with --json', async () => {
  const cli = createCli({ AISLE_URL: url, AISLE_TOKEN: chain.token });
  const bad = await cli.run(['trigger', 'order.received', '--set', 'items.0.sku=NOPE', '--store', store]);
  assert.equal(bad.exitCode, 2);
  assert.match(bad.stderr, /^Error: .*\/items/);
  assert.doesNotMatch(bad.stderr, /at .*\.ts:\d+/);
  const json = await cli.run(['jobs', 'watch', '0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4', '--json']);
  assert.deepEqual([json.exitCode, json.stdout], [4, '']);
  assert.equal(JSON.parse(json.stderr).code, 'job_not_found');
  const unreachable = await cli.run(['whoami'], { env: { AISLE_URL: 'http://127.0.0.1:9999' } });
  assert.equal(unreachable.exitCode, 6);
  assert.match(unreachable.stderr, /There was no response from the server: connect ECONNREFUSED/);
});

test('a config file that was damaged is reported with its path', async () => {
  const cli = createCli({});
  mkdirSync(join(cli.folder, 'config'));
  writeFileSync(join(cli.folder, 'config/config.json'), '{');
  const { exitCode, stderr } = await cli.run(['whoami']);
  assert.equal(exitCode, 1);
  assert.match(stderr, /config\.json is not valid JSON/);
});
