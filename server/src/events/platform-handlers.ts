import { platformEventTypes } from '@aisle/contract/platform-events';
import type { platformFeedRoutes } from '@aisle/contract/platform-feed';
import type { Handlers } from '../kernel/http/call.ts';
import type { Waits } from '../kernel/http/waits.ts';
import { type PlatformFeedRow, recordFeedRead } from './platform-queries.ts';
import { feedResponse } from './read-feed.ts';
import { readPlatformFeed } from './read-platform-feed.ts';

/** The ids of the chain and the vendor in a filter; implemented by `identity`, which depends on this feature. */
export type FindStore = (filter: {
  chain_id?: string | undefined;
  vendor_id?: string | undefined;
}) => Promise<{ chainId: string | null; vendorId: string | null }>;

export function platformFeedHandlers(
  waits: Waits,
  findStore: FindStore,
  isSharded: boolean,
): Handlers<typeof platformFeedRoutes, object> {
  return {
    async platformListEvents({ db, query }) {
      const { types = platformEventTypes, after, limit = 100, wait = 0 } = query;
      const store = await findStore(query);
      if (types.includes('products.changed')) await recordFeedRead(db, 'products.changed');
      const request = { ...store, types, after, limit, waitSeconds: wait };
      const page = await readPlatformFeed(db, waits, request, isSharded);
      return { status: 200, body: feedResponse(page, eventResponse) };
    },
  };
}

function eventResponse({ event_id, chain_id, type, vendor_id, created_at, body }: PlatformFeedRow) {
  return { event_id, type, chain_id, vendor_id, created_at: created_at.toISOString(), body };
}
