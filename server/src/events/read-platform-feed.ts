import type { Db } from '../kernel/database/db.ts';
import type { Waits } from '../kernel/http/waits.ts';
import {
  findNewestPlatformPosition,
  listPlatformFeed,
  type PlatformFeedRow,
  type PlatformFilter,
} from './platform-queries.ts';
import { type Feed, readWhenReady } from './read-feed.ts';

/** What readers of all chains wait for. */
export const anyChain = '*';

export type PlatformFeedRequest = PlatformFilter & Feed;

/** Returns the next events of all chains. If there are none, waits up to `waitSeconds` for them. */
export function readPlatformFeed(
  db: Db,
  waits: Waits,
  request: PlatformFeedRequest,
): Promise<{ rows: PlatformFeedRow[]; cursor: string }> {
  return readWhenReady(waits, anyChain, request, {
    newest: () => findNewestPlatformPosition(db),
    list: (after, limit) => listPlatformFeed(db, request, after, limit),
  });
}
