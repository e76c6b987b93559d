import type { FastifyReply } from 'fastify';
import { type BodyBudget, tinyBodyBytes } from '../bodies/budget.ts';
import { isUnavailable } from '../database/errors.ts';
import { Failure } from '../failures/failure.ts';

/**
 * Counts the memory of a response until it has been sent, because a client that reads slowly keeps all of its rows in
 * memory. Fails if too many large responses are being sent to the chain, or to all chains together.
 */
export async function reserveResponse(
  responses: BodyBudget,
  chainId: string,
  bytes: number,
  reply: FastifyReply,
): Promise<void> {
  const count = await countResponse(responses, chainId, reply);
  count.add(bytes);
}

/**
 * The same for a download, of whose content only a little is in memory. A chain could otherwise start downloads faster
 * than they are produced.
 */
export function reserveStream(responses: BodyBudget, chainId: string, reply: FastifyReply): Promise<void> {
  return reserveResponse(responses, chainId, streamBytes, reply);
}

/** A part of a file, and what compresses it. */
const streamBytes = 1024 * 1024;

export type ResponseCount = {
  /** Adds bytes that have been read for the response. */
  add(bytes: number): void;
  /** Bytes that are read later are not counted, because they are sent at once. Returns the number of bytes so far. */
  end(): number;
};

/** The same for rows that are being read. */
export async function countResponse(
  responses: BodyBudget,
  chainId: string,
  reply: FastifyReply,
): Promise<ResponseCount> {
  const reservation = await responses.reserve(chainId, 0);
  let total = 0;
  let isCounting = true;
  let isWatched = false;
  const grow = () => {
    try {
      reservation.grow(total);
    } catch (error) {
      throw isUnavailable(error) ? tooManyResponses() : error;
    }
    if (!isWatched) reply.raw.once('close', reservation.release);
    isWatched = true;
    if (reply.raw.destroyed) reservation.release();
  };
  return {
    add(bytes) {
      if (!isCounting) return;
      total += bytes;
      if (total > tinyBodyBytes) grow();
    },
    end() {
      isCounting = false;
      return total;
    },
  };
}

/** Counts the rows of a request whose response is counted when it is complete. */
export function countRows(): ResponseCount {
  let total = 0;
  return { add: (bytes) => void (total += bytes), end: () => total };
}

/**
 * Fails if responses that the chain does not read have used up its memory. For requests that change something, which
 * cannot be rejected when their response is ready.
 */
export function requireMemory(responses: BodyBudget, chainId: string): void {
  if (responses.isExhausted(chainId)) throw tooManyResponses();
}

/** Counts the memory of a complete response until it has been sent. */
export function holdResponse(responses: BodyBudget, chainId: string, payload: unknown, reply: FastifyReply): void {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return;
  const bytes = Buffer.byteLength(payload);
  if (bytes > tinyBodyBytes && !reply.raw.destroyed) reply.raw.once('close', responses.hold(chainId, bytes));
}

function tooManyResponses(): Failure {
  const detail =
    'Too many large responses are being sent at the moment. Read them to the end, or request smaller pages, and try again in 5 s.';
  return new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
}
