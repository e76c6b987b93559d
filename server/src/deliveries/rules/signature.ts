import { createHmac, type KeyObject } from 'node:crypto';

/**
 * Standard Webhooks 1.0: one signature for every valid secret, so that a receiver can use the old or the new secret.
 */
export function signatureHeader(keys: readonly KeyObject[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
