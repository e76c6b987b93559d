import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../monitoring/log.ts';
import type { StoredResponse } from './idempotency.ts';
import { type ListResponse, writeList } from './list-response.ts';

export type HandlerResponse = { status: number; headers?: Record<string, string> } & (
  | { body: unknown }
  | { stream: AsyncIterable<Uint8Array> }
);

/** Sets the status and headers, and returns the payload for Fastify to send. */
export function writeResponse(
  log: Log,
  list: ListResponse | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  response: HandlerResponse,
): unknown {
  reply.code(response.status).headers(response.headers ?? {});
  if ('stream' in response) return readableOf(response.stream, log, request);
  if (list === undefined) return response.body;
  const text = writeList(reply, list, response.body);
  reply.header('content-type', jsonType);
  if (typeof text === 'string') return text;
  // The rows stay in memory until the last slice is read, so a client that stops reading is disconnected.
  reply.raw.setTimeout(idleReaderMs, () => reply.raw.destroy());
  return readableOf(text, log, request);
}

/** The response as text, to be stored under an idempotency key. */
export function storableResponse(reply: FastifyReply, response: HandlerResponse): StoredResponse {
  if ('stream' in response) throw new Error('A download cannot be stored under an idempotency key.');
  const body = reply.serializeInput(response.body as Record<string, unknown>, String(response.status)) as string;
  const headers = { 'content-type': jsonType, ...response.headers };
  return { status: response.status, headers, body };
}

export function writeStored(reply: FastifyReply, { status, headers, body }: StoredResponse): string {
  reply.code(status).headers(headers);
  return body;
}

const jsonType = 'application/json; charset=utf-8';
const idleReaderMs = 10_000;

/** Once the headers are sent, a response that fails can only be cut off; the reason is logged. */
function readableOf(parts: AsyncIterable<string | Uint8Array>, log: Log, request: FastifyRequest): Readable {
  const readable = Readable.from(parts, { highWaterMark: 1 });
  return readable.on('error', (error) => log.error({ event: 'request.failed', request_id: request.id, err: error }));
}
