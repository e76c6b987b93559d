import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings, type Encoding } from './accept-encoding.ts';
import { findMatch } from './etag.ts';

/** A file held in memory, uncompressed and compressed, with the preferred encoding first. */
export type Asset = { type: string; etag: string; variants: Variant[] };
type Variant = { encoding: Encoding | undefined; body: Buffer };

export function createAsset(type: string, body: Buffer, compressed: Variant[] = [gzip(body)]): Asset {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { type, etag, variants: [...compressed, { encoding: undefined, body }] };
}

/** By default, browsers cache the file and revalidate it on each use. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, variants }: Asset,
  cacheControl = 'no-cache',
): FastifyReply {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const variant = variants.find(({ encoding }) => encoding === undefined || accepted.includes(encoding));
  reply.headers({
    'content-type': type,
    etag,
    vary: 'accept-encoding',
    'cache-control': cacheControl,
    ...(variant?.encoding && { 'content-encoding': variant.encoding }),
  });
  return findMatch(request.headers['if-none-match'], etag) !== undefined
    ? reply.code(304).send()
    : reply.send(variant?.body);
}

function gzip(body: Buffer): Variant {
  return { encoding: 'gzip', body: gzipSync(body) };
}
