import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toBase62 } from '../../kernel/values/ids.ts';

/**
 * The purpose of a secret. It is part of the secret's text, so that people and scanners can recognize a leaked secret.
 */
export const tokenKinds = ['live', 'test', 'access', 'platform', 'secret', 'session', 'invite', 'user'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** `aisle_<kind>_`, the random characters and a 6-character checksum. */
export function formatToken(kind: TokenKind, random: string): string {
  const head = `aisle_${kind}_${random}`;
  return head + checksum(head);
}

/** Checks the format and the checksum, so that mistyped and made-up tokens are rejected without a lookup. */
export function isToken(text: string): boolean {
  const match = tokenForm.exec(text);
  return match !== null && checksum(match[1] ?? '') === match[2];
}

/** Whether the token is a short-lived token of a user's session. */
export function isUserToken(token: string): boolean {
  return token.startsWith('aisle_user_');
}

export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The part of a token that can be shown later. */
export function tokenPrefix(token: string): string {
  return token.slice(0, token.lastIndexOf('_') + 5);
}

/** Accepts `Bearer <token>` (case-insensitive) or the token alone. */
export function readAuthorization(header: string | undefined): string | undefined {
  const text = header?.trim() ?? '';
  const [first = '', second, ...rest] = text.split(/\s+/);
  if (second === undefined) return first === '' ? undefined : first;
  return first.toLowerCase() === 'bearer' && rest.length === 0 ? second : undefined;
}

const tokenForm = new RegExp(`^(aisle_(?:${tokenKinds.join('|')})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$`);

function checksum(head: string): string {
  return toBase62(crc32(head), 6);
}
