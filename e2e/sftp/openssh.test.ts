import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AisleClient } from '@aisle/sdk';
import type { DemoFile } from '../../server/src/demo/index.ts';
import { clientOf } from '../support/client.ts';
import { fillDataFolder } from '../support/data-folder.ts';
import { makeFolder } from '../support/folder.ts';
import { freePort, type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';

/** Runs the real OpenSSH client, which CI installs. Elsewhere, tests with ssh2's client cover the same code. */
const hasOpenSsh = spawnSync('sftp', ['-h']).error === undefined;
const { folder, remove } = makeFolder();
const bin = join(folder, 'bin');
const knownHosts = join(folder, 'known_hosts');
let aisle: Program;
let demo: DemoFile;
let client: AisleClient;

before(async () => {
  if (!hasOpenSsh) return;
  const environment = { AISLE_SFTP_PORT: String(await freePort()), AISLE_LOG_LEVEL: 'info' };
  fillDataFolder(join(folder, 'data'));
  aisle = await startProgram({ folder, environment });
  demo = JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8'));
  client = clientOf(aisle, { token: demo.api_token, chainId: demo.chain_id });
  mkdirSync(bin);
  writeScript('askpass', `echo '${demo.sftp.password}'`);
  const options = `-o StrictHostKeyChecking=accept-new -o UserKnownHostsFile='${knownHosts}' -F none`;
  for (const name of ['sftp', 'scp']) writeScript(name, `exec ${which(name)} ${options} "$@"`);
});
after(remove);

if (hasOpenSsh) {
  test('the commands in the README upload a price list and show the rows that failed', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const block = readme.split('```sh\n').find((text) => text.startsWith('SFTP=$(node'));
    const lines = (block?.split('```')[0] ?? '').trim().split('\n');
    assert.equal(lines.length, 4);
    const store = `STORE=${demo.vendors[0]?.vendor_id}`;
    await run([store, ...lines.slice(0, 3)].join('\n'));
    const result = await waitFor(60, 'the failed rows', () =>
      run([store, lines[0], lines[3]].join('\n')).catch(() => undefined),
    );
    assert.match(result, /^sku,price,.*reason/m);
    assert.match(result, /^"?MLK-99999"?,/m);
    assert.doesNotMatch(result, /^"?MLK-00012"?,/m);
  });

  test('the fingerprint in the terminal and in demo.json is the one that the client sees', () => {
    const { stdout } = spawnSync('ssh-keygen', ['-lf', knownHosts], { encoding: 'utf8' });
    const { fingerprint } = demo.sftp;
    assert.ok(fingerprint !== null && fingerprint.startsWith('SHA256:'));
    assert.ok(stdout.includes(fingerprint), stdout);
    assert.ok(aisle.stdout().includes(fingerprint));
  });

  test('scp uploads a file and downloads an export', async () => {
    writeFileSync(join(folder, 'stock.csv'), 'sku;quantity\r\nMLK-00012;41\r\n');
    const store = demo.vendors[0]?.external_id;
    await run(`scp -P ${demo.sftp.port} stock.csv ${target()}:/catalog/${store}/stock.csv`);
    await waitForFile('stock.csv');
    await run(`scp -P ${demo.sftp.port} ${target()}:/exports/${store}/catalog.csv export.csv`);
    assert.match(readFileSync(join(folder, 'export.csv'), 'utf8'), /^sku,[^]*MLK-00012/);
  });

  test('sftp lists folders, resumes with reput, keeps times with put -p, renames and removes', async () => {
    writeFileSync(join(folder, 'half.part'), 'sku,price\n');
    writeFileSync(join(folder, 'whole.part'), 'sku,price\nMLK-00010,9.5\n');
    const commands = ['ls -l /', 'ls /catalog', 'cd /products', 'pwd', 'get TEMPLATE.csv'];
    const uploads = [
      'cd /catalog/all',
      'put -p half.part p.part',
      'reput whole.part p.part',
      'ls -l',
      'rename p.part p.csv',
    ];
    const removal = ['put half.part gone.tmp', 'rm gone.tmp'];
    writeFileSync(join(folder, 'batch'), [...commands, ...uploads, ...removal].join('\n'));
    const output = await run(`sftp -P ${demo.sftp.port} -o BatchMode=no -b batch ${target()}`);
    assert.match(output, /dr-xr-xr-x.* results/);
    assert.match(output, /\/products/);
    const file = await waitForFile('p.csv');
    assert.equal(file.size, 24);
    assert.match(readFileSync(join(folder, 'TEMPLATE.csv'), 'utf8'), /^sku,/);
  });

  test('keys created by ssh-keygen work, including RSA keys', async () => {
    for (const type of ['ed25519', 'rsa']) {
      const file = join(folder, `id_${type}`);
      spawnSync('ssh-keygen', ['-q', '-t', type, '-b', '3072', '-N', '', '-C', 'e2e', '-f', file]);
      const body = { name: `key-${type}`, password_login: false, public_keys: [readFileSync(`${file}.pub`, 'utf8')] };
      const { username } = await client.createSftpUser({ body });
      const options = `-P ${demo.sftp.port} -i ${file} -o IdentitiesOnly=yes -o BatchMode=yes`;
      const output = await run(`echo ls | sftp ${options} ${username}@${demo.sftp.host}`);
      assert.match(output, /catalog/);
    }
  });

  test('the nightly script in the guide uploads a file, waits for its job and fails if rows were rejected', async () => {
    const guide = readFileSync(new URL('../../docs/guides/sftp.md', import.meta.url), 'utf8');
    const [, script = ''] = /```sh\n(#!\/bin\/bash\n[^]*?)```/.exec(guide) ?? [];
    const key = join(folder, 'id_nightly');
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const body = { name: 'nightly', password_login: false, public_keys: [readFileSync(`${key}.pub`, 'utf8')] };
    const { username } = await client.createSftpUser({ body });
    const store = demo.vendors[0]?.external_id;
    const nightly = (file: string) => {
      const values = { USERNAME: username, SERVER: demo.sftp.host, PORT: demo.sftp.port, KEY: key, STORE: store };
      const replaced = Object.entries({ ...values, FILE: file }).reduce(
        (text, [name, value]) => text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
        script.replace('sleep 10', 'sleep 0.5'),
      );
      return run(replaced);
    };
    writeFileSync(join(folder, 'good.csv'), 'sku,price\nMLK-00012,6.5\n');
    assert.match(await nightly('good.csv'), /^good\.csv,.*,COMPLETED,1,1,1,0,0,$/m);
    writeFileSync(join(folder, 'bad.csv'), 'sku,price\nMLK-00012,6.6\nMLK-99999,1\n');
    await assert.rejects(nightly('bad.csv'), /COMPLETED,2,1,1,0,1,[^]*MLK-99999,1,/);
    writeFileSync(join(folder, 'unreadable.csv'), 'shelf,price\n1,2\n');
    await assert.rejects(nightly('unreadable.csv'), /FAILED,0,1,0,0,0,[^]*Line 1, column 1: /);
  });

  test('ssh can neither open a shell nor run a command', async () => {
    const options = `-F none -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile='${knownHosts}'`;
    const command = `${which('ssh')} ${options} -p ${demo.sftp.port} ${target()} id`;
    await assert.rejects(run(command), /exec request failed|Command failed/);
  });
}

function target(): string {
  return `${demo.sftp.username}@${demo.sftp.host}`;
}

function which(name: string): string {
  return spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
}

function writeScript(name: string, line: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o700 });
}

/** Runs the commands in a shell. OpenSSH gets the demo's password from a script instead of a terminal. */
function run(script: string): Promise<string> {
  const env = {
    ...process.env,
    PATH: [bin, process.env['PATH']].join(delimiter),
    SSH_ASKPASS: join(bin, 'askpass'),
    SSH_ASKPASS_REQUIRE: 'force',
    DISPLAY: ':0',
  };
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', `set -e\n${script}`], { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout),
    );
  });
}

async function waitForFile(name: string): Promise<{ size: number }> {
  return waitFor(60, name, async () => {
    const { files } = await client.listFiles({ query: { state: 'ACCEPTED', page_size: 100 } });
    return files.find((file) => file.name === name);
  });
}
