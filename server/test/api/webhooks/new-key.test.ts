import assert from 'node:assert/strict';
import test from 'node:test';
import { createPlatformToken } from '../../../src/identity/index.ts';
import { createSealer } from '../../../src/kernel/secrets/seal.ts';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';

const [newKey, oldKey] = [Buffer.alloc(32, 'n'), Buffer.alloc(32, 'o')];
const keys = [newKey, oldKey].map((key) => key.toString('base64')).join(',');
const aisle = await useOwnAisle({ AISLE_SECRET_KEY: keys }, 'api');
const chain = await makeChain(aisle);
const platformToken = await createPlatformToken(aisle.db, 'test');

const address = 'https://receiver.test/';
const ofChain = { environment: 'staging', staging_url: address };
const ofPlatform = { url: address, event_types: ['order.received'] };

for (const how of ['saving it', 'rotating its secret']) {
  test(`${how} encrypts all secrets of a webhook with the new key`, async () => {
    const path = `${chain.base}/webhook`;
    const call = (method: string, to: string, body?: object) =>
      aisle.call(method, to, { token: chain.token, ...(body && { body }) });
    const { webhook_id: id } = (await call('PUT', path, { ...ofChain, secret: 'Bearer 1' })).body;
    await encryptWithOldKey('webhooks', id);
    const changed = how === 'saving it' ? call('PUT', path, ofChain) : call('POST', `${path}/rotate-secret`);
    assert.equal((await changed).status, 200);
    await assertReadable('webhooks', id, how);
  });

  test(`${how} encrypts all secrets of a webhook of the platform with the new key`, async () => {
    const path = '/platform/v1/webhooks';
    const call = (method: string, to: string, body?: object) =>
      aisle.call(method, to, { token: platformToken, ...(body && { body }) });
    const { webhook_id: id } = (await call('POST', path, { ...ofPlatform, secret: 'Bearer 1' })).body;
    await encryptWithOldKey('platform_webhooks', id);
    const changed =
      how === 'saving it' ? call('PUT', `${path}/${id}`, ofPlatform) : call('POST', `${path}/${id}/rotate-secret`);
    assert.equal((await changed).status, 200);
    await assertReadable('platform_webhooks', id, how);
  });
}

type Table = 'webhooks' | 'platform_webhooks';

async function encryptWithOldKey(table: Table, id: string): Promise<void> {
  const seal = (use: string) => createSealer([oldKey]).seal(use, `${id} ${use}`);
  await aisle.db.query(
    `update ${table} set secret_sealed = $2, signing_sealed = $3, previous_signing_sealed = $3 where webhook_id = $1`,
    [id, seal('authorization'), seal('signing')],
  );
}

async function assertReadable(table: Table, id: string, how: string): Promise<void> {
  const [row] = await aisle.db.query<Record<'secret_sealed' | 'signing_sealed' | 'previous_signing_sealed', Buffer>>(
    `select secret_sealed, signing_sealed, previous_signing_sealed from ${table} where webhook_id = $1`,
    [id],
  );
  assert.ok(row);
  const open = (sealed: Buffer, use: string) => createSealer([newKey]).open(sealed, `${id} ${use}`);
  const signing = [row.signing_sealed, row.previous_signing_sealed].map((sealed) => open(sealed, 'signing'));
  assert.equal(open(row.secret_sealed, 'authorization'), 'authorization');
  assert.equal(signing.at(-1), 'signing');
  assert.equal(signing[0] === 'signing', how === 'saving it');
}
