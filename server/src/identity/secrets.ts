import { createHash } from 'node:crypto';
import { randomBase62 } from '../kernel/values/ids.ts';
import { verifyPassword } from './passwords.ts';
import { formatToken, isSameHash, type TokenKind } from './rules/token.ts';

export function newToken(kind: TokenKind): string {
  return formatToken(kind, randomBase62(32));
}

export function newPassword(): string {
  return randomBase62(16);
}

/** For generated secrets. They are too long to guess, so they need no slow hash; `passwords.ts` is for passwords. */
export function hashSecret(secret: string): string {
  return `sha256$${digest(secret).toString('base64')}`;
}

export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const [kind, hash = ''] = stored.split('$');
  // Earlier versions stored secrets like passwords.
  if (kind === 'scrypt') return verifyPassword(secret, stored);
  return isSameHash(digest(secret), Buffer.from(hash, 'base64'));
}

/** Takes as long as `verifySecret`, so that the response time does not reveal which clients exist. */
export async function verifyDummySecret(secret: string): Promise<false> {
  await verifySecret(secret, hashSecret(''));
  return false;
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
