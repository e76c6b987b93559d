import { randomBase62 } from '../kernel/values/ids.ts';
import { formToken, type TokenKind } from './rules/token.ts';

export function newToken(kind: TokenKind): string {
  return formToken(kind, randomBase62(32));
}
