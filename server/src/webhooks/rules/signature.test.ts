import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { Webhook } from 'standardwebhooks';
import { signatureHeader, signingKey, signingSecret } from './signature.ts';

const id = '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77';
const body = '{"order_id":"3f1f","note":"½ Größe 🛒"}';

test('the public library verifies what is signed, with either of two live secrets', () => {
  const [present, previous] = [newSigningSecret(), newSigningSecret()];
  const headers = headersFor(signatureHeader([present, previous].map(signingKey), id, now(), body));
  for (const secret of [present, previous]) new Webhook(secret).verify(body, headers);
});

test('the public library refuses another body, another id, another time and another secret', () => {
  const secret = newSigningSecret();
  const headers = headersFor(signatureHeader([signingKey(secret)], id, now(), body));
  const verify = (text: string, more: Record<string, string>, with_ = secret) =>
    new Webhook(with_).verify(text, { ...headers, ...more });
  verify(body, {});
  assert.throws(() => verify('{}', {}));
  assert.throws(() => verify(body, { 'webhook-id': 'another' }));
  assert.throws(() => verify(body, { 'webhook-timestamp': String(now() - 60) }));
  assert.throws(() => verify(body, {}, newSigningSecret()));
});

test('what the public library signs is what we sign', () => {
  const secret = newSigningSecret();
  const timestamp = new Date('2026-05-04T09:30:00.000Z');
  const theirs = new Webhook(secret).sign(id, timestamp, body);
  assert.equal(signatureHeader([signingKey(secret)], id, timestamp.getTime() / 1000, body), theirs);
});

test('a secret is the prefix of the standard and 32 bytes in base64', () => {
  assert.match(newSigningSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/);
});

function newSigningSecret(): string {
  return signingSecret(randomBytes(32));
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function headersFor(signature: string): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': String(now()), 'webhook-signature': signature };
}
