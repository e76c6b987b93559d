import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readOrMakeKey } from './key-file.ts';
import { createSealer, SealError } from './seal.ts';

const [one, other] = [randomBytes(32), randomBytes(32)];

test('what was sealed is opened again, and nothing of it can be seen', () => {
  const sealer = createSealer([one]);
  const sealed = sealer.seal('Bearer geheim ½', 'here');
  assert.equal(sealer.open(sealed, 'here'), 'Bearer geheim ½');
  assert.ok(!sealed.toString('latin1').includes('geheim'));
  assert.notDeepEqual(sealed, sealer.seal('Bearer geheim ½', 'here'));
});

test('it is not opened in another place, with another key, or once it was changed', () => {
  const sealer = createSealer([one]);
  const sealed = sealer.seal('x', 'here');
  assert.throws(() => sealer.open(sealed, 'there'), SealError);
  assert.throws(() => createSealer([other]).open(sealed, 'here'), SealError);
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    assert.throws(() => sealer.open(changed, 'here'), SealError);
  }
});

test('a new key seals while the old one still opens', () => {
  const before = createSealer([one]).seal('x', 'here');
  const both = createSealer([other, one]);
  assert.equal(both.open(before, 'here'), 'x');
  assert.equal(createSealer([other]).open(both.seal('y', 'here'), 'here'), 'y');
});

test('the key in a folder is made once, for its owner only, and never overwritten', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const key = readOrMakeKey(join(folder, 'data'));
  assert.equal(key.length, 32);
  assert.deepEqual(readOrMakeKey(join(folder, 'data')), key);
  const file = join(folder, 'data', 'secret.key');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  writeFileSync(file, 'broken');
  assert.throws(() => readOrMakeKey(join(folder, 'data')), SealError);
});
