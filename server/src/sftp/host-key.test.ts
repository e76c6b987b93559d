import assert from 'node:assert/strict';
import test from 'node:test';
import { readConfig } from '../config.ts';
import { findHostKey, generateKey } from './host-key.ts';

test('a key that cannot be read is not printed as the name of a file that does not exist', () => {
  const find = (key: string) => () => findHostKey(readConfig({ AISLE_SFTP_HOST_KEY: key }));
  const pem = generateKey();
  const withoutFirstLine = pem.slice(pem.indexOf('\n') + 1).replace(/-----END.*/, '');
  for (const key of [withoutFirstLine, Buffer.from(pem).toString('base64')]) {
    assert.throws(find(key), { message: 'AISLE_SFTP_HOST_KEY: the file does not exist.' });
  }
  assert.throws(find('/nowhere/key'), { message: 'AISLE_SFTP_HOST_KEY: the file /nowhere/key does not exist.' });
});
