import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { type Config, readConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/kernel/monitoring/log.ts';
import { createKeyFile, readKeyFile } from '../../../src/kernel/secrets/key-file.ts';
import { createSealer, SealError } from '../../../src/kernel/secrets/seal.ts';
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
let logged = '';
const log = createLog('warn', { write: (line: string) => (logged += line) });
const getKeys = (config: Config) => getSecretKeys(aisle.db, config, log);
const withKey = (key: string) => readConfig({ DATABASE_URL: aisle.url, AISLE_SECRET_KEY: key });

test('a new embedded database gets a key', async () => {
  const [key] = await getKeys(embedded);
  assert.deepEqual(readKeyFile(folder), key);
  rmSync(join(folder, 'secret.key'));
});

test('a lost key file is not replaced while encrypted secrets exist, and the error says what to do', async () => {
  const body = { environment: 'staging', staging_url: 'https://receiver.test/', secret: 'Bearer 1' };
  const saved = await aisle.call('PUT', `${chain.base}/webhook`, { token: chain.token, body });
  assert.equal(saved.status, 200, saved.text);
  await assert.rejects(getKeys(embedded), isSealError(/secret\.key is missing.*discard-secrets/));
  assert.equal(existsSync(join(folder, 'secret.key')), false);
});

test('a key that cannot decrypt the secrets is rejected, and one that can is accepted', async () => {
  await assert.rejects(getKeys(withKey(otherKey)), isSealError(/^The secret key cannot decrypt/));
  createKeyFile(folder);
  await assert.rejects(getKeys(embedded), SealError);
  assert.equal((await getKeys(withKey(`${otherKey},${serverKey}`))).length, 2);
  assert.deepEqual(await getKeys(withKey('')), []);
});

test('a key that can decrypt only some of the secrets is accepted with a warning that says how many are lost', async () => {
  const added = await makeChain(aisle);
  const body = { environment: 'staging', staging_url: 'https://receiver.test/' };
  const saved = await aisle.call('PUT', `${added.base}/webhook`, { token: added.token, body });
  const sealed = createSealer([Buffer.from(otherKey, 'base64')]).seal('whsec_', `${saved.body.webhook_id} signing`);
  await aisle.db.query('update webhooks set signing_sealed = $2 where chain_id = $1', [added.chainId, sealed]);
  assert.equal(logged, '');
  await getKeys(withKey(otherKey));
  const { event, webhooks, second_factors: factors } = JSON.parse(logged);
  assert.deepEqual([event, webhooks, factors], ['secrets.unreadable', 1, 0]);
  await aisle.call('DELETE', `${added.base}/webhook`, { token: added.token });
});

test('lost secrets can be discarded: the webhooks get new ones, and the server starts', async () => {
  const keys = [Buffer.from(otherKey, 'base64')];
  assert.equal(await discardSecrets(aisle.db, keys), 1);
  assert.equal(await discardSecrets(aisle.db, keys), 0);
  assert.deepEqual(await getKeys(withKey(otherKey)), keys);
  const webhook = await aisle.call('GET', `${chain.base}/webhook`, { token: chain.token });
  assert.deepEqual([webhook.body.staging_url, webhook.body.has_secret], ['https://receiver.test/', false]);
});

function isSealError(message: RegExp) {
  return (error: unknown) => error instanceof SealError && message.test(error.message);
}
