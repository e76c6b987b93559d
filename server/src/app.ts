import { routes } from '@aisle/contract/index';
import type { Route } from '@aisle/contract/route';
import type { FastifyInstance } from 'fastify';
import { catalogFeature } from './catalog/index.ts';
import type { Config } from './config.ts';
import { serveDemoPictures } from './demo/index.ts';
import { eventsFeature, type Publisher, publishedChannel, recordedChannel, startPublisher } from './events/index.ts';
import {
  type Access,
  createGate,
  createLookups,
  createUseLog,
  identityChannel,
  identityFeature,
} from './identity/index.ts';
import { jobsFeature } from './jobs/index.ts';
import { registerBodyMetrics } from './kernel/bodies/body-metrics.ts';
import { createBodyBudget, smallBytes } from './kernel/bodies/budget.ts';
import type { Database } from './kernel/database/db.ts';
import { registerPoolMetrics } from './kernel/database/pool-metrics.ts';
import { type HealthCheck, serveHealth } from './kernel/http/health.ts';
import type { Handlers } from './kernel/http/call.ts';
import { serveRoutes } from './kernel/http/routes.ts';
import { createHttp } from './kernel/http/server.ts';
import { listen } from './kernel/database/listen.ts';
import type { Log } from './kernel/monitoring/log.ts';
import { createMetrics, type Metrics } from './kernel/monitoring/metrics.ts';
import { isMigrated, type Migration } from './kernel/database/migrate.ts';
import { registerQueueMetrics } from './kernel/background/queue-metrics.ts';
import { queueChannel } from './kernel/background/queue.ts';
import { createRateLimiter } from './kernel/http/rate-limit.ts';
import { startScheduler } from './kernel/background/schedule.ts';
import { startWorker, type Worker } from './kernel/background/worker.ts';
import { ordersFeature } from './orders/index.ts';
import { outletsFeature } from './outlets/index.ts';
import { servePortal } from './portal.ts';
import { findShownPromotions, promotionFeature } from './promotions/index.ts';
import { serveReference } from './reference.ts';
import { sandboxFeature } from './sandbox/index.ts';
import { statisticsFeature } from './statistics/index.ts';
import { talliesFeature } from './tallies/index.ts';
import { version } from './version.ts';
import { deliveryHealth, dueChannel, type Sender, webhooksFeature } from './webhooks/index.ts';

export type Parts = { config: Config; db: Database; databaseUrl: string; log: Log; migrations: Migration[] };
export type Role = 'all' | 'api' | 'worker';
export type Aisle = { http: FastifyInstance; stop(): Promise<void> };

/** Puts the features together, in order, and starts what the role asks for. */
export async function startAisle(parts: Parts, role: Role): Promise<Aisle> {
  const { config, db, databaseUrl, log } = parts;
  const metrics = createMetrics();
  registerPoolMetrics(metrics.registry, db);
  registerQueueMetrics(metrics.registry, db);
  let worker: Worker | undefined;
  let publisher: Publisher | undefined;
  let sender: Sender | undefined;
  const listener = listen(
    databaseUrl,
    {
      [identityChannel]: () => lookups.forget(),
      [queueChannel]: () => worker?.wake(),
      [recordedChannel]: () => publisher?.wake(),
      [publishedChannel]: (chainIds) => {
        sender?.wake();
        events.wakeReaders(chainIds);
      },
      [dueChannel]: () => sender?.wake(),
    },
    () => lookups.forget(),
  );
  const lookups = createLookups(db, listener.isListening);
  const uses = createUseLog(db, log);

  const features = [
    jobsFeature(config),
    eventsFeature(config),
    identityFeature(config, lookups),
    outletsFeature(),
    // The catalog shows promotions without knowing the feature, which builds on it.
    catalogFeature(config, db, findShownPromotions),
    promotionFeature(config, db),
    ordersFeature(config, lookups),
    webhooksFeature(config),
    sandboxFeature(config),
    statisticsFeature(config),
    talliesFeature(),
  ] as const;
  const [jobs, events, identity, outlets, catalog, promotions, orders, webhooks, sandbox, statistics] = features;

  if (role !== 'api') {
    const handlers = Object.assign({}, ...features.map((feature) => feature.tasks));
    worker = startWorker({ db: db.withoutTimeout, handlers, slots: config.workerSlots, log, metrics });
    publisher = startPublisher(db.withoutTimeout, [webhooks.subscriber, sandbox.subscriber], log);
    sender = webhooks.startSender({ db: db.withoutTimeout, log, metrics, version });
  }
  const scheduler =
    role === 'api'
      ? undefined
      : startScheduler(
          db.withoutTimeout,
          features.flatMap((feature) => feature.chores),
          log,
        );

  const http = createHttp(log, metrics);
  serveHealth(http, [...healthChecks(parts, worker), deliveryHealth(db, publisher, sender)]);
  serveMetrics(http, metrics);
  if (role !== 'worker') {
    // A route without a handler does not compile.
    const handlers: Handlers<typeof routes, Access> = {
      ...jobs.handlers,
      ...events.handlers,
      ...identity.handlers,
      ...outlets.handlers,
      ...catalog.handlers,
      ...promotions.handlers,
      ...orders.handlers,
      ...webhooks.handlers,
      ...sandbox.handlers,
      ...statistics.handlers,
    };
    const gate = createGate(lookups, uses, config);
    const limiter = createRateLimiter(db, config.rateLimits.perMinute, config.rateLimits.enforced);
    const bodies = createBodyBudget(config.bodyMemory);
    registerBodyMetrics(metrics.registry, bodies);
    const maxBytes = (route: Route) => (route.body?.maxBytes === undefined ? smallBytes : config.limits.catalogBytes);
    serveRoutes(http, { db, log, limiter, gate, bodies, maxBytes }, routes, handlers);
    if (config.demo) serveDemoPictures(http);
    servePortal(http);
    await serveReference(http);
  }
  return {
    http,
    async stop() {
      // A connection that was busy when closing began is kept for its next request, for over a minute: end it once idle.
      const sweep = setInterval(() => http.server.closeIdleConnections(), 50);
      events.endWaits();
      await http.close().finally(() => clearInterval(sweep));
      await Promise.all([worker?.drain(), publisher?.stop(), sender?.drain(), scheduler?.stop(), uses.close()]);
      for (const feature of features) await feature.close();
      await listener.close();
      await db.close();
    },
  };
}

function healthChecks({ db, migrations }: Parts, worker: Worker | undefined): HealthCheck[] {
  return [
    { name: 'database', check: () => db.query('select 1').then(() => 'ok') },
    {
      name: 'migrations',
      check: () => isMigrated(db, migrations).then((done) => (done ? 'ok' : 'the database is not migrated')),
    },
    {
      name: 'worker',
      check: async () => (worker === undefined || worker.isAlive() ? 'ok' : 'has not looked at the queue for 15 s'),
    },
  ];
}

function serveMetrics(http: FastifyInstance, { registry }: Metrics): void {
  http.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}
