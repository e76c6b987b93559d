import type { Db } from '../kernel/database/db.ts';
import type { Waits } from '../kernel/http/waits.ts';
import { type FeedRow, findNewestPosition, listFeed } from './queries.ts';

export type FeedRequest = {
  chainId: string;
  vendorIds: readonly string[] | null;
  types: readonly string[] | null;
  /** A position, or `latest`. */
  after: string;
  limit: number;
  waitSeconds: number;
};

/** Readers also poll, because a notification is lost if its connection breaks. */
const pollMs = 5000;

export type FeedPage = { rows: FeedRow[]; cursor: string };

/** Returns the next events. If there are none, waits up to `waitSeconds` for them. */
export async function readFeed(db: Db, waits: Waits, request: FeedRequest): Promise<FeedPage> {
  const deadline = performance.now() + request.waitSeconds * 1000;
  // Registered before the first read, so that no event is missed between reading and waiting.
  const wait = waits.begin(request.chainId);
  try {
    const after = request.after === 'latest' ? await findNewestPosition(db, request.chainId) : request.after;
    for (;;) {
      const page = await readPage(db, { ...request, after: after ?? '0' });
      const left = deadline - performance.now();
      if (page.rows.length > 0 || left <= 0 || wait.hasEnded()) return page;
      await wait.next(Math.min(left, pollMs));
    }
  } finally {
    wait.done();
  }
}

async function readPage(db: Db, { chainId, after, limit, ...visible }: FeedRequest): Promise<FeedPage> {
  const found = await listFeed(db, chainId, visible, after, limit);
  const rows = found.filter((row): row is typeof row & FeedRow => row.event_id !== null && row.event_id !== undefined);
  if (rows.length === limit) return { rows, cursor: rows.at(-1)?.position ?? after };
  return { rows, cursor: maxPosition(after, found[0]?.last_position ?? '0') };
}

function maxPosition(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b;
}
