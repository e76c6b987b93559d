import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Reservation } from '../bodies/budget.ts';
import { decodeUtf8 } from '../bodies/parse-json.ts';
import { Failure, invalid } from '../failures/failure.ts';
import { isStorable } from '../values/text.ts';

/**
 * The complete body, decompressed if it was sent as gzip. The limit and the reservation apply to the decompressed size.
 */
export async function readBody(
  source: Readable,
  compressed: boolean,
  limit: number,
  reservation: Reservation,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of compressed ? decompressed(source) : source) {
      size += (chunk as Buffer).length;
      if (size > limit) throw tooLarge(limit);
      reservation.grow(size);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('invalid_request', 'The body is incomplete or is not valid gzip.');
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

export function tooLarge(limit: number): Failure {
  return new Failure('payload_too_large', `The body must not be larger than ${limit} bytes after decompression.`, {
    extra: { limit_bytes: limit },
    // The rest of the body is not read, so the connection cannot be reused.
    headers: { connection: 'close' },
  });
}

/** JSON is always UTF-8, so any other charset is rejected. */
export function isJson(contentType: string | undefined): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return mediaType(contentType) === 'application/json' && /^utf-?8$|^us-ascii$/i.test(charset);
}

export function unsupportedType(contentType: string | undefined): Failure {
  const given = contentType === undefined ? 'the header is missing' : `it is ${contentType.slice(0, 100)}`;
  const detail = `Content-Type must be application/json, with no charset or with charset=utf-8; ${given}.`;
  return new Failure('unsupported_media_type', detail);
}

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Parses a form body into an object. A repeated field is rejected. */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(decodeUtf8(bytes))) {
    if (Object.hasOwn(fields, name))
      throw invalid([{ pointer: `/${name}`, code: 'repeated', message: 'must not be repeated' }]);
    if (isStorable(name)) fields[name] = value;
  }
  return fields;
}

/** Whether the encoding is gzip. Any encoding other than gzip or none is rejected. */
export function isCompressed(encoding: string | undefined): boolean {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return false;
  if (name === 'gzip' || name === 'x-gzip') return true;
  throw new Failure('unsupported_media_type', `The content encoding ${name} is not supported; use gzip or none.`);
}

function decompressed(source: Readable): AsyncIterable<unknown> {
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.on('aborted', () => gunzip.destroy(new Error('aborted')));
  // If the client disconnected while the request waited for memory, `aborted` has been emitted already.
  if (source.destroyed) gunzip.destroy(new Error('aborted'));
  return source.pipe(gunzip);
}
