import type { FastifyReply } from 'fastify';
import type { BodyBudget } from '../bodies/budget.ts';
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
  const reservation = await responses.reserve(chainId, 0);
  try {
    reservation.grow(bytes);
  } catch (error) {
    throw isUnavailable(error) ? tooManyResponses() : error;
  }
  reply.raw.once('close', reservation.release);
  if (reply.raw.destroyed) reservation.release();
}

function tooManyResponses(): Failure {
  const detail =
    'Too many large responses are being sent at the moment. Read them to the end, or request smaller pages, and try again in 5 s.';
  return new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
}
