import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Standard Webhooks 1.0: a secret is a prefix followed by 24 to 64 random bytes in base64. */
export function signingSecret(random: Buffer): string {
  return `${prefix}${random.toString('base64')}`;
}

/** What the secret signs with. To make it takes six times as long as to sign, so it is made once. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));
}

/** One signature for every live secret, so that a receiver may know the old one or the new one. */
export function signatureHeader(keys: readonly KeyObject[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}

const prefix = 'whsec_';
