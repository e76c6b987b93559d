import type { Route } from '@aisle/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../failures/failure.ts';
import type { Caller } from './call.ts';
import { type RateLimiter, rateLimitHeaders } from './rate-limit.ts';

/**
 * Admission has two steps, so that a request is counted against the rate limit before the response reveals what exists.
 */
export type Gate<C extends Caller, Access> = {
  /** Calls `recognize` with the caller before checking the credential, so that the log can include the caller. */
  identify(
    route: Route,
    headers: FastifyRequest['headers'],
    address: Address,
    recognize: (caller: C) => void,
  ): Promise<C>;
  admit(caller: C, route: Route, params: Record<string, string>): Promise<Access>;
  /** The path parameters that `admit` looks up. A malformed id is reported as not found, not as invalid. */
  resolvedParams: readonly string[];
};

/** The path parameters and the query, before validation. */
export type Address = { params: Record<string, string>; query: Record<string, unknown> };

export type Admission<Access> = { caller: Caller; access: Access };

/** Identifies the caller, counts the request, and then checks access. Runs before the body is read. */
export async function admit<C extends Caller, Access>(
  gate: Gate<C, Access>,
  limiter: RateLimiter,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission<Access>> {
  // Set first, so that a response has these headers even if the request is rejected before it is counted.
  reply.headers(rateLimitHeaders(route.rateLimit, limiter.fullAllowance(route.rateLimit)));
  const caller = await gate.identify(route, request.headers, request as Address, (known) => {
    request.caller = known;
    request.logged = known.logged;
  });
  // The token endpoint is counted by client id, which only its handler can read.
  if (route.rateLimit !== 'token') {
    const subject = route.access === 'public' ? request.ip : caller.subject;
    await countRequest(limiter, route, subject, reply);
  }
  const access = await gate.admit(caller, route, request.params as Record<string, string>);
  return { caller, access };
}

export async function countRequest(
  limiter: RateLimiter,
  route: Route,
  subject: string,
  reply: FastifyReply,
): Promise<void> {
  const allowance = await limiter.take(subject, route.rateLimit);
  reply.headers(rateLimitHeaders(route.rateLimit, allowance));
  if (allowance.allowed) return;
  const seconds = String(allowance.resetSeconds);
  throw new Failure('rate_limited', `The limit is ${allowance.limit} requests per minute; try again in ${seconds} s.`, {
    headers: { 'retry-after': seconds },
  });
}
