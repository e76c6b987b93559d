import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../kernel/values/ids.ts';
import { formatToken, type TokenKind } from './rules/token.ts';

const cost = { N: 16_384, r: 8, p: 1 };

export function newToken(kind: TokenKind): string {
  return formatToken(kind, randomBase62(32));
}

export function newPassword(): string {
  return randomBase62(16);
}

/** Uses scrypt and stores its parameters with the hash, so that the parameters can be changed later. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(secret, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64');
  const found = await derive(secret, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(expected, found);
}

/**
 * Takes as long as `verifySecret` and always returns false. Used for unknown names, so that the response time does not
 * reveal which names exist.
 */
export async function verifyDummySecret(secret: string): Promise<false> {
  dummyHash ??= hashSecret(randomBase62(32));
  await verifySecret(secret, await dummyHash);
  return false;
}

let dummyHash: Promise<string> | undefined;

function derive(secret: string, salt: Buffer, parameters: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
