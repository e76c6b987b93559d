import type { Route } from '@aisle/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from '../database/errors.ts';
import { Expired, Failure } from '../failures/failure.ts';
import type { AnonymousLimiter } from './anonymous-limit.ts';
import type { Caller } from './call.ts';
import { type Allowance, type RateLimiter, rateLimitHeaders } from './rate-limit.ts';

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
  /** Whether `now` includes everything that the caller could access before. Both are results of `admit`. */
  includes(now: Access, before: Access): boolean;
  /** The path parameters that `admit` looks up. A malformed id is reported as not found, not as invalid. */
  resolvedParams: readonly string[];
};

/** The path parameters and the query, before validation. */
export type Address = { params: Record<string, string>; query: Record<string, unknown> };

/** `admittedAt` is compared with `performance.now()`. */
export type Admission<Access> = { caller: Caller; access: Access; admittedAt: number };

export type AdmissionOptions<C extends Caller, Access> = {
  gate: Gate<C, Access>;
  limiter: RateLimiter;
  anonymous: AnonymousLimiter;
  /** A group's limit is this many times the limit of a single caller. */
  groupFactor: number;
};

/** Identifies the caller, counts the request, and then checks access. Runs before the body is read. */
export async function admit<C extends Caller, Access>(
  options: AdmissionOptions<C, Access>,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission<Access>> {
  const { gate, limiter, anonymous } = options;
  // Set first, so that a response has these headers even if the request is rejected before it is counted.
  reply.headers(rateLimitHeaders(route.rateLimit, limiter.fullAllowance(route.rateLimit)));
  const recognize = (known: Caller) => {
    request.caller = known;
    request.logged = known.logged;
  };
  const caller = await gate.identify(route, request.headers, request as Address, recognize).catch((error: unknown) => {
    // Without the database, it is not known whether the credentials are valid.
    if (!isUnavailable(error)) anonymous.count(request.network, reply);
    throw error;
  });
  // Handlers of these routes count by client id or email address, which only they can read.
  const isCountedByHandler =
    route.access === 'public' && (route.rateLimit === 'token' || route.rateLimit === 'sign_in');
  if (!isCountedByHandler) {
    const subject = route.access === 'public' ? request.network : caller.subject;
    const own = await countRequest(limiter, route, subject, reply);
    if (caller.group) await countForGroup(options, route, caller.group, own, reply);
  }
  const access = await gate.admit(caller, route, request.params as Record<string, string>);
  return { caller, access, admittedAt: performance.now() };
}

/** Whether the request waits for a change (long polling). */
export function isWaiting({ query }: Route, request: FastifyRequest): boolean {
  const given = request.query as Record<string, unknown>;
  return ['wait', 'wait_seconds'].some((name) => given[name] !== undefined && query?.properties[name] !== undefined);
}

/**
 * Fails if the caller has lost access since the request was admitted. From then on, a request can take minutes: its body
 * can arrive slowly, and it can wait for a change.
 */
export async function confirmAccess<C extends Caller, Access>(
  { gate }: Pick<AdmissionOptions<C, Access>, 'gate'>,
  route: Route,
  request: FastifyRequest,
): Promise<void> {
  const { access: before } = request.admission as Admission<Access>;
  const caller = await gate.identify(route, request.headers, request as Address, () => {});
  const access = await gate.admit(caller, route, request.params as Record<string, string>);
  if (!gate.includes(access, before)) throw lostAccess();
}

/**
 * Ends a download whose caller loses access, because a client can take hours to read it. A download continues if the
 * caller's credential expires.
 */
export async function* whileAllowed<C extends Caller, Access, Part>(
  options: Pick<AdmissionOptions<C, Access>, 'gate'>,
  route: Route,
  request: FastifyRequest,
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part> {
  let confirmedAt = performance.now();
  let hasExpired = false;
  for await (const part of parts) {
    if (!hasExpired && performance.now() - confirmedAt > confirmMs) {
      try {
        await confirmAccess(options, route, request);
      } catch (error) {
        hasExpired = error instanceof Expired;
        if (!hasExpired && !isUnavailable(error)) throw error;
      }
      confirmedAt = performance.now();
    }
    yield part;
  }
}

const confirmMs = 1000;

/** Most requests are complete when they are admitted, or soon after. They are not checked again. */
export function isRecent({ admission }: FastifyRequest): boolean {
  return performance.now() - (admission?.admittedAt ?? 0) < recentMs;
}

const recentMs = 100;

function lostAccess(): Failure {
  return new Failure('forbidden', 'Your access was limited while the request was being handled; send it again.');
}

export async function countRequest(
  limiter: RateLimiter,
  route: Route,
  subject: string,
  reply: FastifyReply,
  factor?: number,
): Promise<Allowance> {
  const allowance = await limiter.take(subject, route.rateLimit, factor);
  reply.headers(rateLimitHeaders(route.rateLimit, allowance));
  if (allowance.allowed) return allowance;
  throw rateLimited(`The limit is ${allowance.limit} requests per minute`, allowance);
}

/** The headers show the group's limit if fewer requests remain in it than in the caller's own limit. */
async function countForGroup<C extends Caller, Access>(
  { limiter, groupFactor }: AdmissionOptions<C, Access>,
  route: Route,
  group: NonNullable<Caller['group']>,
  own: Allowance,
  reply: FastifyReply,
): Promise<void> {
  const allowance = await limiter.take(group.subject, route.rateLimit, groupFactor);
  if (allowance.allowed && allowance.remaining >= own.remaining) return;
  reply.headers(rateLimitHeaders(`${route.rateLimit}_chain`, allowance));
  if (allowance.allowed) return;
  throw rateLimited(
    `The chain's limit is ${allowance.limit} requests per minute, for all of its ${group.name} together`,
    allowance,
  );
}

function rateLimited(limit: string, { resetSeconds }: Allowance): Failure {
  const detail = `${limit}; try again in ${resetSeconds} s.`;
  return new Failure('rate_limited', detail, { headers: { 'retry-after': String(resetSeconds) } });
}
