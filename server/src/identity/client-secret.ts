import { isSameHash, tokenHash } from './rules/token.ts';
import { verifyPassword } from './passwords.ts';

/**
 * A client secret has 190 random bits, so unlike a password it cannot be guessed, and one SHA-256 is enough, as for
 * tokens. Checking it costs almost nothing, so the correct secret is accepted however many wrong ones arrive.
 */
export function hashClientSecret(secret: string): string {
  return prefix + tokenHash(secret).toString('base64');
}

export function isFastHash(stored: string): boolean {
  return stored.startsWith(prefix);
}

/** Older secrets were hashed with scrypt, which is slow. */
export async function verifyClientSecret(secret: string, stored: string): Promise<boolean> {
  if (!isFastHash(stored)) return verifyPassword(secret, stored);
  return isSameHash(Buffer.from(stored.slice(prefix.length), 'base64'), tokenHash(secret));
}

const prefix = 'sha256$';
