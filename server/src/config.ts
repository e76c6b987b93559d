import { resolve } from 'node:path';
import type { RateLimitClass } from '@aisle/contract/route';
import { loopback, type Network } from './kernel/outbound/addresses.ts';
import { isLoopback } from './kernel/values/loopback.ts';
import { createLinks, type Links } from './links.ts';
import { createReader, type Environment } from './read-settings.ts';
import { OperatorError } from './kernel/failures/operator-error.ts';

export type { Links } from './links.ts';

/** All settings. They are complete before the application is built and never change afterwards. */
export type Config = Frozen<{
  host: string;
  port: number;
  /** Proxies whose `X-Forwarded-For` and `Forwarded` headers are trusted. */
  trustedProxies: Network[];
  metrics: {
    /** Null means that metrics are served on the same port as the API. */
    port: number | null;
    /** Null means that metrics can be read without a token. */
    token: string | null;
  };
  /** Derived from the base URL that partners use. */
  links: Links;
  /** Null means the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** The same database without a pooler in between. Null means that `databaseUrl` is not the URL of a pooler. */
  directUrl: string | null;
  /** A streaming replica for reads. Null means that there is none. */
  replicaUrl: string | null;
  databaseConnections: number;
  preparedStatements: boolean;
  /** Whether the processes connect to the nodes of a distributed database directly. */
  nodeConnections: boolean;
  /** The timeout for each statement in a request. */
  /** How many connections one chain's requests can hold in this process. */
  chainConnections: number;
  /** How long a request waits for a lock, or for one of its chain's connections. */
  lockSeconds: number;
  statementSeconds: number;
  /** How long a client can pause while it sends a request or reads a response. */
  idleSeconds: number;
  /** How long a shutdown waits for requests and background work in progress. */
  shutdownSeconds: number;
  dataDir: string;
  demo: boolean;
  logLevel: string;
  /** How many processes serve requests on this machine. More than 1 need a supervisor. */
  processes: number;
  workerSlots: number;
  /** The total memory, in bytes, that large request bodies can use, and large responses too. One chain can use half. */
  bodyMemory: number;
  /** The encryption keys for secrets. The first one encrypts, and all of them can decrypt. */
  secretKeys: Buffer[];
  /** The binary logarithm of scrypt's N for passwords. Lower values than the default are for tests. */
  passwordCost: number;
  /** Whether download URLs are signed. A signed URL works for 15 minutes without a token. */
  signedDownloads: boolean;
  webhooks: {
    /** Networks that are not public but that webhooks are allowed to reach. */
    allowedNetworks: Network[];
    /** Concurrent deliveries per worker, in total and to one endpoint. */
    slots: number;
    slotsPerEndpoint: number;
  };
  sftp: {
    /** Null means that the SFTP server is off. */
    port: number | null;
    /** Whether the operator chose the port. If not, Aisle starts even if the port is in use. */
    isPortSet: boolean;
    /** A private key, or the path of a file with one. Null means the key in the data folder. */
    hostKey: string | null;
    /** The address that clients connect to, if it differs from the public URL's host and the port above. */
    address: { host: string; port: number | null } | null;
    /** Maximum connections per process: for one chain, from one address, and in total before login. */
    chainConnections: number;
    addressConnections: number;
    unauthenticatedConnections: number;
    loginSeconds: number;
    idleSeconds: number;
  };
  requestLog: {
    enabled: boolean;
    /** Rows kept per chain for successful requests, and the same number for failed ones. */
    rows: number;
    /** The maximum number of rows that one process records per second for each chain. */
    perSecond: number;
  };
  /** When an alert starts. */
  alerts: {
    /** After how many minutes a store with waiting orders is silent. */
    silentMinutes: number;
    /** After how many minutes of failures an endpoint is failing. */
    endpointMinutes: number;
    /** At which age of its oldest entry a backlog is delayed. */
    backlogSeconds: number;
  };
  rateLimits: {
    enforced: boolean;
    perMinute: Record<RateLimitClass, number>;
    /** A chain's limit is this many times the limit of one token. */
    chainFactor: number;
  };
  limits: {
    catalogItems: number;
    catalogBytes: number;
    creationOffers: number;
    promotionPairs: number;
    /** The maximum size of an uploaded file, and the maximum total size of a chain's unfinished files. */
    fileBytes: number;
    unfinishedBytes: number;
    /** How long an unfinished file is kept after its last change. */
    unfinishedHours: number;
    /** What a chain can store: products, offers (product × store), and the data of its jobs. */
    products: number;
    offers: number;
    jobBytes: number;
    downloadDays: number;
    jobDays: number;
    apiTokens: number;
    clients: number;
    sftpUsers: number;
    accessTokenSeconds: number;
    sessionHours: number;
    sessionIdleMinutes: number;
    idempotencyHours: number;
    /** For how many days an order can be read, and the longest time range that a list request can cover. */
    readableDays: number;
    /** 0 means that orders are never deleted. */
    orderDays: number;
    /** How long a picker's claim on an order lasts without a mark. */
    claimSeconds: number;
    eventDays: number;
    attemptDays: number;
    requestDays: number;
  };
}>;

type Frozen<Value> = Value extends Buffer | Links | string | number | boolean | null
  ? Value
  : { readonly [Key in keyof Value]: Frozen<Value[Key]> };

/** Reports all errors at once, one sentence each. */
export class ConfigError extends OperatorError {
  readonly errors: string[];
  constructor(errors: string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

/** Values that become known during startup: the ports that were bound, and the keys for the embedded database. */
export type StartValues = { port?: number; sftpPort?: number | null; secretKeys?: readonly Buffer[] };

export function readConfig(environment: Environment, startValues: StartValues = {}): Config {
  const read = createReader(environment);
  const host = read.text('HOST', '127.0.0.1');
  const setPort = read.integer('PORT', 8080, 0, 65_535);
  const port = startValues.port ?? setPort;
  const publicUrl = read.baseUrl('AISLE_PUBLIC_URL', ['http:', 'https:']) ?? read.localUrl(host, port);
  const databaseUrl = read.databaseUrl('DATABASE_URL');
  const directUrl = read.databaseUrl('DATABASE_DIRECT_URL');
  const replicaUrl = read.databaseUrl('DATABASE_REPLICA_URL');
  if (databaseUrl === null && replicaUrl !== null) {
    read.errors.push('DATABASE_REPLICA_URL is a replica of the database at DATABASE_URL, which must be set.');
  }
  if (databaseUrl === null && directUrl !== null) {
    read.errors.push('DATABASE_DIRECT_URL is for a pooler, so DATABASE_URL must be the URL of the pooler.');
  }
  // A server that others reach through a proxy is not local: they could reach the services of its host.
  const isLocal = databaseUrl === null && isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  const catalogBytes = read.integer('AISLE_MAX_CATALOG_BYTES', 64 * mebibyte, 1024, 512 * mebibyte);
  const databaseConnections = read.integer('AISLE_DATABASE_CONNECTIONS', 20, 4, 1000);
  const config: Config = {
    host,
    port,
    trustedProxies: read.networks('AISLE_TRUSTED_PROXIES', []),
    metrics: {
      port: read.optionalInteger('AISLE_METRICS_PORT', 1, 65_535),
      token: read.token('AISLE_METRICS_TOKEN'),
    },
    links: createLinks(publicUrl.replace(/\/+$/, '')),
    databaseUrl,
    directUrl,
    replicaUrl,
    databaseConnections,
    preparedStatements: read.onOff('AISLE_PREPARED_STATEMENTS', true),
    nodeConnections: read.onOff('AISLE_NODE_CONNECTIONS', true),
    chainConnections: read.integer(
      'AISLE_CHAIN_CONNECTIONS',
      Math.floor(databaseConnections / 2),
      1,
      databaseConnections,
    ),
    lockSeconds: read.integer('AISLE_LOCK_SECONDS', 5, 1, 3600),
    statementSeconds: read.integer('AISLE_STATEMENT_SECONDS', 30, 1, 3600),
    idleSeconds: read.integer('AISLE_IDLE_SECONDS', 10, 1, 300),
    shutdownSeconds: read.integer('AISLE_SHUTDOWN_SECONDS', 20, 1, 3600),
    dataDir: resolve(read.text('AISLE_DATA_DIR', './data')),
    demo: read.onOff('AISLE_DEMO', databaseUrl === null),
    logLevel: read.oneOf('AISLE_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    processes: read.processes('AISLE_PROCESSES'),
    workerSlots: read.integer('AISLE_WORKER_SLOTS', 4, 1, 64),
    // A body of the maximum size must fit into the half that a chain can use. Otherwise it could never be read.
    bodyMemory: read.integer(
      'AISLE_BODY_MEMORY',
      Math.max(256 * mebibyte, 2 * catalogBytes),
      2 * catalogBytes,
      64 * 1024 * mebibyte,
    ),
    secretKeys: startValues.secretKeys ?? read.keys('AISLE_SECRET_KEY'),
    passwordCost: read.integer('AISLE_PASSWORD_COST', 17, 10, 20),
    signedDownloads: read.onOff('AISLE_SIGNED_DOWNLOADS', true),
    webhooks: {
      allowedNetworks: read.networks('AISLE_WEBHOOK_ALLOW', isLocal ? loopback : []),
      slots: read.integer('AISLE_WEBHOOK_SLOTS', 512, 2, 10_000),
      slotsPerEndpoint: read.integer('AISLE_WEBHOOK_SLOTS_PER_ENDPOINT', 16, 1, 1000),
    },
    sftp: readSftp(read, startValues),
    requestLog: {
      enabled: read.onOff('AISLE_REQUEST_LOG', true),
      rows: read.integer('AISLE_REQUEST_LOG_ROWS', 100_000, 100, 10_000_000),
      perSecond: read.integer('AISLE_REQUEST_LOG_RATE', 500, 1, 100_000),
    },
    alerts: {
      // At least two, because the last use of a session is stored with a delay of up to a minute.
      silentMinutes: read.integer('AISLE_ALERT_SILENT_MINUTES', 10, 2, 1440),
      endpointMinutes: read.integer('AISLE_ALERT_ENDPOINT_MINUTES', 5, 1, 1440),
      backlogSeconds: read.integer('AISLE_ALERT_BACKLOG_SECONDS', 120, 10, 86_400),
    },
    rateLimits: {
      ...read.rateLimits('AISLE_RATE_LIMITS'),
      chainFactor: read.integer('AISLE_CHAIN_RATE_FACTOR', 3, 1, 1000),
    },
    limits: {
      catalogItems: read.integer('AISLE_MAX_CATALOG_ITEMS', 200_000, 1, 2_000_000),
      catalogBytes,
      creationOffers: read.integer('AISLE_MAX_CREATION_OFFERS', 2_000_000, 1, 100_000_000),
      promotionPairs: read.integer('AISLE_MAX_PROMOTION_PAIRS', 2_000_000, 1, 100_000_000),
      fileBytes: read.integer('AISLE_MAX_FILE_BYTES', 2 * gibibyte, 1024, 16 * gibibyte),
      unfinishedBytes: read.integer('AISLE_MAX_UNFINISHED_BYTES', 8 * gibibyte, 1024, 1024 * gibibyte),
      unfinishedHours: read.integer('AISLE_UNFINISHED_HOURS', 24, 1, 720),
      products: read.integer('AISLE_MAX_PRODUCTS', 500_000, 1, 100_000_000),
      offers: read.integer('AISLE_MAX_OFFERS', 100_000_000, 1, 10_000_000_000),
      jobBytes: read.integer('AISLE_MAX_JOB_BYTES', 100 * gibibyte, 1024, 1024 * 1024 * gibibyte),
      downloadDays: read.integer('AISLE_DOWNLOAD_DAYS', 7, 1, 365),
      jobDays: read.integer('AISLE_JOB_DAYS', 30, 1, 3650),
      apiTokens: read.integer('AISLE_MAX_API_TOKENS', 11, 1, 1000),
      clients: read.integer('AISLE_MAX_CLIENTS', 20, 1, 1000),
      sftpUsers: read.integer('AISLE_MAX_SFTP_USERS', 50, 1, 1000),
      accessTokenSeconds: read.integer('AISLE_ACCESS_TOKEN_SECONDS', 7200, 60, 86_400),
      sessionHours: read.integer('AISLE_SESSION_HOURS', 12, 1, 720),
      // At least five minutes, because the last use is stored with a delay of up to a minute.
      sessionIdleMinutes: read.integer('AISLE_SESSION_IDLE_MINUTES', 240, 5, 43_200),
      idempotencyHours: 24,
      readableDays: read.integer('AISLE_ORDER_READABLE_DAYS', 60, 1, 3650),
      orderDays: read.integer('AISLE_ORDER_DAYS', 0, 0, 36_500),
      claimSeconds: read.integer('AISLE_PICKING_CLAIM_SECONDS', 600, 1, 86_400),
      eventDays: 30,
      attemptDays: 30,
      requestDays: 7,
    },
  };
  const { orderDays, readableDays } = config.limits;
  if (orderDays > 0 && orderDays < readableDays) {
    read.errors.push(`AISLE_ORDER_DAYS must be 0 (orders are never deleted) or at least ${readableDays}.`);
  }
  if (config.sftp.port === port && port !== 0) read.errors.push('AISLE_SFTP_PORT must differ from PORT.');
  if (config.metrics.port === port) read.errors.push('AISLE_METRICS_PORT must differ from PORT.');
  if (config.sftp.port && config.metrics.port === config.sftp.port) {
    read.errors.push('AISLE_METRICS_PORT must differ from AISLE_SFTP_PORT.');
  }
  if (read.errors.length > 0) throw new ConfigError(read.errors);
  return freeze(config);
}

function readSftp(read: ReturnType<typeof createReader>, { sftpPort }: StartValues): Config['sftp'] {
  const setPort = read.portOrOff('AISLE_SFTP_PORT');
  return {
    port: sftpPort !== undefined ? sftpPort : setPort === undefined ? 2222 : setPort,
    isPortSet: setPort !== undefined,
    hostKey: read.text('AISLE_SFTP_HOST_KEY', '') || null,
    address: read.hostAndPort('AISLE_SFTP_ADDRESS'),
    chainConnections: read.integer('AISLE_SFTP_CHAIN_CONNECTIONS', 20, 1, 10_000),
    addressConnections: read.integer('AISLE_SFTP_ADDRESS_CONNECTIONS', 20, 1, 10_000),
    unauthenticatedConnections: read.integer('AISLE_SFTP_UNAUTHENTICATED_CONNECTIONS', 100, 1, 10_000),
    loginSeconds: read.integer('AISLE_SFTP_LOGIN_SECONDS', 60, 1, 3600),
    idleSeconds: read.integer('AISLE_SFTP_IDLE_SECONDS', 600, 1, 86_400),
  };
}

/** Freezes the value deeply, except for byte arrays, which cannot be frozen. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}
