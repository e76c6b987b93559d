import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createKeyFile, readKeyFile } from './key-file.ts';
import { createSealer, seal, SealError, tryOpen } from './seal.ts';

const [one, other] = [randomBytes(32), randomBytes(32)];

test('a sealed value can be opened, but cannot be read while it is sealed', () => {
  const sealer = createSealer([one]);
  const sealed = sealer.seal('Bearer hidden ½', 'here');
  assert.equal(sealer.open(sealed, 'here'), 'Bearer hidden ½');
  assert.ok(!sealed.toString('latin1').includes('hidden'));
  assert.notDeepEqual(sealed, sealer.seal('Bearer hidden ½', 'here'));
});

test('a sealed value cannot be opened in another context, with another key, or after being modified', () => {
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

test('after a key change, texts are sealed with the new key, and texts sealed with the old key can still be opened', () => {
  const before = createSealer([one]).seal('x', 'here');
  const both = createSealer([other, one]);
  assert.equal(both.open(before, 'here'), 'x');
  assert.equal(createSealer([other]).open(both.seal('y', 'here'), 'here'), 'y');
});

test('a text sealed without a context can be opened, and consists of a nonce, a tag and ciphertext', () => {
  const nonce = randomBytes(12);
  const encrypt = createCipheriv('aes-256-gcm', one, nonce);
  const text = Buffer.concat([encrypt.update('stored before', 'utf8'), encrypt.final()]);
  assert.equal(tryOpen(one, Buffer.concat([nonce, encrypt.getAuthTag(), text])), 'stored before');
  assert.equal(tryOpen(one, seal(one, 'stored now')), 'stored now');
  assert.equal(tryOpen(one, seal(one, 'elsewhere', 'here')), undefined);
  assert.equal(tryOpen(other, seal(one, 'x')), undefined);
});

test('a text with a shortened tag cannot be opened', () => {
  assert.equal(tryOpen(one, seal(one, '').subarray(0, 24)), undefined);
});

test('the key file is created once, is readable only by its owner, and is never overwritten', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.equal(readKeyFile(join(folder, 'data')), undefined);
  const key = createKeyFile(join(folder, 'data'));
  assert.equal(key.length, 32);
  assert.deepEqual(readKeyFile(join(folder, 'data')), key);
  assert.throws(() => createKeyFile(join(folder, 'data')), /already exists/);
  const file = join(folder, 'data', 'secret.key');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  writeFileSync(file, 'broken');
  assert.throws(() => readKeyFile(join(folder, 'data')), SealError);
});
