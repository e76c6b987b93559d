import { type Readable, pipeline } from 'node:stream';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings, type Encoding } from './accept-encoding.ts';
import { tagForEncoding } from './etag.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether the response may contain a secret. If so, the response's length must reveal as little as possible about
     * the secret.
     */
    hasSecrets: boolean;
  }
}

/**
 * Compresses text responses over 1 KiB with an encoding the client accepts. Small ones are compressed synchronously,
 * larger ones and streams in the thread pool, so that they do not block the event loop. Responses that may contain a
 * secret are not compressed, because the length of a compressed response can reveal parts of the secret (BREACH). Nor
 * are bytes, which are files: anyone can request them, and all responses share those that were compressed in advance.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply)) return done(null, payload);
    addVary(reply, 'accept-encoding');
    const [encoding] = acceptedEncodings(request.headers['accept-encoding']);
    const isDone = encoding === undefined || reply.hasHeader('content-encoding') || Buffer.isBuffer(payload);
    if (isDone || !isLarge(payload)) return done(null, payload);
    reply.header('content-encoding', encoding).removeHeader('content-length');
    const tag = reply.getHeader('etag');
    if (typeof tag === 'string' && reply.statusCode < 300) reply.header('etag', tagForEncoding(tag, encoding));
    if (typeof payload !== 'string') {
      const compressor = compressors[encoding].stream();
      // An error destroys both streams. The source logs its own errors.
      pipeline(payload as Readable, compressor, () => {});
      return done(null, compressor);
    }
    if (Buffer.byteLength(payload) <= maxSyncBytes) return done(null, compressors[encoding].now(payload));
    compressors[encoding].later(payload, done);
  });
}

/** Adds a header name to `Vary`. */
export function addVary(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('vary');
  if (known === undefined) reply.header('vary', name);
  else if (!String(known).toLowerCase().split(/,\s*/).includes(name)) reply.header('vary', `${String(known)}, ${name}`);
}

/** Fast levels. Higher ones make our responses at most 10% smaller, at several times the cost. */
const gzipOptions = { level: 1 };
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

type Done = (error: Error | null, result: Buffer) => void;

const compressors: Record<
  Encoding,
  { now(payload: string): Buffer; later(payload: string, done: Done): void; stream(): NodeJS.ReadWriteStream }
> = {
  gzip: {
    now: (payload) => gzipSync(payload, gzipOptions),
    later: (payload, done) => gzip(payload, gzipOptions, done),
    stream: () => createGzip(gzipOptions),
  },
  br: {
    now: (payload) => brotliCompressSync(payload, brotliOptions),
    later: (payload, done) => brotliCompress(payload, brotliOptions, done),
    stream: () => createBrotliCompress(brotliOptions),
  },
  zstd: {
    now: (payload) => zstdCompressSync(payload, zstdOptions),
    later: (payload, done) => zstdCompress(payload, zstdOptions, done),
    stream: () => createZstdCompress(zstdOptions),
  },
};

const minBytes = 1024;
/** Compressing this many bytes takes a fraction of a millisecond, less than passing them to another thread. */
const maxSyncBytes = 16 * 1024;

/** A 304 has no body, but needs the same `Vary` as the full response. */
function isCompressible(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.routeOptions.config?.hasSecrets) return false;
  return reply.statusCode === 304 || textTypes.test(String(reply.getHeader('content-type') ?? ''));
}

const textTypes = /^(text\/|application\/(json|problem\+json|x-ndjson|javascript)\b)/;

/** The size of a stream is unknown, but compressing it is almost always worthwhile. */
function isLarge(payload: unknown): boolean {
  if (payload === null || payload === undefined) return false;
  return typeof payload !== 'string' || Buffer.byteLength(payload) > minBytes;
}
