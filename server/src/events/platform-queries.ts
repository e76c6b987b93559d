import type { PlatformEventBody, PlatformEventType } from '@aisle/contract/platform-events';
import type { Db, Tx } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import { eventNumber, recordedChannel } from './queries.ts';

/** An event that only the platform sees. Events with the same subject are delivered in sequence. */
export type NewPlatformEvent<Type extends PlatformEventType = PlatformEventType> = {
  [Each in Type]: {
    type: Each;
    body: PlatformEventBody<Each>;
    vendorId: string | null;
    orderId?: string;
    subject: string;
  };
}[Type];

export type PlatformFeedRow = {
  chain_id: string;
  event_id: string;
  type: PlatformEventType;
  vendor_id: string | null;
  created_at: Date;
  body: Record<string, unknown>;
  position: string;
};

/** Null means all. */
export type PlatformFilter = { types: readonly string[]; chainId: string | null; vendorId: string | null };

/**
 * Records an event for the platform in the transaction that causes it. The caller must hold the lock on the event's
 * subject, because events are published in the order they were written. They have the same numbers as partners' events.
 * Give `changedAt` as for those.
 */
export function recordPlatformEvent<Type extends PlatformEventType>(
  tx: Tx,
  chainId: string,
  event: NewPlatformEvent<Type>,
  changedAt?: Date,
): void {
  const { type, vendorId, orderId = null, subject, body } = event;
  const values = [chainId, newId(), type, vendorId, orderId, subject, JSON.stringify(body)];
  const columns = 'chain_id, event_id, type, vendor_id, order_id, subject, body, event_no';
  if (tx.isDistributed && changedAt) {
    tx.send(`insert into platform_events (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8)`, [
      ...values,
      eventNumber(changedAt, 1),
    ]);
  } else {
    tx.send(
      `insert into platform_events (${columns})
       values ($1, $2, $3, $4, $5, $6, $7, nextval(pg_get_serial_sequence('events', 'event_no')))`,
      values,
    );
  }
  tx.announce(recordedChannel);
}

/** The position of the newest event that the platform can see. */
export async function findNewestPlatformPosition(db: Db): Promise<string> {
  const rows = await db.query<{ position: string }>(`select ${newestSql} as position`);
  return rows[0]?.position ?? '0';
}

const newestSql = `greatest(
  (select coalesce(max(position), 0) from events where position is not null and order_id is not null),
  (select coalesce(max(position), 0) from platform_events where position is not null))`;

/**
 * The next events of all chains that the platform can see, from both tables. All positions are from one sequence, and a
 * reader that sees a position sees all lower ones, so a position is a cursor across chains. The newest position comes
 * from the same snapshot.
 */
export function listPlatformFeed(
  db: Db,
  filter: PlatformFilter,
  after: string,
  limit: number,
): Promise<(Partial<PlatformFeedRow> & { last_position: string })[]> {
  return db.query(
    `select page.*, newest.position as last_position from (select ${newestSql} as position) newest
     left join lateral (${feedSql(filter)}) page on true
     order by page.position`,
    [after, null, ...feedValues(filter, limit)],
  );
}

/** The same on a distributed database, up to a position (see `findWatermark`). */
export function listPlatformFeedUpTo(
  db: Db,
  filter: PlatformFilter,
  { after, upTo }: { after: string; upTo: string },
  limit: number,
): Promise<PlatformFeedRow[]> {
  return db.query(feedSql(filter), [after, upTo, ...feedValues(filter, limit)]);
}

function feedSql({ chainId }: PlatformFilter): string {
  const matching = `position > $1 and ($2::bigint is null or position <= $2) and type = any ($3)
    ${chainId === null ? 'and $4::uuid is null' : 'and chain_id = $4'}
    and ($5::text is null or vendor_id = $5) order by position limit $6`;
  const columns = 'chain_id, event_id, type, vendor_id, created_at, body, position';
  return `(select ${columns} from events where order_id is not null and ${matching})
    union all
    (select ${columns} from platform_events where ${matching})
    order by position limit $6`;
}

function feedValues({ types, chainId, vendorId }: PlatformFilter, limit: number): unknown[] {
  return [types, chainId, vendorId, limit];
}

/** Remembers that the platform reads this type of event, at most once per hour. */
export async function recordFeedRead(db: Db, type: PlatformEventType): Promise<void> {
  await db.query(
    `insert into platform_feed_reads (type, read_at) values ($1, now())
     on conflict (type) do update set read_at = excluded.read_at
     where platform_feed_reads.read_at < now() - interval '1 hour'`,
    [type],
  );
}

/** Whether the platform has read this type of event in the last days. */
export async function hasFeedRead(db: Db, type: PlatformEventType, days: number): Promise<boolean> {
  const rows = await db.query(
    'select 1 from platform_feed_reads where type = $1 and read_at > now() - make_interval(days => $2)',
    [type, days],
  );
  return rows.length > 0;
}
