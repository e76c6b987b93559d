import type { Database } from '../kernel/database/db.ts';
import { receivedBytes } from '../kernel/database/statement.ts';
import type { Waits } from '../kernel/http/waits.ts';
import { isFarBehind } from './feed-queries.ts';
import { type FeedRow, findNewestPosition, listFeed } from './queries.ts';

/** Where and how to read a feed. */
export type Feed = {
  /** A position, `latest`, or undefined for the oldest event. */
  after: string | undefined;
  limit: number;
  waitSeconds: number;
};
export type FeedRequest = Feed & {
  chainId: string;
  vendorIds: readonly string[] | null;
  types: readonly string[] | null;
};

/** Readers also poll, because a notification is lost if its connection breaks. */
const pollMs = 5000;

/** `hasGap`: whether events after the reader's position were deleted before this page was read. */
export type FeedPage<Row = FeedRow> = { rows: Row[]; cursor: string; hasGap: boolean };

/** Returns the next events. If there are none, waits up to `waitSeconds` for them. */
export function readFeed(db: Database, waits: Waits, request: FeedRequest): Promise<FeedPage> {
  const { chainId, vendorIds, types } = request;
  const isFiltered = vendorIds !== null || types !== null;
  let deleted: string | null = null;
  return readWhenReady(waits, chainId, request, {
    deleted: async () => deleted,
    newest: () => findNewestPosition(db, chainId),
    async list(after, limit) {
      const read = async () => {
        const found = await listFeed(db, chainId, request, after, limit);
        deleted = found[0]?.deleted_position ?? null;
        return found;
      };
      // Events that the caller cannot see are read too.
      return isFiltered && (await isFarBehind(db, chainId, after)) ? db.runSlow(chainId, read) : read();
    },
  });
}

/** A page as in responses. */
export function feedResponse<Row, Event>({ rows, cursor, hasGap }: FeedPage<Row>, eventOf: (row: Row) => Event) {
  return { events: rows.values().map(eventOf), next_cursor: cursor, ...(hasGap && { has_gap: true as const }) };
}

type Listed<Row> = (Partial<Row> & { last_position: string | null })[];

/** Reads the events after a position. If there are none, waits for `subject` to change. */
export async function readWhenReady<Row extends { event_id: string; position: string }>(
  waits: Waits,
  subject: string,
  { after: from, limit, waitSeconds }: Feed,
  source: FeedSource<Row>,
): Promise<FeedPage<Row>> {
  const deadline = performance.now() + waitSeconds * 1000;
  // Registered before the first read, so that no event is missed between reading and waiting.
  const wait = waits.begin(subject);
  try {
    const after = (from === 'latest' ? await source.newest() : from) ?? '0';
    for (;;) {
      const page = await readPage(source, after, limit, from !== undefined && from !== 'latest');
      const left = deadline - performance.now();
      if (page.rows.length > 0 || left <= 0 || wait.hasEnded()) return page;
      await wait.next(Math.min(left, pollMs));
    }
  } finally {
    wait.done();
  }
}

type FeedSource<Row> = {
  newest(): Promise<string | undefined>;
  /** The highest position of an event that was deleted before the last call of `list`. Null if none was. */
  deleted(): Promise<string | null>;
  list(after: string, limit: number): Promise<Listed<Row>>;
};

/** Events can be large, so a page is read in steps, and is full when it has this size. */
const stepRows = 25;
const maxPageBytes = 16 * 1024 * 1024;

async function readPage<Row extends { event_id: string; position: string }>(
  source: FeedSource<Row>,
  after: string,
  limit: number,
  isContinued: boolean,
): Promise<FeedPage<Row>> {
  const page: FeedPage<Row> = { rows: [], cursor: after, hasGap: false };
  for (let bytes = 0; page.rows.length < limit && bytes < maxPageBytes; ) {
    const step = Math.min(stepRows, limit - page.rows.length);
    const found = await source.list(page.cursor, step);
    // A reader without a position starts with the oldest event that exists.
    const hasPosition = isContinued || page.rows.length > 0;
    const deleted = (await source.deleted()) ?? '0';
    page.hasGap ||= hasPosition && BigInt(page.cursor) < BigInt(deleted);
    const rows = found.filter((row): row is typeof row & Row => row.event_id !== null && row.event_id !== undefined);
    page.rows.push(...rows);
    bytes += receivedBytes(found);
    if (rows.length < step) {
      // If the newest events were deleted, the reader continues after them. Otherwise, each page would have this gap.
      const newest = maxPosition(found[0]?.last_position ?? '0', deleted);
      return { ...page, cursor: maxPosition(page.cursor, newest) };
    }
    page.cursor = rows.at(-1)?.position ?? page.cursor;
  }
  return page;
}

function maxPosition(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b;
}
