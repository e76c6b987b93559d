import type { Database, Tx } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { type ChainLoop, type Chains, startChainLoop } from '../kernel/background/chain-loop.ts';
import type { Scope } from '../kernel/database/scope.ts';
import {
  assignPlatformPositions,
  assignPositions,
  becomePublisher,
  listUnpublished,
  listUnpublishedChains,
  notifyPublished,
  type PublishedEvent,
  takePositions,
} from './queries.ts';
import { findNewTimeline, skipLostPositions } from './timeline-queries.ts';
import { claimPositions } from './watermark-queries.ts';

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
 * ones. On a distributed database, each chain has its own lock, and several chains are published at a time; see
 * watermark-queries.ts for readers of all chains. Events about one order are written while that order is locked, and are
 * published in the order they were written, so they stay in sequence.
 *
 * After a failover, positions that may have been lost are not assigned again; see timeline-queries.ts.
 *
 * The cost is a second version of each row, written by the publisher rather than the order's transaction, and a delay
 * of a few milliseconds until an event is visible. A long transaction delays only its own events. The alternative,
 * reading up to the oldest running transaction (pg_snapshot_xmin), needs no publisher, but every long transaction on
 * the database server would delay every feed, and the cursors would not survive a dump and restore.
 */
export type Subscriber = (tx: Tx, scope: Scope, published: Published) => Promise<void>;

/** The events of a batch by who sees them. Order events that partners see are in both lists. */
export type Published = { partner: PublishedEvent[]; platform: PublishedEvent[] };

export type Publisher = ChainLoop;

const batchSize = 500;
const pollMs = 500;
const gapMs = 15;
/** Each batch has a fixed cost, and on a distributed database a batch has the events of one chain only. */
const chainGapMs = 30;
const restFactor = 4;

/** `chains` is undefined if the database is not distributed. */
export function startPublisher(
  db: Database,
  subscribers: Subscriber[],
  log: Log,
  chains: Chains | undefined,
): Publisher {
  return startChainLoop({
    pollMs,
    gapMs: chains ? chainGapMs : gapMs,
    restFactor,
    log,
    name: 'publisher',
    chains,
    listDue: (chainIds) => listUnpublishedChains(db, chainIds),
    run: async (scope) => (await publishBatch(db, subscribers, scope)) === batchSize,
  });
}

/** Publishes one batch and returns the number of events in it. */
export function publishBatch(db: Database, subscribers: Subscriber[], scope: Scope): Promise<number> {
  return db.transaction(async (tx) => {
    const [isPublisher, unpublished, newTimeline] = await Promise.all([
      becomePublisher(tx, scope),
      listUnpublished(tx, scope, batchSize),
      findNewTimeline(tx),
    ]);
    if (!isPublisher || unpublished.length === 0) return 0;
    if (newTimeline !== undefined) await skipLostPositions(tx, newTimeline);
    if (scope !== null) claimPositions(tx);
    const positions = await takePositions(tx, unpublished.length);
    const events = unpublished.map((event, index) => ({ ...event, position: positions[index] as string }));
    const partner = events.filter((event) => event.subject === null);
    assignPositions(tx, scope, partner);
    assignPlatformPositions(
      tx,
      scope,
      events.filter((event) => event.subject !== null),
    );
    const platform = events.filter((event) => event.subject !== null || event.order_id !== null);
    for (const subscriber of subscribers) await subscriber(tx, scope, { partner, platform });
    notifyPublished(tx, [...new Set(events.map((event) => event.chain_id))]);
    return events.length;
  });
}
