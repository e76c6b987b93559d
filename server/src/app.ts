import { routes } from '@aisle/contract/index';
import { maxBodyBytes, type Route } from '@aisle/contract/route';
import type { FastifyInstance } from 'fastify';
import { auditFeature, isRecorded, recordAction } from './audit/index.ts';
import { catalogFeature } from './catalog/index.ts';
import { certificationFeature } from './certification/index.ts';
import { type Cleanup, cleanUpOnFailure } from './cleanup.ts';
import { type Cluster, registerClusterMetrics, watchCluster } from './cluster/index.ts';
import { consoleFeature } from './console/index.ts';
import type { Config } from './config.ts';
import { deliveriesFeature, dueChannel, listOrderDeliveries, pendingDeliveries } from './deliveries/index.ts';
import { serveDemoPictures } from './demo/index.ts';
import { serveDocs } from './docs/index.ts';
import { eventsFeature, publishedChannel, recordedChannel } from './events/index.ts';
import type { Feature } from './feature.ts';
import {
  type Access,
  createGate,
  createLookups,
  createLastUsed,
  getFilteredStore,
  getVendor,
  identityChannel,
  identityFeature,
  type Lookups,
  type LastUsed,
} from './identity/index.ts';
import { filesFeature } from './files/index.ts';
import { jobsFeature } from './jobs/index.ts';
import { registerQueueMetrics } from './kernel/background/queue-metrics.ts';
import { queueChannel } from './kernel/background/queue.ts';
import { registerBodyMetrics } from './kernel/bodies/body-metrics.ts';
import { createBodyBudget } from './kernel/bodies/budget.ts';
import { createBodyThreads } from './kernel/bodies/reader.ts';
import { subjectsOf } from './kernel/database/announce.ts';
import type { Database } from './kernel/database/db.ts';
import { type Listener, listen } from './kernel/database/listen.ts';
import type { Migration } from './kernel/database/migrate.ts';
import { registerPoolMetrics } from './kernel/database/pool-metrics.ts';
import { createShares, type Shares } from './kernel/database/shares.ts';
import { createAnonymousLimiter, limitAnonymousRequests } from './kernel/http/anonymous-limit.ts';
import type { Handlers } from './kernel/http/call.ts';
import { resolveClientAddresses } from './kernel/http/client-address.ts';
import { connectionLimits } from './kernel/http/connections.ts';
import { rejectEncodedPaths } from './kernel/http/encoded-path.ts';
import { createRateLimiter } from './kernel/http/rate-limit.ts';
import { serveRoutes } from './kernel/http/routes.ts';
import { closeHttp, createHttp } from './kernel/http/server.ts';
import { createStarts } from './kernel/http/starts.ts';
import { serveMonitoring } from './serve-monitoring.ts';
import { type Background, startBackground } from './start-background.ts';
import type { Log } from './kernel/monitoring/log.ts';
import { createMetrics, type Metrics } from './kernel/monitoring/metrics.ts';
import { createLinkSigner, type LinkSigner } from './kernel/secrets/sign-links.ts';
import { orderChannel, ordersFeature } from './orders/index.ts';
import { outletsFeature } from './outlets/index.ts';
import { pickingFeature } from './picking/index.ts';
import { servePortal } from './portal.ts';
import type { Member } from './processes/index.ts';
import { findShownPromotions, promotionFeature } from './promotions/index.ts';
import { createDatabaseFor } from './request-databases.ts';
import { requestsFeature } from './requests/index.ts';
import { sandboxFeature } from './sandbox/index.ts';
import { sftpChannel, sftpFeature, type SftpServer } from './sftp/index.ts';
import { statisticsFeature } from './statistics/index.ts';
import { storefrontFeature } from './storefront/index.ts';
import { createShutdownDeadline } from './shutdown-deadline.ts';
import { talliesFeature } from './tallies/index.ts';
import { version } from './version.ts';
import { createSecrets, webhooksFeature } from './webhooks/index.ts';

/** The database belongs to the caller, which closes it after everything else has stopped. */
export type Parts = {
  config: Config;
  db: Database;
  databaseUrl: string;
  log: Log;
  migrations: Migration[];
  /** Present if this is one of several processes with a supervisor. */
  member?: Member;
};
export type Role = 'all' | 'api' | 'worker' | 'sftp';
export type Aisle = {
  http: FastifyInstance;
  /** Serves the metrics if they have their own port. */
  metricsHttp: FastifyInstance | undefined;
  /** Undefined if the role does not include the SFTP server, if it is off, or if it has no host key. */
  sftp: SftpServer | undefined;
  stop(): Promise<void>;
};

/** Builds the features in order and starts what the role needs. If a step fails, everything before it is closed. */
export function startAisle(parts: Parts, role: Role): Promise<Aisle> {
  return cleanUpOnFailure(async (cleanup) => {
    const metrics = createMetrics();
    registerPoolMetrics(metrics.registry, parts.db);
    registerQueueMetrics(metrics.registry, parts.db);
    const deadline = createShutdownDeadline(parts.config.shutdownSeconds);
    const notified: NotifiedParts = {};
    const listener = listenForChanges(parts, notified);
    // These wait for the database, which may not respond.
    const addLimited = (close: () => unknown) => cleanup.add(() => deadline.waitFor(Promise.try(close)));
    addLimited(listener.close);
    const cluster = await watchCluster(parts.db, parts);
    cleanup.add(() => cluster?.close());
    if (cluster) registerClusterMetrics(metrics.registry, cluster);
    const lookups = createLookups(parts.db, listener.isListening, parts.config.limits.sessionIdleMinutes, (chainId) =>
      cluster?.rejectAway(chainId),
    );
    notified.lookups = lookups;
    const features = createFeatures({ ...parts, isSharded: cluster !== undefined }, lookups, metrics, cleanup);
    notified.events = features.events;
    notified.picking = features.picking;
    const runsTasks = role === 'all' || role === 'worker';
    if (runsTasks) notified.background = startBackground({ ...parts, cluster, metrics }, features, cleanup, deadline);
    const lastUsed = createLastUsed(parts.db, parts.log);
    addLimited(lastUsed.close);
    const requestLog = features.requests.startRecorder({ ...parts, metrics, cluster });
    addLimited(() => requestLog?.close());
    const shares = createShares(parts.config.chainConnections, parts.config.lockSeconds);
    // Among several processes, SFTP has its own one, which has this role.
    const servesSftp = role === 'sftp' || (role === 'all' && !parts.member);
    const sftp = servesSftp ? features.sftp.createServer({ ...parts, metrics, shares }) : undefined;
    notified.sftp = sftp;
    cleanup.add(() => sftp?.close(deadline.leftMs()));
    const limits = connectionLimits(parts.config.idleSeconds);
    const http = createHttp(parts.log, metrics, limits, requestLog?.record);
    cleanup.add(() => closeHttp(http, deadline.leftMs()));
    cleanup.add(features.events.endWaits);
    cleanup.add(features.picking.endWaits);
    const metricsHttp = parts.config.metrics.port === null ? undefined : createHttp(parts.log, metrics, limits);
    cleanup.add(() => metricsHttp && closeHttp(metricsHttp, deadline.leftMs()));
    for (const server of [http, metricsHttp]) {
      if (server) resolveClientAddresses(server, parts.config.trustedProxies);
    }
    serveMonitoring({ http, metricsHttp: metricsHttp ?? http }, { ...parts, cluster }, metrics, notified.background);
    if (role === 'all' || role === 'api')
      await serveApi(http, { ...parts, features, lookups, lastUsed, metrics, cluster, shares });
    // After the limit on anonymous requests, so that these are counted too.
    for (const server of [http, metricsHttp]) if (server) rejectEncodedPaths(server);
    return { http, metricsHttp, sftp, stop: cleanup.run };
  });
}

/** The components that handle notifications from other processes. Each is undefined until it is created. */
type NotifiedParts = {
  lookups?: Lookups;
  events?: Features['events'];
  picking?: Features['picking'];
  background?: Background;
  sftp?: SftpServer | undefined;
};
type Features = ReturnType<typeof createFeatures>;

function listenForChanges({ config, databaseUrl, log }: Parts, notified: NotifiedParts): Listener {
  const clearLookups = () => notified.lookups?.clear();
  return listen(
    config.directUrl ?? databaseUrl,
    {
      [identityChannel]: clearLookups,
      [queueChannel]: () => notified.background?.worker.wake(),
      [recordedChannel]: (chainIds) => notified.background?.publisher.wake(subjectsOf(chainIds)),
      [publishedChannel]: (chainIds) => {
        notified.background?.sender?.wake(chainIds === '' ? [] : chainIds.split(' '));
        notified.events?.wakeReaders(chainIds);
      },
      [orderChannel]: (payload) => notified.picking?.wakeReaders(payload),
      [dueChannel]: (chainIds) => notified.background?.sender?.wake(subjectsOf(chainIds)),
      [sftpChannel]: () => void notified.sftp?.checkSessions(),
    },
    {
      onConnected() {
        clearLookups();
        void notified.sftp?.checkSessions();
      },
      onLost({ message: error }) {
        const setting = config.directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
        log.warn({ event: 'database.not_listening', setting, error });
      },
    },
  );
}

/** Features are created in order. Each uses only earlier ones directly, and later ones through callbacks. */
function createFeatures(
  { config, db, isSharded }: Parts & { isSharded: boolean },
  lookups: Lookups,
  metrics: Metrics,
  cleanup: Cleanup,
) {
  const threads = createBodyThreads();
  cleanup.add(threads.close);
  const secrets = createSecrets(config.secretKeys);
  const signer = linkSignerOf(config);
  const register = <One extends Feature<unknown>>(feature: One): One => {
    cleanup.add(feature.close);
    return feature;
  };
  return {
    jobs: register(jobsFeature(config, signer, getVendor)),
    events: register(eventsFeature(config, storeFinder(lookups), isSharded)),
    tallies: register(talliesFeature()),
    identity: register(identityFeature(config)),
    requests: register(requestsFeature(config)),
    audit: register(auditFeature()),
    outlets: register(outletsFeature()),
    catalog: register(catalogFeature(config, db, threads, findShownPromotions, isSharded)),
    promotions: register(promotionFeature(config, db, threads, signer, isSharded)),
    storefront: register(storefrontFeature(config)),
    files: register(filesFeature(config, db, metrics)),
    orders: register(ordersFeature(config, lookups, listOrderDeliveries, isSharded)),
    picking: register(pickingFeature(config, lookups, findShownPromotions)),
    webhooks: register(webhooksFeature(config, secrets, pendingDeliveries)),
    deliveries: register(deliveriesFeature(config, secrets)),
    sandbox: register(sandboxFeature(config)),
    certification: register(certificationFeature(config)),
    statistics: register(statisticsFeature(config)),
    sftp: register(sftpFeature(config)),
    console: register(consoleFeature(config, lookups)),
  };
}

/** The feed comes before `identity`, so it gets the stores through this function. */
function storeFinder(lookups: Lookups): Parameters<typeof eventsFeature>[1] {
  return async (filter) => {
    const { chain, vendor } = await getFilteredStore(lookups, filter);
    return { chainId: chain?.chain_id ?? null, vendorId: vendor?.vendor_id ?? null };
  };
}

function linkSignerOf({ signedDownloads, secretKeys }: Config): LinkSigner | undefined {
  return signedDownloads ? createLinkSigner(secretKeys) : undefined;
}

type Api = Parts & {
  features: Features;
  lookups: Lookups;
  lastUsed: LastUsed;
  metrics: Metrics;
  cluster: Cluster | undefined;
  shares: Shares;
};

async function serveApi(http: FastifyInstance, api: Api): Promise<void> {
  const { config, db, log, features, lookups, lastUsed, metrics, cluster } = api;
  const gate = createGate(lookups, lastUsed, config.links, linkSignerOf(config));
  const { perMinute, enforced, chainFactor: groupFactor } = config.rateLimits;
  const limiter = createRateLimiter(db, perMinute, enforced);
  const anonymous = createAnonymousLimiter(perMinute.anonymous, enforced, api.member);
  limitAnonymousRequests(http, anonymous);
  const bodies = createBodyBudget(config.bodyMemory);
  registerBodyMetrics(metrics.registry, bodies);
  const responses = createBodyBudget(config.bodyMemory);
  const maxBytes = (route: Route) => {
    if (route.body?.form === 'stream') return config.limits.fileBytes;
    return route.body?.form === 'bytes' ? config.limits.catalogBytes : maxBodyBytes(route);
  };
  const { publicUrl } = config.links;
  const idleMs = config.idleSeconds * 1000;
  const admission = { gate, limiter, anonymous, groupFactor };
  const memory = { bodies, responses, idleMs, maxBytes };
  const databases = createDatabaseFor(db, cluster, api.shares, config);
  const audit = { isRecorded, recordAction };
  const options = { ...admission, ...memory, ...databases, ...audit, starts: createStarts(), log, publicUrl };
  serveRoutes(http, options, routes, handlersOf(features));
  if (config.demo) serveDemoPictures(http);
  servePortal(http);
  serveDocs(http, version);
}

/** A route without a handler is a compile error. */
function handlersOf(features: Features): Handlers<typeof routes, Access> {
  return {
    ...features.jobs.handlers,
    ...features.events.handlers,
    ...features.identity.handlers,
    ...features.requests.handlers,
    ...features.audit.handlers,
    ...features.outlets.handlers,
    ...features.catalog.handlers,
    ...features.promotions.handlers,
    ...features.storefront.handlers,
    ...features.files.handlers,
    ...features.orders.handlers,
    ...features.picking.handlers,
    ...features.webhooks.handlers,
    ...features.deliveries.handlers,
    ...features.sandbox.handlers,
    ...features.certification.handlers,
    ...features.statistics.handlers,
    ...features.sftp.handlers,
    ...features.console.handlers,
  };
}
