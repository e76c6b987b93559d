import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { createLinkSigner } from './sign-links.ts';

const [one, other] = [randomBytes(32), randomBytes(32)];
const signer = createLinkSigner([one]);
const now = Date.UTC(2026, 4, 4, 9, 30, 59, 999);
const minute = 60_000;
const signature = signer?.sign('/files/1', now) ?? '';

test('a signature is valid for at least 15 and at most 16 minutes', () => {
  assert.equal(signer?.check('/files/1', signature, now), 'valid');
  assert.equal(signer?.check('/files/1', signature, now + 15 * minute), 'valid');
  assert.equal(signer?.check('/files/1', signature, now + 16 * minute), 'expired');
});

test('a path signed twice within the same minute gets the same signature', () => {
  assert.equal(signer?.sign('/files/1', now - 59_000), signature);
  assert.notEqual(signer?.sign('/files/1', now + 1), signature);
});

test('a signature is invalid for another path, with another key, or if any part of it is changed', () => {
  assert.equal(signer?.check('/files/2', signature, now), 'invalid');
  assert.equal(createLinkSigner([other])?.check('/files/1', signature, now), 'invalid');
  const [expires = '', mac = ''] = signature.split('.');
  const later = `${Number(expires) + 60}.${mac}`;
  const changed = `${expires}.${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`;
  for (const text of [later, changed, '', '.', expires, `${expires}.`, `${signature}x`, 'x'.repeat(10_000)]) {
    assert.equal(signer?.check('/files/1', text, now), 'invalid', text.slice(0, 100));
  }
});

test('after a key change, links signed with the old key still work', () => {
  const both = createLinkSigner([other, one]);
  assert.equal(both?.check('/files/1', signature, now), 'valid');
  assert.notEqual(both?.sign('/files/1', now), signature);
});

test('without a key there are no signed links', () => {
  assert.equal(createLinkSigner([]), undefined);
});
