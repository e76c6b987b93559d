import { Secret } from 'otpauth';
import { randomBase62 } from '../kernel/values/ids.ts';
import { formatToken, type TokenKind } from './rules/token.ts';

export function newToken(kind: TokenKind): string {
  return formatToken(kind, randomBase62(32));
}

export function newPassword(): string {
  return randomBase62(16);
}

/** Random bytes in base32, which has no characters that are easy to confuse. */
export function newBase32(bytes: number): string {
  return new Secret({ size: bytes }).base32;
}
