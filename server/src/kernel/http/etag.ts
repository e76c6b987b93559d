import { createHash } from 'node:crypto';
import type { Encoding } from './accept-encoding.ts';

/**
 * Entity tags (RFC 9110, 8.8.3). A resource with a revision has a strong tag. Others have a weak tag, which is a hash
 * of the response. A strong tag identifies the exact bytes, so a compressed response has its own tag: `"3"` becomes
 * `"3-gzip"`. Clients can send back either tag, so tags in requests are compared without that suffix.
 */
export function startWeakTag(): { add(text: string): void; tag(): string } {
  const hash = createHash('sha256');
  return {
    add: (text) => void hash.update(text),
    tag: () => `W/"${hash.digest('hex').slice(0, 32)}"`,
  };
}

export function tagForEncoding(tag: string, encoding: Encoding): string {
  return tag.startsWith('W/') ? tag : tag.replace(/"$/, `-${encoding}"`);
}

/** The tags in a request header, without their encoding suffixes. */
export function withoutEncodings(header: string): string {
  return header.replace(/-(?:zstd|br|gzip)"/g, '"');
}

/** The tag in If-None-Match that matches by weak comparison (RFC 9110, 13.1.2). */
export function findMatch(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  if (ifNoneMatch.trim() === '*') return tag;
  const own = opaque(tag);
  const given = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return given.find((one) => opaque(withoutEncodings(one)) === own);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
