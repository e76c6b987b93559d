import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0: a secret is 24 to 64 random bytes in base64 behind a prefix. */
export function newSigningSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
}

/** One signature for every live secret, so that a receiver may know the old one or the new one. */
export function signatureHeader(secrets: readonly string[], id: string, timestamp: number, body: Buffer): string {
  return secrets.map((secret) => `v1,${sign(secret, id, timestamp, body)}`).join(' ');
}

function sign(secret: string, id: string, timestamp: number, body: Buffer): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

const prefix = 'whsec_';
