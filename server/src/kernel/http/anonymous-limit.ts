import type { FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../failures/failure.ts';
import { type Allowance, rateLimitHeaders, windowSeconds } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests without credentials are counted: always, never, or only once the credentials have failed. */
    anonymous?: 'counted' | 'unlimited' | 'if-rejected';
  }
}

/**
 * Limits requests without valid credentials by network address. The count is kept in memory, separately in each
 * process, so that a flood does not reach the database.
 */
export type AnonymousLimiter = {
  /** Fails if the network has used up its limit. */
  count(network: string, reply: FastifyReply): void;
};

export function createAnonymousLimiter(limit: number, enforced: boolean): AnonymousLimiter {
  let counts = new Map<string, number>();
  let endsAt = 0;
  return {
    count(network, reply) {
      if (!enforced) return;
      const now = performance.now();
      if (now >= endsAt || counts.size >= maxNetworks) {
        counts = new Map();
        endsAt = now + windowSeconds * 1000;
      }
      const used = (counts.get(network) ?? 0) + 1;
      counts.set(network, used);
      if (used > limit) throw rejected(limit, Math.ceil((endsAt - now) / 1000), reply);
    },
  };
}

/** Counts requests to routes that need no credentials, and requests that match no route. */
export function limitAnonymousRequests(app: FastifyInstance, limiter: AnonymousLimiter): void {
  app.addHook('onRequest', async (request, reply) => {
    if ((request.routeOptions.config?.anonymous ?? 'counted') === 'counted') limiter.count(request.network, reply);
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
