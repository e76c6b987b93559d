import type { Cleanup } from './cleanup.ts';
import type { Config } from './config.ts';
import type { deliveriesFeature, Sender } from './deliveries/index.ts';
import {
  hasFeedRead,
  productEventDays,
  type Publisher,
  registerEventMetrics,
  startPublisher,
  type Subscriber,
} from './events/index.ts';
import type { Feature } from './feature.ts';
import { frozenCopyChore } from './kernel/background/frozen-copies.ts';
import { type Loop, startLoop } from './kernel/background/loop.ts';
import { startScheduler } from './kernel/background/schedule.ts';
import { startWorker, type Worker } from './kernel/background/worker.ts';
import type { Database } from './kernel/database/db.ts';
import type { Log } from './kernel/monitoring/log.ts';
import type { Metrics } from './kernel/monitoring/metrics.ts';
import { announceReopened } from './outlets/index.ts';
import { announcePromotions } from './promotions/index.ts';
import type { ShutdownDeadline } from './shutdown-deadline.ts';
import { startProductEvents } from './storefront/index.ts';
import { version } from './version.ts';
import { hasPlatformWebhookFor } from './webhooks/index.ts';

export type Background = { worker: Worker; publisher: Publisher; sender: Sender | undefined };

/** All features, of which these two subscribe to events. */
type BackgroundFeatures = {
  deliveries: ReturnType<typeof deliveriesFeature>;
  sandbox: Feature<unknown> & { subscriber: Subscriber };
} & Record<string, Feature<unknown>>;

/** Starts what a process with the role worker (or all) does besides serving HTTP. */
export function startBackground(
  { config, db: { withoutTimeout: db }, log }: { config: Config; db: Database; log: Log },
  features: BackgroundFeatures,
  metrics: Metrics,
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
  const worker = startWorker({ db, handlers, slots: config.workerSlots, log, metrics });
  stops.push(worker.drain);
  const publisher = startPublisher(db, [features.deliveries.subscriber, features.sandbox.subscriber], log);
  stops.push(publisher.stop);
  registerEventMetrics(metrics.registry, db);
  const sender = features.deliveries.startSender({ db, log, metrics, version });
  if (sender) stops.push(sender.drain);
  stops.push(startAnnouncements(db, log).stop);
  const isReceived = async () =>
    (await hasFeedRead(db, 'products.changed', productEventDays)) || hasPlatformWebhookFor(db, 'products.changed');
  stops.push(startProductEvents({ db, log, config, isReceived }).stop);
  const chores = [frozenCopyChore, ...all.flatMap((feature) => feature.chores)];
  stops.push(startScheduler(db, chores, log).stop);
  return { worker, publisher, sender };
}

/** Records what happens at a time instead of by a request, such as the end of a promotion. */
function startAnnouncements(db: Database, log: Log): Loop {
  return startLoop({
    name: 'announcements',
    pollMs: 1000,
    log,
    run: async () => {
      const hasMore = [await announcePromotions(db), await announceReopened(db)];
      return hasMore.includes(true);
    },
  });
}
