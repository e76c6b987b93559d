import type { EventBody, EventType } from '@aisle/contract/events';
import { type Db, idleLimit, type Tx } from '../kernel/database/db.ts';
import { locks, namedLock } from '../kernel/database/locks.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';
import { newId } from '../kernel/values/ids.ts';
import { deletedOfChain } from './deletion-queries.ts';

/** The order or job an event is about. Events about the same order or job are delivered in sequence. */
export type Subject = { orderId: string; jobId?: never } | { jobId: string; orderId?: never };

/** An event to record. Distributes over a union of types, so that type and body always match. */
export type NewEvent<Type extends EventType = EventType> = {
  [Each in Type]: { type: Each; body: EventBody<Each>; vendorId: string | null; about: Subject };
}[Type];

/** An event with its position in the feed, without its body. `subject` is null unless only the platform sees the event. */
export type PublishedEvent = {
  chain_id: string;
  event_id: string;
  position: string;
  type: string;
  vendor_id: string | null;
  order_id: string | null;
  job_id: string | null;
  created_at: Date;
  subject: string | null;
};

export type UnpublishedEvent = Omit<PublishedEvent, 'position'>;

export type FeedRow = {
  event_id: string;
  type: EventType;
  vendor_id: string | null;
  created_at: Date;
  body: Record<string, unknown>;
  position: string;
};

export const recordedChannel = 'aisle_events_recorded';
export const publishedChannel = 'aisle_events_published';

/**
 * Records an event, with the body every receiver gets, in the transaction that causes the event. Returns the event's
 * id. The caller must hold the lock on the event's order or job, because events are published in the order they were
 * written. Give `changedAt` if a node of a distributed database can execute the transaction (see `eventNumber`).
 */
export function recordEvent<Type extends EventType>(
  tx: Tx,
  chainId: string,
  event: NewEvent<Type>,
  changedAt?: Date,
): string {
  const eventId = newId();
  const { orderId = null, jobId = null } = event.about;
  const values = [chainId, eventId, event.type, event.vendorId, orderId, jobId, JSON.stringify(event.body)];
  const columns = 'chain_id, event_id, type, vendor_id, order_id, job_id, body';
  if (tx.isDistributed && changedAt) {
    tx.send(
      `insert into events (${columns}, event_no) overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [...values, eventNumber(changedAt)],
    );
  } else tx.send(`insert into events (${columns}) values ($1, $2, $3, $4, $5, $6, $7)`, values);
  tx.announce(recordedChannel, chainId);
  return eventId;
}

/**
 * The number of an event on a distributed database, where each node has its own range of a sequence: events of one order
 * whose transactions began on different nodes would be published in the order of the nodes. So they have the time of the
 * change in microseconds, which is later than that of the order's previous change. Other events have smaller numbers from
 * the coordinator's sequence; they are about other subjects.
 */
export function eventNumber(changedAt: Date, index: 0 | 1 = 0): number {
  return changedAt.getTime() * 1000 + index;
}

/** A mistake to make when an event is first delivered. See the migration 0026. */
export type StagedFault = 'HELD' | 'FORGED' | 'STALE';

/** Stages a fault for events that this transaction has recorded. Published events are not affected. */
export async function stageFault(
  tx: Tx,
  chainId: string,
  orderId: string,
  type: EventType,
  fault: StagedFault,
): Promise<void> {
  await tx.query(
    'update events set staged_fault = $4 where chain_id = $1 and order_id = $2 and type = $3 and position is null',
    [chainId, orderId, type, fault],
  );
}

export async function hasEvent(db: Db, chainId: string, eventId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from events where chain_id = $1 and event_id = $2
     union all select 1 from platform_events where chain_id = $1 and event_id = $2`,
    [chainId, eventId],
  );
  return rows.length > 0;
}

/**
 * Waits until no process is publishing the chain's events, and prevents publishing until the transaction ends. If the
 * database is not distributed, the events of all chains are published together, so those of all chains wait.
 */
export async function lockPublishing(tx: Tx, chainId: string): Promise<void> {
  await tx.query(
    `select ${idleLimit()}, pg_advisory_xact_lock_shared(${locks.publishing}),
       pg_advisory_xact_lock(${namedLock('publishing')})`,
    [chainId],
  );
}

/** The same for the events of all chains, on a distributed database too. */
export async function lockAllPublishing(tx: Tx): Promise<void> {
  await tx.query(`select ${idleLimit()}, pg_advisory_xact_lock(${locks.publishing})`);
}

/**
 * Makes this process the publisher of the scope, and waits in line with the transactions that have locked publishing. If
 * it only tried, many such transactions could keep it out. Returns false if another process is the publisher.
 */
export async function becomePublisher(tx: Tx, scope: Scope): Promise<boolean> {
  const rows = await tx.query<{ is_publisher: boolean | null }>(
    `select ${idleLimit()}, case when pg_try_advisory_xact_lock(${scope === null ? locks.publisher : namedLock('publisher')})
       then (select true from ${scope === null ? `pg_advisory_xact_lock(${locks.publishing})` : publishingOfChain}) end
       as is_publisher`,
    scope === null ? [] : [scope],
  );
  return rows[0]?.is_publisher ?? false;
}

const publishingOfChain = `pg_advisory_xact_lock_shared(${locks.publishing}), pg_advisory_xact_lock(${namedLock('publishing')})`;

/**
 * Skips positions that may have been assigned after the restored backup was made, or that a failover has lost. Otherwise
 * new events would reuse them, and a client that has already read past these positions would never see the new events.
 *
 * The next position is the time in units of 10 µs, which no publisher keeps up with. So it is also higher than those that
 * were assigned after an earlier restore of the same backup. If the clock is behind, a billion positions are skipped.
 */
export async function skipPositions(db: Db): Promise<void> {
  await db.query(
    `select setval('event_positions', case when time > next then time else next + 1000000000 end)
     from (select nextval('event_positions') as next, (extract(epoch from clock_timestamp()) * 100000)::bigint as time) p`,
  );
}

/**
 * The oldest unpublished events, of partners and of the platform. Those of the platform have a subject.
 *
 * A distributed database plans a statement about one table in a tenth of the time, and most chains have no events that
 * only the platform sees. If there are none after those of partners were read, there were none before either, so none
 * with a lower number is left out.
 */
export async function listUnpublished(tx: Tx, scope: Scope, limit: number): Promise<UnpublishedEvent[]> {
  if (scope === null) return listAllUnpublished(tx, scope, limit);
  const [partner, platform] = await Promise.all([
    tx.query<UnpublishedEvent>(
      `select chain_id, event_id, type, vendor_id, order_id, job_id, created_at, null::text as subject from events
       where chain_id = $1 and position is null order by event_no limit $2`,
      [scope, limit],
    ),
    tx.query('select 1 from platform_events where chain_id = $1 and position is null limit 1', [scope]),
  ]);
  return platform.length === 0 ? partner : listAllUnpublished(tx, scope, limit);
}

function listAllUnpublished(tx: Tx, scope: Scope, limit: number): Promise<UnpublishedEvent[]> {
  return tx.query(
    `select chain_id, event_id, type, vendor_id, order_id, job_id, created_at, subject from (
       (select e.chain_id, e.event_id, e.event_no, e.type, e.vendor_id, e.order_id, e.job_id, e.created_at,
          null::text as subject
        from events e where e.position is null and ${inScope('e', '$1')} order by e.event_no limit $2)
       union all
       (select e.chain_id, e.event_id, e.event_no, e.type, e.vendor_id, e.order_id, null, e.created_at, e.subject
        from platform_events e where e.position is null and ${inScope('e', '$1')} order by e.event_no limit $2)
     ) fresh order by event_no limit $2`,
    [scope, limit],
  );
}

/** A sharded database cannot take numbers from a sequence in the statement that uses them. */
export async function takePositions(tx: Tx, count: number): Promise<string[]> {
  const rows = await tx.query<{ position: string }>(
    "select nextval('event_positions') as position from generate_series(1, $1)",
    [count],
  );
  return rows.map(({ position }) => position);
}

export function assignPositions(tx: Tx, scope: Scope, events: PublishedEvent[]): void {
  assignIn(tx, 'events', scope, events);
}

export function assignPlatformPositions(tx: Tx, scope: Scope, events: PublishedEvent[]): void {
  assignIn(tx, 'platform_events', scope, events);
}

function assignIn(tx: Tx, table: 'events' | 'platform_events', scope: Scope, events: PublishedEvent[]): void {
  if (events.length === 0) return;
  // About one table only: for a chain that is new, a join could compare all its events with all values of the array.
  if (scope !== null) {
    tx.send(
      `update ${table} set position = ($3::bigint[])[array_position($2::uuid[], event_id)]
       where chain_id = $1 and event_id = any ($2)`,
      [scope, events.map((event) => event.event_id), events.map((event) => event.position)],
    );
    return;
  }
  tx.send(
    `update ${table} e set position = given.position
     from unnest($2::uuid[], $3::uuid[], $4::bigint[]) as given (chain_id, event_id, position)
     where ${inScope('e', '$1')} and e.chain_id = given.chain_id and e.event_id = given.event_id`,
    [
      scope,
      events.map((event) => event.chain_id),
      events.map((event) => event.event_id),
      events.map((event) => event.position),
    ],
  );
}

/** The chains that have unpublished events, among these or (null) all chains. */
export async function listUnpublishedChains(db: Db, chainIds: readonly string[] | null): Promise<string[]> {
  const rows = await db.query<{ chain_id: string }>(
    `select chain_id from events where position is null and ($1::uuid[] is null or chain_id = any ($1))
     union
     select chain_id from platform_events where position is null and ($1::uuid[] is null or chain_id = any ($1))`,
    [chainIds],
  );
  return rows.map(({ chain_id }) => chain_id);
}

const unpublished = `(
  select event_id, event_no from events where position is null
  union all
  select event_id, event_no from platform_events where position is null
) unpublished`;

/** The event that is published next, or undefined if all events have been published. */
export async function findNextUnpublished(db: Db): Promise<string | undefined> {
  const rows = await db.query<{ event_id: string }>(`select event_id from ${unpublished} order by event_no limit 1`);
  return rows[0]?.event_id;
}

/** The number of events without a position, across all chains. */
export async function countUnpublished(db: Db): Promise<number> {
  const rows = await db.query<{ count: number }>(`select count(*)::int as count from ${unpublished}`);
  return rows[0]?.count ?? 0;
}

/**
 * The notification lists the chains, so that only their readers wake up. If the list would be too long, it is empty,
 * which means all chains.
 */
export function notifyPublished(tx: Tx, chainIds: string[]): void {
  const names = chainIds.length > 200 ? '' : chainIds.join(' ');
  tx.send('select pg_notify($1, $2)', [publishedChannel, names]);
}

/** The position of the chain's newest published event. */
export async function findNewestPosition(db: Db, chainId: string): Promise<string | undefined> {
  const rows = await db.query<{ position: string | null }>(
    'select max(position) as position from events where chain_id = $1',
    [chainId],
  );
  return rows[0]?.position ?? undefined;
}

/** Null `vendorIds` means all vendors and events about the whole chain. Null `types` means all types. */
export function listFeed(
  db: Db,
  chainId: string,
  visible: { vendorIds: readonly string[] | null; types: readonly string[] | null },
  after: string,
  limit: number,
): Promise<(Partial<FeedRow> & { last_position: string | null; deleted_position: string | null })[]> {
  // The newest position comes from the same snapshot, so the reader can continue after that position without missing an
  // event. So does the position of deleted events.
  return db.query(
    `select page.*, newest.position as last_position, ${deletedOfChain} as deleted_position
     from (select max(position) as position from events where chain_id = $1) newest
     left join lateral (
       select event_id, type, vendor_id, created_at, body, position from events
       where chain_id = $1 and position > $4
         and ($2::text[] is null or vendor_id = any ($2)) and ($3::text[] is null or type = any ($3))
       order by position limit $5
     ) page on true
     order by page.position`,
    [chainId, visible.vendorIds, visible.types, after, limit],
  );
}
