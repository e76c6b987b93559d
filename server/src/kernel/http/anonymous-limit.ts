import type { FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../failures/failure.ts';
import { type Allowance, rateLimitHeaders, windowSeconds } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether requests without credentials are counted: always, never, or only once the credentials have failed. With
     * `until-accepted`, the credentials are in the body, so the request is counted first, and rejected only if it fails.
     */
    anonymous?: 'counted' | 'unlimited' | 'if-rejected' | 'until-accepted';
  }
  interface FastifyRequest {
    /** The request's entry in the count of its network, until its credentials have been accepted. */
    counted?: Counted;
  }
}

/**
 * Limits requests without valid credentials by network address. The count is kept in memory, separately in each
 * process, so that a flood does not reach the database.
 */
export type AnonymousLimiter = {
  /** Fails if the network has used up its limit. */
  count(network: string, reply: FastifyReply): void;
  /** Counts a request without rejecting it. */
  start(network: string): Counted;
};

export type Counted = {
  /** Fails if the network had used up its limit. */
  reject(reply: FastifyReply): void;
  /** Removes the request from the count, because its credentials are valid. */
  accept(): void;
};

export function createAnonymousLimiter(limit: number, enforced: boolean): AnonymousLimiter {
  let counts = new Map<string, number>();
  let endsAt = 0;
  const start = (network: string): Counted => {
    if (!enforced) return { reject() {}, accept() {} };
    const now = performance.now();
    if (now >= endsAt || counts.size >= maxNetworks) {
      counts = new Map();
      endsAt = now + windowSeconds * 1000;
    }
    const own = counts;
    const used = (own.get(network) ?? 0) + 1;
    own.set(network, used);
    return {
      reject(reply) {
        if (used > limit) throw rejected(limit, Math.max(1, Math.ceil((endsAt - performance.now()) / 1000)), reply);
      },
      accept: () => void own.set(network, (own.get(network) ?? 1) - 1),
    };
  };
  return { start, count: (network, reply) => start(network).reject(reply) };
}

/** Counts requests to routes that need no credentials, and requests that match no route. */
export function limitAnonymousRequests(app: FastifyInstance, limiter: AnonymousLimiter): void {
  app.addHook('onRequest', async (request, reply) => {
    const { anonymous = 'counted' } = request.routeOptions.config ?? {};
    if (anonymous === 'counted') limiter.count(request.network, reply);
    if (anonymous === 'until-accepted') request.counted = limiter.start(request.network);
  });
}

/** For health checks and metrics, which must not fail because of other requests from the same address. */
export const unlimited = { config: { anonymous: 'unlimited' } as FastifyContextConfig };

/** Bounds the memory. More networks than this in a minute mean that the limit does not help anyway. */
const maxNetworks = 200_000;

function rejected(limit: number, seconds: number, reply: FastifyReply): Failure {
  const allowance: Allowance = { allowed: false, limit, remaining: 0, resetSeconds: seconds };
  reply.headers(rateLimitHeaders('anonymous', allowance));
  const detail = `The limit for requests without valid credentials is ${limit} per minute from one address; try again in ${seconds} s.`;
  return new Failure('rate_limited', detail, { headers: { 'retry-after': String(seconds) } });
}
