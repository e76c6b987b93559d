import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../kernel/values/ids.ts';
import { formToken, type TokenKind } from './rules/token.ts';

const cost = { N: 16_384, r: 8, p: 1 };

export function newToken(kind: TokenKind): string {
  return formToken(kind, randomBase62(32));
}

export function newPassword(): string {
  return randomBase62(16);
}

/** scrypt, with its parameters in the text so that they can be raised later. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(secret, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

export async function isSecret(secret: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64');
  const found = await derive(secret, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(expected, found);
}

/**
 * Takes as long as `isSecret` and is always false, for a name that is unknown: the time a response takes must not tell
 * which names exist.
 */
export async function isSecretOfUnknown(secret: string): Promise<false> {
  unknownHash ??= hashSecret(randomBase62(32));
  await isSecret(secret, await unknownHash);
  return false;
}

let unknownHash: Promise<string> | undefined;

function derive(secret: string, salt: Buffer, parameters: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
