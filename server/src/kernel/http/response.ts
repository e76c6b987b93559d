import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../monitoring/log.ts';
import { findMatch, startWeakTag } from './etag.ts';
import { asFailure } from './failure-response.ts';
import type { StoredResponse } from './idempotency.ts';
import { type ListResponse, writeList } from './list-response.ts';
import { createStreamTurns } from './stream-turns.ts';

export type HandlerResponse = { status: number; headers?: Record<string, string> } & (
  | { body: unknown }
  | { stream: AsyncIterable<Uint8Array> }
);

/**
 * How a route's responses are written. If `isConditional` is true, they have an ETag, and the status is 304 if the ETag
 * matches.
 */
export type ResponseFormat = { list: ListResponse | undefined; isConditional: boolean };

/** Sets the status and headers, and returns the payload for Fastify to send. */
export async function writeResponse(
  log: Log,
  { list, isConditional }: ResponseFormat,
  request: FastifyRequest,
  reply: FastifyReply,
  response: HandlerResponse,
): Promise<unknown> {
  reply.code(response.status).headers(response.headers ?? {});
  if ('stream' in response) return readableOf(response.stream, log, request);
  if (!list && !isConditional) return response.body;
  if (isConditional) reply.header('cache-control', 'private, no-cache');
  if (isConditional && isNotModified(request, reply)) return undefined;
  const text = list ? writeList(reply, list, response.body) : serialize(reply, response);
  const slices = isConditional ? await tagged(reply, text) : text;
  if (isConditional && isNotModified(request, reply)) return undefined;
  reply.header('content-type', jsonType);
  if (typeof slices === 'string') return slices;
  return readableOf(slices, log, request);
}

/** The response as text, to be stored under an idempotency key. */
export function storableResponse(reply: FastifyReply, response: HandlerResponse): StoredResponse {
  if ('stream' in response) throw new Error('A download cannot be stored under an idempotency key.');
  const headers = { 'content-type': jsonType, ...response.headers };
  return { status: response.status, headers, body: serialize(reply, response) };
}

export function writeStored(reply: FastifyReply, { status, headers, body }: StoredResponse): string {
  reply.code(status).headers(headers);
  return body;
}

const jsonType = 'application/json; charset=utf-8';
/** Larger lists are sent without an ETag, because computing one would require the whole text in memory. */
const maxTaggedLength = 4 * 1024 * 1024;

function serialize(reply: FastifyReply, { status, body }: { status: number; body: unknown }): string {
  return reply.serializeInput(body as Record<string, unknown>, String(status)) as string;
}

/** Returns true and sets the status to 304 if the client's copy is current. */
function isNotModified({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const tag = reply.getHeader('etag');
  const match = typeof tag === 'string' ? findMatch(headers['if-none-match'], tag) : undefined;
  if (match === undefined) return false;
  // The client's own tag, which may be for another encoding, identifies the copy that the client has.
  reply.code(304).header('etag', match);
  return true;
}

/** Adds the hash of the text as its ETag, unless the handler has set one. */
async function tagged(
  reply: FastifyReply,
  text: string | AsyncGenerator<string>,
): Promise<string | AsyncIterable<string>> {
  if (reply.hasHeader('etag')) return text;
  const tagger = startWeakTag();
  if (typeof text === 'string') {
    tagger.add(text);
    reply.header('etag', tagger.tag());
    return text;
  }
  const slices: string[] = [];
  for (let length = 0; length <= maxTaggedLength; ) {
    const next = await text.next();
    if (next.done) {
      reply.header('etag', tagger.tag());
      return chain(slices, []);
    }
    tagger.add(next.value);
    slices.push(next.value);
    length += next.value.length;
  }
  return chain(slices, text);
}

async function* chain(first: string[], rest: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  // Not yield*, because an array's iterator has no `throw`, which is called if the client disconnects.
  for (const slice of first) yield slice;
  for await (const slice of rest) yield slice;
}

const inTurns = createStreamTurns();

/**
 * Fastify reads the stream of a response to HEAD to its end, after the response, so it is empty.
 *
 * A response that fails after its headers have been sent can only be cut off. The reason is logged, unless the client
 * disconnected, in which case Fastify destroys the stream with an error.
 */
function readableOf(parts: AsyncIterable<string | Uint8Array>, log: Log, request: FastifyRequest): Readable {
  if (request.method === 'HEAD') return Readable.from([]);
  const readable = Readable.from(inTurns(request.caller?.owner ?? '', parts), { highWaterMark: 1 });
  return readable.on('error', (error) => {
    if (!request.raw.socket.destroyed) asFailure(error, log, request.id);
  });
}
