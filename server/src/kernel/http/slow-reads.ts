import type { Route } from '@aisle/contract/route';
import type { FastifyRequest } from 'fastify';
import { isWaiting } from './admission.ts';
import { createItemSizes } from './item-sizes.ts';
import { isSlowPage } from './page.ts';

/** Decides which requests are slow reads (see `Database.runSlow`) as a whole. */
export type SlowReads = {
  isSlow(owner: string, request: FastifyRequest): boolean;
  /** `bytes` were read for the response. */
  note(owner: string, request: FastifyRequest, bytes: number): void;
};

type Query = Record<string, unknown>;

/** For one route. */
export function createSlowReads(route: Route, isSlowRoute: boolean): SlowReads {
  const sizes = createItemSizes();
  const properties = (route.query?.properties ?? {}) as Record<string, { default?: number } | undefined>;
  /** The parameter with the number of items on a page. */
  const sizeName = ['page_size', 'limit'].find((name) => properties[name] !== undefined);
  const isLimited = route.access !== 'platform' && sizeName !== undefined;
  // The query may not have been validated.
  const itemsOf = ({ query }: FastifyRequest) => {
    const given = Number((query as Query)[sizeName ?? '']);
    return given > 0 ? given : (properties[sizeName ?? '']?.default ?? 1);
  };
  return {
    isSlow(owner, request) {
      if (isSlowRoute) return true;
      if (!isLimited) return false;
      if (properties['page'] && isSlowPage(request.query as Query)) return true;
      // A request that waits for a change must not keep others waiting.
      return !isWaiting(route, request) && sizes.isLarge(owner, itemsOf(request));
    },
    note(owner, request, bytes) {
      if (isLimited) sizes.note(owner, itemsOf(request), bytes);
    },
  };
}
