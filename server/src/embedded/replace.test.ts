import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { replaceData } from './replace.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'aisle-replace-test-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

test('if a file cannot be moved, for example because it is mounted, the existing data is unchanged', async () => {
  const write = (folder: string, content: string) => {
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), content);
  };
  write(dataDir, 'old');
  // The folder of moved files has no subfolder for it.
  const file = join('other', 'file');
  mkdirSync(join(dataDir, 'other'));
  writeFileSync(join(dataDir, file), 'old');
  const replacing = replaceData({ dataDir, overwrite: true, files: [file] }, async (folder) => write(folder, 'new'));
  await assert.rejects(replacing, /cannot be replaced, and is unchanged: ENOENT/);
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['other', 'postgres']);
  assert.equal(readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8'), 'old');
});
