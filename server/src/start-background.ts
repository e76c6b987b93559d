import { startAssigningOffers } from './catalog/index.ts';
import type { Cleanup } from './cleanup.ts';
import type { Cluster } from './cluster/index.ts';
import type { Config } from './config.ts';
import type { deliveriesFeature } from './deliveries/index.ts';
import { hasFeedRead, productEventDays, registerEventMetrics, startPublisher } from './events/index.ts';
import type { Feature } from './feature.ts';
import type { Background } from './health-checks.ts';
import { registerStorageMetrics } from './jobs/index.ts';
import { frozenCopyChore } from './kernel/background/frozen-copies.ts';
import { type Loop, startLoop } from './kernel/background/loop.ts';
import { startScheduler } from './kernel/background/schedule.ts';
import { startWorker } from './kernel/background/worker.ts';
import type { Database } from './kernel/database/db.ts';
import { analyzeGrownTables } from './kernel/database/statistics.ts';
import type { Log } from './kernel/monitoring/log.ts';
import type { Metrics } from './kernel/monitoring/metrics.ts';
import { startAssigningOrders } from './orders/index.ts';
import { announceReopened } from './outlets/index.ts';
import { announcePromotions } from './promotions/index.ts';
import type { sandboxFeature } from './sandbox/index.ts';
import type { ShutdownDeadline } from './shutdown-deadline.ts';
import { startProductEvents } from './storefront/index.ts';
import { version } from './version.ts';
import { hasPlatformWebhookFor } from './webhooks/index.ts';

export type { Background } from './health-checks.ts';

type BackgroundParts = {
  config: Config;
  db: Database;
  log: Log;
  metrics: Metrics;
  /** Undefined if the database is not distributed. */
  cluster: Cluster | undefined;
};
type BackgroundFeatures = Record<string, Feature<unknown>> & {
  deliveries: ReturnType<typeof deliveriesFeature>;
  sandbox: ReturnType<typeof sandboxFeature>;
};

/** Starts what a process with the role worker (or all) does besides serving HTTP. */
export function startBackground(
  { config, db: { withoutTimeout: db, forTasks }, log, cluster, metrics }: BackgroundParts,
  features: BackgroundFeatures,
  cleanup: Cleanup,
  deadline: ShutdownDeadline,
): Background {
  const stops: (() => unknown)[] = [];
  cleanup.add(async () => {
    // Tasks and deliveries are leased, so another process takes over any that are abandoned here.
    const isDone = await deadline.waitFor(Promise.all(stops.map((stop) => stop())));
    if (!isDone) log.warn({ event: 'shutdown.work_abandoned', seconds: config.shutdownSeconds });
  });
  const all = Object.values(features);
  const handlers = Object.assign({}, ...all.map((feature) => feature.tasks));
  const listAway = () => cluster?.listAway() ?? [];
  const worker = startWorker({ db: forTasks, handlers, slots: config.workerSlots, log, metrics, listAway });
  stops.push(worker.drain);
  const subscribers = [features.deliveries.subscriber, features.sandbox.subscriber];
  const publisher = startPublisher(db, subscribers, log, cluster);
  stops.push(publisher.stop);
  registerEventMetrics(metrics.registry, db);
  registerStorageMetrics(metrics.registry, db);
  const sender = features.deliveries.startSender({ db, log, metrics, version, chains: cluster });
  if (sender) stops.push(sender.drain);
  stops.push(startAnnouncements(db, log, cluster).stop);
  const isReceived = async () =>
    (await hasFeedRead(db, 'products.changed', productEventDays)) || hasPlatformWebhookFor(db, 'products.changed');
  stops.push(startProductEvents({ db, log, config, chains: cluster, isReceived }).stop);
  const chores = [frozenCopyChore, ...all.flatMap((feature) => feature.chores)];
  stops.push(startScheduler({ db, chores, log, chains: cluster }).stop);
  stops.push(startAssigningOrders(db, log, cluster).stop, startAssigningOffers(db, log, cluster).stop);
  if (!cluster) stops.push(startAnalyzing(db, log).stop);
  return { worker, publisher, sender };
}

function startAnalyzing(db: Database, log: Log): Loop {
  return startLoop({
    name: 'statistics',
    pollMs: 1000,
    log,
    run: async () => {
      for (const table of await analyzeGrownTables(db)) log.info({ event: 'database.table_analyzed', table });
      return false;
    },
  });
}

/** Records what happens at a time instead of by a request, such as the end of a promotion. */
function startAnnouncements(db: Database, log: Log, cluster: Cluster | undefined): Loop {
  return startLoop({
    name: 'announcements',
    pollMs: 1000,
    log,
    run: async () => {
      const hasMore = [await announcePromotions(db, cluster), await announceReopened(db, cluster)];
      return hasMore.includes(true);
    },
  });
}
