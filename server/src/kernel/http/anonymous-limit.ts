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
 * Limits requests without valid credentials by network address. The count is kept in memory, so that a flood does not
 * reach the database. Processes with the same supervisor exchange their counts; other processes count separately.
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

/** Other processes whose counts are added to ours. */
export type CountExchange = {
  sendCount(network: string, count: number): void;
  onCount(receive: (network: string, count: number) => void): void;
};

export function createAnonymousLimiter(limit: number, enforced: boolean, exchange?: CountExchange): AnonymousLimiter {
  let counts = new Map<string, number>();
  /** Requests that the other processes do not know of yet. */
  let unsent = new Map<string, number>();
  let endsAt = 0;
  const currentCounts = () => {
    const now = performance.now();
    if (now >= endsAt || counts.size >= maxNetworks) {
      counts = new Map();
      unsent = new Map();
      endsAt = now + windowSeconds * 1000;
    }
    return counts;
  };
  // A message for every request would help a flood, so requests are announced in blocks.
  const block = Math.max(1, Math.floor(limit / 20));
  const announce = (network: string) => {
    const count = (unsent.get(network) ?? 0) + 1;
    unsent.set(network, count % block);
    if (count === block) exchange?.sendCount(network, block);
  };
  exchange?.onCount((network, count) => {
    const own = currentCounts();
    own.set(network, (own.get(network) ?? 0) + count);
  });
  const start = (network: string): Counted => {
    if (!enforced) return { reject() {}, accept() {} };
    const own = currentCounts();
    const used = (own.get(network) ?? 0) + 1;
    own.set(network, used);
    if (exchange) announce(network);
    return {
      reject(reply) {
        if (used > limit) throw rejected(limit, Math.max(1, Math.ceil((endsAt - performance.now()) / 1000)), reply);
      },
      accept() {
        own.set(network, (own.get(network) ?? 1) - 1);
        if (exchange) unsent.set(network, (unsent.get(network) ?? 0) - 1);
      },
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
