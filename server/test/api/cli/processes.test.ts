import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeTemporaryFolder } from '../../../../tools/temporary-folder.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = makeTemporaryFolder('cli');

/** Runs a shell command in which `aisle` is the program. */
function run(command: string): Promise<{ status: number | null; stderr: string }> {
  const script = `aisle() { '${process.execPath}' cli/src/main.ts "$@"; }; ${command}`;
  const child = spawn('sh', ['-c', script], { cwd: root, env: { ...process.env, AISLE_CONFIG_DIR: folder } });
  let stderr = '';
  child.stderr.on('data', (part) => (stderr += String(part)));
  child.stdout.resume();
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stderr })));
}

test('a reader that closes the pipe early, or closed outputs, do not end in a stack trace', async () => {
  const commands = ['aisle --help | true', 'aisle nope 2>&-'];
  const results = await Promise.all(commands.map(run));
  for (const { stderr } of results) assert.doesNotMatch(stderr, /at .*:\d+:\d+|EPIPE|EBADF/);
  assert.deepEqual(
    results.map(({ status }) => status),
    [0, 2],
  );
});

test('processes that change the profiles at the same time do not lose what the others have stored', async () => {
  const file = JSON.stringify(join(root, 'cli/src/config/config-file.ts'));
  const program = `
    const { updateConfigFile } = await import(${file});
    const profile = { url: 'http://a.test' };
    for (let count = 0; count < 25; count++) {
      updateConfigFile({ env: process.env }, (file) => (
        { ...file, profiles: { ...file.profiles, [process.pid + '-' + count]: profile } }
      ));
    }`;
  const add = `'${process.execPath}' --input-type=module -e '${program.replaceAll("'", '"')}'`;
  const results = await Promise.all([1, 2, 3, 4].map(() => run(add)));
  for (const { status, stderr } of results) assert.equal(status, 0, stderr);
  const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as { profiles: object };
  assert.equal(Object.keys(profiles).length, 100);
});
