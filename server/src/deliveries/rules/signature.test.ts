import assert from 'node:assert/strict';
import test from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newSigningSecret, signingKey } from '../../webhooks/secrets.ts';
import { signatureHeader } from './signature.ts';

const id = '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b77';
const body = '{"order_id":"3f1f","note":"½ Größe 🛒"}';

test('the standardwebhooks package verifies our signatures with either of two active secrets', () => {
  const [current, previous] = [newSigningSecret(), newSigningSecret()];
  const headers = headersFor(signatureHeader([current, previous].map(signingKey), id, now(), body));
  for (const secret of [current, previous]) new Webhook(secret).verify(body, headers);
});

test('the standardwebhooks package rejects a signature for another body, id, timestamp or secret', () => {
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

test("our signature is the same as the standardwebhooks package's", () => {
  const secret = newSigningSecret();
  const timestamp = new Date('2026-05-04T09:30:00.000Z');
  const theirs = new Webhook(secret).sign(id, timestamp, body);
  assert.equal(signatureHeader([signingKey(secret)], id, timestamp.getTime() / 1000, body), theirs);
});

test("a secret is the standard's prefix followed by 32 random bytes", () => {
  const secrets = new Set(Array.from({ length: 100 }, newSigningSecret));
  assert.equal(secrets.size, 100);
  for (const secret of secrets) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  }
});

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function headersFor(signature: string): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': String(now()), 'webhook-signature': signature };
}
