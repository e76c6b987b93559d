import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Reservation, tinyBodyBytes } from '../bodies/budget.ts';
import { decodeUtf8 } from '../bodies/parse-json.ts';
import { Failure, invalid } from '../failures/failure.ts';
import { isStorable } from '../values/text.ts';
import { createChunkCounter, refuseSmallChunks } from './small-chunks.ts';

/** `length` is the declared length, or 0 if unknown. */
export type BodyOptions = { compressed: boolean; length: number; limit: number; idleMs: number };

/**
 * The complete body, decompressed if it was sent as gzip. The limit and the reservation apply to the decompressed size,
 * the pace to the bytes that were sent. These are limited too, because gzip can go on for ever without any content.
 */
export async function readBody(
  source: Readable,
  { compressed, length, limit, idleMs }: BodyOptions,
  reservation: Reservation,
): Promise<Buffer> {
  const stream = compressed ? decompressed(source) : source;
  const { add, size, collected } = collectBytes(compressed ? 0 : length, limit, reservation);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    try {
      add(chunk);
    } catch (error) {
      reject(error);
    }
  };
  const stops = [
    watchPace(source, idleMs, reject),
    watchSent(source, limit, reject),
    watchAwaited(reservation, size, reject),
  ];
  stream.on('data', onData).once('end', resolve).on('error', reject).once('close', reject);
  if (stream.destroyed) reject(new Error('aborted'));
  try {
    await ended;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('invalid_request', 'The body is incomplete or is not valid gzip.');
  } finally {
    for (const stop of stops) stop();
    stream.off('data', onData);
    if (stream !== source) stream.destroy();
  }
  return collected();
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

export function unsupportedType(contentType: string | undefined, allowed = jsonTypes): Failure {
  const given = contentType === undefined ? 'the header is missing' : `it is ${contentType.slice(0, 100)}`;
  return new Failure('unsupported_media_type', `Content-Type must be ${allowed}; ${given}.`);
}

const jsonTypes = 'application/json, with no charset or with charset=utf-8';

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * Parses a form body into an object. A repeated field is rejected. The fields are counted before they are parsed,
 * because an object with many thousands of names takes seconds to build.
 */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  const fields: Record<string, string> = {};
  if (countFields(bytes) > maxFormFields) {
    throw new Failure('invalid_request', `The form must not have more than ${maxFormFields} fields.`);
  }
  for (const [name, value] of new URLSearchParams(decodeUtf8(bytes))) {
    if (Object.hasOwn(fields, name))
      throw invalid([{ pointer: `/${name}`, code: 'repeated', message: 'must not be repeated' }]);
    if (isStorable(name)) fields[name] = value;
  }
  return fields;
}

const maxFormFields = 50;

function countFields(bytes: Uint8Array): number {
  let fields = 1;
  for (let at = bytes.indexOf(ampersand); at >= 0; at = bytes.indexOf(ampersand, at + 1)) fields += 1;
  return fields;
}

const ampersand = 0x26;

/** Whether the encoding is gzip. Any encoding other than gzip or none is rejected. */
export function isCompressed(encoding: string | undefined): boolean {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return false;
  if (name === 'gzip' || name === 'x-gzip') return true;
  throw new Failure('unsupported_media_type', `The content encoding ${name} is not supported; use gzip or none.`);
}

function decompressed(source: Readable): Readable {
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.on('aborted', () => gunzip.destroy(new Error('aborted')));
  // If the client disconnected while the request waited for memory, `aborted` has been emitted already.
  if (source.destroyed) gunzip.destroy(new Error('aborted'));
  return source.pipe(gunzip);
}

/**
 * Collects a body in one buffer. A list of the received chunks would need more than the reserved memory, because a
 * client can send chunks of one byte.
 */
function collectBytes(length: number, limit: number, reservation: Reservation) {
  let first: Buffer | undefined;
  let bytes = Buffer.alloc(0);
  let size = 0;
  const copy = (chunk: Buffer) => {
    if (size + chunk.length > bytes.length) {
      // If the length is known, the memory is reserved, so the buffer has the final size from the start.
      const capacity = length > tinyBodyBytes ? length : Math.max(minCapacity, 2 * (size + chunk.length));
      const larger = Buffer.allocUnsafeSlow(Math.min(capacity, limit));
      bytes.copy(larger, 0, 0, size);
      bytes = larger;
    }
    chunk.copy(bytes, size);
    size += chunk.length;
  };
  return {
    add(chunk: Buffer): void {
      const total = (first?.length ?? size) + chunk.length;
      if (total > limit) throw tooLarge(limit);
      reservation.grow(total);
      // Most bodies arrive in a single chunk, which is not copied.
      if (size === 0 && !first && length <= tinyBodyBytes) {
        first = chunk;
        return;
      }
      if (first) copy(first);
      first = undefined;
      copy(chunk);
    },
    size: () => first?.length ?? size,
    /** The buffer contains nothing but these bytes, so that it can be transferred to a thread. */
    collected(): Buffer {
      if (first) return first;
      return size === bytes.length ? bytes : Buffer.from(bytes.buffer.transfer(size));
    },
  };
}

const minCapacity = 16 * 1024;

/**
 * Fails with 408 if fewer than 64 KiB arrive in `idleMs`, and with 400 if the body arrives in small chunks. Returns a
 * function that stops watching.
 */
function watchPace(source: Readable, idleMs: number, fail: (failure: Failure) => void): () => void {
  let received = 0;
  const countChunk = createChunkCounter();
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (countChunk(chunk)) fail(refuseSmallChunks(source));
  };
  const check = () => {
    // While the source is paused, the server is the slow one.
    if (received < minBytesPerWindow && !source.isPaused()) fail(tooSlow(idleMs));
    received = 0;
  };
  // If the event loop was blocked, the bytes that arrived in that time are counted first.
  const timer = setInterval(() => setImmediate(check), idleMs);
  source.on('data', count);
  return () => {
    clearInterval(timer);
    source.off('data', count);
  };
}

export const minBytesPerWindow = 64 * 1024;

/** Fails with 413 if more bytes are sent than the body can have. Returns a function that stops watching. */
function watchSent(source: Readable, limit: number, fail: (failure: Failure) => void): () => void {
  let sent = 0;
  const count = (chunk: Buffer) => {
    sent += chunk.length;
    if (sent > limit) fail(tooLarge(limit));
  };
  source.on('data', count);
  return () => source.off('data', count);
}

/**
 * Fails with 408 if the body holds memory that other chains wait for, and arrives so slowly that it would take more
 * than a minute. So a few slow uploads cannot keep out the large bodies of all chains. Returns a function that stops
 * watching.
 */
function watchAwaited(reservation: Reservation, received: () => number, fail: (failure: Failure) => void): () => void {
  const started = performance.now();
  const check = () => {
    const elapsedMs = performance.now() - started;
    if (elapsedMs < graceMs || !reservation.isAwaited()) return;
    if (received() < reservation.size() * (elapsedMs / maxAwaitedMs)) fail(tooSlowForOthers());
  };
  const timer = setInterval(() => setImmediate(check), checkEveryMs);
  return () => clearInterval(timer);
}

const maxAwaitedMs = 60_000;
const graceMs = 5000;
const checkEveryMs = 2000;

function tooSlowForOthers(): Failure {
  const detail = `While other bodies wait for memory, a body must arrive within ${maxAwaitedMs / 1000} s. Try again later, send less in one request, or upload a file.`;
  return new Failure('request_timeout', detail, { headers: { connection: 'close' } });
}

export function tooSlow(idleMs: number): Failure {
  const pace = `${minBytesPerWindow / 1024} KiB in ${idleMs / 1000} s`;
  return new Failure('request_timeout', `The body arrived too slowly; it must arrive at ${pace} or faster.`, {
    headers: { connection: 'close' },
  });
}
