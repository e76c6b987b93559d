import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Room } from '../bodies/budget.ts';
import { Failure, invalid } from '../failures/failure.ts';
import { isStorable } from '../values/text.ts';

/** The whole body, unpacked if it came gzip-encoded. The limit holds for the unpacked size, and so does the room. */
export async function readBody(source: Readable, packed: boolean, limit: number, room: Room): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of packed ? unpacked(source) : source) {
      size += (chunk as Buffer).length;
      if (size > limit) throw tooLarge(limit);
      room.grow(size);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('invalid_request', 'The body broke off or is not valid gzip.');
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

export function tooLarge(limit: number): Failure {
  return new Failure('payload_too_large', `The body may have at most ${limit} bytes once unpacked.`, {
    extra: { limit_bytes: limit },
    // What is still on its way will not be read, so the connection cannot be used again.
    headers: { connection: 'close' },
  });
}

/** JSON is UTF-8; whoever says otherwise means something else. */
export function isJson(contentType: string | undefined): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return mediaType(contentType) === 'application/json' && /^utf-?8$|^us-ascii$/i.test(charset);
}

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/^JSON\.parse: /, '').split(', "')[0];
    throw new Failure('invalid_request', `The body is not valid JSON: ${reason}.`, {
      errors: [{ pointer: '', code: 'malformed_json', message: 'is not valid JSON' }],
    });
  }
}

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('invalid_request', 'The body is not valid UTF-8.', {
      errors: [{ pointer: '', code: 'malformed_utf8', message: 'is not valid UTF-8' }],
    });
  }
}

/** A form body as an object; a field given twice is refused. */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(decodeUtf8(bytes))) {
    if (Object.hasOwn(fields, name))
      throw invalid([{ pointer: `/${name}`, code: 'repeated', message: 'is given twice' }]);
    if (isStorable(name)) fields[name] = value;
  }
  return fields;
}

/** Whether the encoding is gzip; one that is neither that nor none is refused. */
export function isCompressed(encoding: string | undefined): boolean {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return false;
  if (name === 'gzip' || name === 'x-gzip') return true;
  throw new Failure('unsupported_media_type', `The content encoding ${name} is not understood; use gzip or none.`);
}

function unpacked(source: Readable): AsyncIterable<unknown> {
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.on('aborted', () => gunzip.destroy(new Error('aborted')));
  // It may have gone while it waited for room, and will not say so again.
  if (source.destroyed) gunzip.destroy(new Error('aborted'));
  return source.pipe(gunzip);
}
