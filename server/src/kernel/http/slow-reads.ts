import type { Route } from '@aisle/contract/route';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../database/db.ts';
import { isWaiting } from './admission.ts';
import { createItemSizes } from './item-sizes.ts';
import { isSlowPage } from './page.ts';

/**
 * Decides which requests for a route are slow reads (see `Database.runSlow`). A request for one large row, or one that
 * changes it, takes the process's only thread for as long, so it counts as one.
 */
export type SlowReads = {
  /** Returns the request's database, and a function that runs its work. */
  limit(db: Database, owner: string, request: FastifyRequest): LimitedReads;
  /** `bytes` were read for the request. */
  note(owner: string, request: FastifyRequest, bytes: number): void;
};

export type LimitedReads = { db: Database; run<Result>(work: () => Promise<Result>): Promise<Result> };

type Query = Record<string, unknown>;

/** Changing a row of this size takes about 10 ms. */
const largeRowBytes = 64 * 1024;

export function createSlowReads(route: Route, isSlowRoute: boolean): SlowReads {
  const properties = (route.query?.properties ?? {}) as Record<string, { default?: number } | undefined>;
  /** The parameter with the number of items on a page. Other requests concern one item. */
  const sizeName = ['page_size', 'limit'].find((name) => properties[name] !== undefined);
  const sizes = createItemSizes(sizeName === undefined ? largeRowBytes : undefined);
  // Requests for one item do not wait for the lists of their chain, which can take seconds.
  const shareOf = (owner: string) => (isSlowRoute || sizeName !== undefined ? owner : `${owner} rows`);
  const isLimited = route.access !== 'platform';
  // The query may not have been validated.
  const itemsOf = ({ query }: FastifyRequest) => {
    const given = Number((query as Query)[sizeName ?? '']);
    return given > 0 ? given : (properties[sizeName ?? '']?.default ?? 1);
  };
  const isSlow = (owner: string, request: FastifyRequest) =>
    isSlowRoute ||
    (isLimited &&
      ((properties['page'] && isSlowPage(request.query as Query)) || sizes.isLarge(owner, itemsOf(request))));
  return {
    limit(db, owner, request) {
      if (!isSlow(owner, request)) return { db, run: (work) => work() };
      return (isWaiting(route, request) ? limitStatements : limitWork)(db, shareOf(owner));
    },
    note(owner, request, bytes) {
      if (isLimited) sizes.note(owner, itemsOf(request), bytes);
    },
  };
}

function limitWork(db: Database, owner: string): LimitedReads {
  return { db: { ...db, runSlow: runAtOnce }, run: (work) => db.runSlow(owner, work) };
}

/** For a request that waits for a change. While it waits, it must not keep others waiting. */
function limitStatements(db: Database, owner: string): LimitedReads {
  const query: Database['query'] = (...statement) => db.runSlow(owner, () => db.query(...statement));
  return { db: { ...db, query, runSlow: runAtOnce }, run: (work) => work() };
}

/** For a search in a request that is limited already. */
const runAtOnce: Database['runSlow'] = (_chainId, read) => read();
