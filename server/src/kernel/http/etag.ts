import { createHash } from 'node:crypto';
import type { Encoding } from './accept-encoding.ts';

/**
 * Entity tags (RFC 9110, 8.8.3). A resource with a revision has a strong tag, others a weak tag that is a hash of the
 * response. A strong tag identifies the exact bytes, so a compressed response has a tag of its own: `"3"` becomes
 * `"3-gzip"`. Clients send either back, so tags in requests are compared without that suffix.
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

/** The tags in a request header, without the suffix of an encoding. */
export function withoutEncodings(header: string): string {
  return header.replace(/-(?:zstd|br|gzip)"/g, '"');
}

/** If-None-Match (RFC 9110, 13.1.2): the tag of the client that matches, by weak comparison. */
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
