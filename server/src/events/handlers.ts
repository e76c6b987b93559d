import type { feedRoutes } from '@aisle/contract/feed';
import type { Handlers } from '../kernel/http/call.ts';
import type { Waits } from '../kernel/http/waits.ts';
import type { FeedRow } from './queries.ts';
import { feedResponse, readFeed } from './read-feed.ts';
import { visibleTypes } from './rules/visible-types.ts';

/** The part of the caller's access that the feed needs. */
type FeedAccess = { chainId: string; actor: { vendorIds: readonly string[] | null; scopes: readonly string[] } };

export function eventHandlers(waits: Waits): Handlers<typeof feedRoutes, FeedAccess> {
  return {
    async listEvents({ db, access, query }) {
      const page = await readFeed(db, waits, {
        chainId: access.chainId,
        vendorIds: access.actor.vendorIds,
        types: visibleTypes(access.actor.scopes),
        after: query.after,
        limit: query.limit ?? 100,
        waitSeconds: query.wait ?? 0,
      });
      return { status: 200, body: feedResponse(page, eventResponse) };
    },
  };
}

function eventResponse({ event_id, type, vendor_id, created_at, body }: FeedRow) {
  return { event_id, type, vendor_id, created_at: created_at.toISOString(), body };
}
