import type { Database, Tx } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { startLoop } from '../kernel/background/loop.ts';
import { notifyPublished, type PublishedEvent, publishEvents, tryLockPublishing } from './queries.ts';

/**
 * The outbox, and why a reader of the feed misses nothing and sees nothing twice.
 *
 * An event is a row of the transaction that causes it, so it exists exactly if its cause does. Transactions commit in
 * another order than they write, so neither the time of an event nor a number taken while writing it can be a cursor:
 * a reader that has passed 8 would never see a 7 that commits later.
 *
 * So an event gets its place after it was committed. Publishing takes what is committed and has no place yet, gives it
 * the next places, and hands it to the subscribers, all in one transaction under one lock. One publisher at a time, and
 * the lock is held until its commit: whoever sees a place sees every lower one. Events of one order are written under
 * the lock of that order and published by their number, so they keep their order.
 *
 * What it costs: a second version of each row, written by the publisher and not by the transaction of the order, and a
 * few milliseconds until an event is seen. A transaction that runs for long holds up its own events and nobody else's.
 * The other way, to read up to the oldest transaction still running (pg_snapshot_xmin), needs no publisher, but lets
 * every long transaction on the database server hold up every feed, and its cursors do not survive a dump and restore.
 */
export type Subscriber = (tx: Tx, events: PublishedEvent[]) => Promise<void>;

export type Publisher = {
  wake(): void;
  isAlive(): boolean;
  stop(): Promise<void>;
};

const most = 500;
const pollMs = 500;

export function startPublisher(db: Database, subscribers: Subscriber[], log: Log): Publisher {
  return startLoop({
    pollMs,
    log,
    name: 'publisher',
    run: async () => (await publishBatch(db, subscribers)) === most,
  });
}

/** How many events were published. */
export function publishBatch(db: Database, subscribers: Subscriber[]): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await tryLockPublishing(tx))) return 0;
    const events = await publishEvents(tx, most);
    if (events.length === 0) return 0;
    for (const subscriber of subscribers) await subscriber(tx, events);
    await notifyPublished(tx, [...new Set(events.map((event) => event.chain_id))]);
    return events.length;
  });
}
