import type { Database, Tx } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { startLoop } from '../kernel/background/loop.ts';
import { lockPublishing, notifyPublished, type PublishedEvent, publishEvents, tryLockPublisher } from './queries.ts';

/**
 * The outbox. A reader of the feed gets every event exactly once, for the following reasons.
 *
 * An event is a row written by the transaction that causes it, so it exists if and only if that transaction commits.
 * Transactions do not commit in the order they write, so neither the time of an event nor a number assigned while
 * writing it can be a cursor: a reader that has passed 8 would never see a 7 that commits later.
 *
 * So an event gets its position after it is committed. The publisher takes the committed events without a position,
 * assigns the next positions and passes the events to the subscribers, all in one transaction under one lock. Only one
 * publisher runs at a time, and it holds the lock until it commits, so a reader that sees a position sees all lower
 * ones. Events about one order are written while that order is locked, and are published in the order they were
 * written, so they stay in sequence.
 *
 * The cost is a second version of each row, written by the publisher rather than the order's transaction, and a delay
 * of a few milliseconds until an event is visible. A long transaction delays only its own events. The alternative,
 * reading up to the oldest running transaction (pg_snapshot_xmin), needs no publisher, but every long transaction on
 * the database server would delay every feed, and the cursors would not survive a dump and restore.
 */
export type Subscriber = (tx: Tx, published: Published) => Promise<void>;

/** The events of a batch by who sees them. Order events that partners see are in both lists. */
export type Published = { partner: PublishedEvent[]; platform: PublishedEvent[] };

export type Publisher = {
  wake(): void;
  isAlive(): boolean;
  stop(): Promise<void>;
};

const batchSize = 500;
const pollMs = 500;

export function startPublisher(db: Database, subscribers: Subscriber[], log: Log): Publisher {
  return startLoop({
    pollMs,
    log,
    name: 'publisher',
    run: async () => (await publishBatch(db, subscribers)) === batchSize,
  });
}

/** Publishes one batch and returns the number of events in it. */
export function publishBatch(db: Database, subscribers: Subscriber[]): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await tryLockPublisher(tx))) return 0;
    // Waits in line with the requests that hold this lock. If it only tried, many such requests could keep it out.
    await lockPublishing(tx);
    const events = await publishEvents(tx, batchSize);
    if (events.length === 0) return 0;
    const partner = events.filter((event) => event.subject === null);
    const platform = events.filter((event) => event.subject !== null || event.order_id !== null);
    for (const subscriber of subscribers) await subscriber(tx, { partner, platform });
    await notifyPublished(tx, [...new Set(events.map((event) => event.chain_id))]);
    return events.length;
  });
}
