import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/**
 * For a limited time, signed links work without a token. A signature is bound to the link's path, which identifies the
 * chain and the file, and to the link's expiry time. As with secrets, the first configured key signs and all keys
 * verify, so that a key can be replaced.
 *
 * The time comes from the process, not from the database, so that a link is checked without a query. If the clock of a
 * process is wrong, its links work for a shorter or longer time. They give access to nothing else, and a token still
 * works. Readiness warns about the clock.
 */
export type LinkSigner = {
  sign(path: string, now: number): string;
  check(path: string, signature: string, now: number): 'valid' | 'expired' | 'invalid';
};

/** Undefined if there is no key. */
export function createLinkSigner(keys: readonly Buffer[]): LinkSigner | undefined {
  const derived = keys.map((key) => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'signed links', 32))));
  const [first] = derived;
  if (!first) return undefined;
  return {
    sign(path, now) {
      // Rounded to minutes, so that repeated reads return the same link and the same ETag.
      const expires = (Math.floor(now / minuteMs) + validMinutes + 1) * 60;
      return `${expires}.${macOf(first, path, expires).toString('base64url')}`;
    },
    check(path, signature, now) {
      const [, expires = '', mac = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(signature) ?? [];
      const given = Buffer.from(mac, 'base64url');
      const isGenuine = derived.some((key) => isEqual(macOf(key, path, Number(expires)), given));
      if (!isGenuine) return 'invalid';
      return Number(expires) * 1000 > now ? 'valid' : 'expired';
    },
  };
}

/** A link works for at least this long, and up to a minute longer. */
const validMinutes = 15;
const minuteMs = 60_000;

function macOf(key: KeyObject, path: string, expires: number): Buffer {
  return createHmac('sha256', key).update(`${expires} ${path}`).digest();
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
