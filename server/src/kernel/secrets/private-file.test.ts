import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { createPrivateFile } from './private-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'aisle-private-file-'));
after(() => rmSync(folder, { recursive: true }));

test('a private file can be read only by its owner and is never overwritten', () => {
  const file = join(folder, 'new', 'key');
  createPrivateFile(file, 'first');
  assert.throws(() => createPrivateFile(file, 'second'), /already exists/);
  assert.equal(readFileSync(file, 'utf8'), 'first');
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
});

/** Windows has no limit on the size of files. */
const testWithLimit = process.platform === 'win32' ? () => {} : test;

void testWithLimit('a file that could not be written completely does not exist, and can be created later', () => {
  const file = join(folder, 'full');
  // With this limit, a write fails as on a full disk.
  const module = JSON.stringify(new URL('./key-file.ts', import.meta.url).href);
  const script = `import { createKeyFile } from ${module}; createKeyFile(${JSON.stringify(file)});`;
  const limited = spawnSync('sh', [
    '-c',
    `ulimit -f 0; exec "$0" --input-type=module -e "$1"`,
    process.execPath,
    script,
  ]);
  assert.notEqual(limited.status, 0);
  assert.equal(existsSync(join(file, 'secret.key')), false, limited.stderr.toString());
  createPrivateFile(join(file, 'secret.key'), 'whole');
});

test('what a killed process left behind is replaced', () => {
  const file = join(folder, 'left');
  writeFileSync(`${file}.${process.pid}.new`, 'ha');
  createPrivateFile(file, 'whole');
  assert.deepEqual([readFileSync(file, 'utf8'), existsSync(`${file}.${process.pid}.new`)], ['whole', false]);
});
