import type { Db } from '../kernel/database/db.ts';
import type { Waits } from '../kernel/http/waits.ts';
import { findDeletedForPlatform } from './deletion-queries.ts';
import {
  findNewestPlatformPosition,
  listPlatformFeed,
  listPlatformFeedUpTo,
  type PlatformFeedRow,
  type PlatformFilter,
} from './platform-queries.ts';
import { type Feed, type FeedPage, readWhenReady } from './read-feed.ts';
import { findWatermark } from './watermark-queries.ts';

/** What readers of all chains wait for. */
export const anyChain = '*';

export type PlatformFeedRequest = PlatformFilter & Feed;

/**
 * Returns the next events of all chains. If there are none, waits up to `waitSeconds` for them. `isSharded` says whether
 * the database is distributed.
 */
export function readPlatformFeed(
  db: Db,
  waits: Waits,
  request: PlatformFeedRequest,
  isSharded: boolean,
): Promise<FeedPage<PlatformFeedRow>> {
  return readWhenReady<PlatformFeedRow>(waits, anyChain, request, {
    ...(isSharded ? shardedFeed(db, request) : wholeFeed(db, request)),
    deleted: () => findDeletedForPlatform(db, request),
  });
}

function wholeFeed(db: Db, request: PlatformFeedRequest) {
  return {
    newest: () => findNewestPlatformPosition(db),
    list: (after: string, limit: number) => listPlatformFeed(db, request, after, limit),
  };
}

function shardedFeed(db: Db, request: PlatformFeedRequest) {
  return {
    newest: () => findWatermark(db),
    async list(after: string, limit: number) {
      const upTo = await findWatermark(db);
      const rows = await listPlatformFeedUpTo(db, request, { after, upTo }, limit);
      // The array stays the same, because its size is known (see `receivedBytes`).
      for (const row of rows) Object.assign(row, { last_position: upTo });
      return rows.length > 0 ? (rows as (PlatformFeedRow & { last_position: string })[]) : [{ last_position: upTo }];
    },
  };
}
