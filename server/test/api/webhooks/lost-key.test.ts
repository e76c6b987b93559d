import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { createKeyFile, readKeyFile } from '../../../src/kernel/secrets/key-file.ts';
import { SealError } from '../../../src/kernel/secrets/seal.ts';
import { getSecretKeys } from '../../../src/secret-keys.ts';
import { discardSecrets } from '../../../src/webhooks/index.ts';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';

const aisle = await useOwnAisle({}, 'api');
const chain = await makeChain(aisle);
const folder = mkdtempSync(join(tmpdir(), 'aisle-lost-key-'));
after(() => rmSync(folder, { recursive: true }));

const serverKey = Buffer.alloc(32, 'k').toString('base64');
const otherKey = Buffer.alloc(32, 'o').toString('base64');
const embedded = readConfig({ AISLE_DATA_DIR: folder });
const withKey = (key: string) => readConfig({ DATABASE_URL: aisle.url, AISLE_SECRET_KEY: key });

test('a new embedded database gets a key', async () => {
  const [key] = await getSecretKeys(aisle.db, embedded);
  assert.deepEqual(readKeyFile(folder), key);
  rmSync(join(folder, 'secret.key'));
});

test('a lost key file is not replaced while encrypted secrets exist, and the error says what to do', async () => {
  const body = { environment: 'staging', staging_url: 'https://receiver.test/', secret: 'Bearer 1' };
  const saved = await aisle.call('PUT', `${chain.base}/webhook`, { token: chain.token, body });
  assert.equal(saved.status, 200, saved.text);
  await assert.rejects(getSecretKeys(aisle.db, embedded), isSealError(/secret\.key is missing.*discard-secrets/));
  assert.equal(existsSync(join(folder, 'secret.key')), false);
});

test('a key that cannot decrypt the secrets is rejected, and one that can is accepted', async () => {
  await assert.rejects(getSecretKeys(aisle.db, withKey(otherKey)), isSealError(/^The secret key cannot decrypt/));
  createKeyFile(folder);
  await assert.rejects(getSecretKeys(aisle.db, embedded), SealError);
  assert.equal((await getSecretKeys(aisle.db, withKey(`${otherKey},${serverKey}`))).length, 2);
  assert.deepEqual(await getSecretKeys(aisle.db, withKey('')), []);
});

test('lost secrets can be discarded: the webhooks get new ones, and the server starts', async () => {
  const keys = [Buffer.from(otherKey, 'base64')];
  assert.equal(await discardSecrets(aisle.db, keys), 1);
  assert.equal(await discardSecrets(aisle.db, keys), 0);
  assert.deepEqual(await getSecretKeys(aisle.db, withKey(otherKey)), keys);
  const webhook = await aisle.call('GET', `${chain.base}/webhook`, { token: chain.token });
  assert.deepEqual([webhook.body.staging_url, webhook.body.has_secret], ['https://receiver.test/', false]);
});

function isSealError(message: RegExp) {
  return (error: unknown) => error instanceof SealError && message.test(error.message);
}
