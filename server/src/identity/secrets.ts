import { randomBase62 } from '../kernel/values/ids.ts';
import { formatToken, type TokenKind } from './rules/token.ts';

export function newToken(kind: TokenKind): string {
  return formatToken(kind, randomBase62(32));
}

export function newPassword(): string {
  return randomBase62(16);
}
