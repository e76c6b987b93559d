import { after } from 'node:test';
import type { PlatformRole, Role as UserRole } from '@aisle/contract/route';
import { type Aisle, type Role, startAisle } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createPlatformToken, createUser, signIn, makeSecret } from '../../src/identity/index.ts';
import { createFactorSecrets } from '../../src/identity/factor-secrets.ts';
import { insertPlatform } from '../../src/identity/queries.ts';
import { platformId, siteOf, storedRole } from '../../src/identity/rules/platform.ts';
import { createAttemptGuard } from '../../src/identity/guard-attempts.ts';
import { type Database, openDatabase } from '../../src/kernel/database/db.ts';
import { randomBase62 } from '../../src/kernel/values/ids.ts';
import { createLog } from '../../src/kernel/monitoring/log.ts';
import { readMigrations } from '../../src/kernel/database/migrate.ts';
import type { TestChain } from './chain.ts';
import { cloneDatabase, isCluster } from './database.ts';
import { assertDocumented } from './documented.ts';
import { recordStatements } from './record-statements.ts';

export { makeChain, makeClient, makeToken, type TestChain } from './chain.ts';

/** The lowest cost, so that tests that create users are fast. */
const passwordCost = 10;

/** A complete server in this process with its own database. Requests do not use the network. */
export type TestAisle = {
  aisle: Aisle;
  db: Database;
  url: string;
  platformToken: string;
  /** The log output so far, one string per line. `AISLE_LOG_LEVEL` is `silent` by default. */
  logged: readonly string[];
  /** Sends a request and parses a JSON response. Fails if the response is not documented. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Starts a second server on the same database, by default in the same role. */
  another(environment?: Record<string, string>, role?: Role): Promise<OwnAisle>;
};

export type CallOptions = {
  /** An API token or a session. A session is sent the way the portal sends it. */
  token?: string | undefined;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
};

export type Response = {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- response bodies can have any shape
  body: any;
  text: string;
  headers: Record<string, string | string[] | number | undefined>;
};

/** A server that the caller has to stop. */
export type OwnAisle = TestAisle & {
  /** Fails if a recorded event does not match the contract. */
  stop(): Promise<void>;
};

let isShared = false;
let shared: Promise<OwnAisle> | undefined;

/** From now on, files in this process use one server. Returns the function that stops it. */
export function shareAisle(): () => Promise<void> {
  isShared = true;
  return async () => (await shared)?.stop();
}

/**
 * The server that test files in one process share, with default settings. Each file creates its own chains. A file that
 * looks at all chains, or changes the database or the server, needs its own.
 */
export async function useAisle(): Promise<TestAisle> {
  shared ??= isShared ? startTestAisle() : useOwnAisle();
  return await shared;
}

/** Starts a server for all tests in a file and stops it after the last one. */
export async function useOwnAisle(environment: Record<string, string> = {}, role: Role = 'all'): Promise<OwnAisle> {
  const aisle = await startTestAisle(environment, role);
  after(() => aisle.stop());
  return aisle;
}

/** Starts a server. Rate limits are off by default. */
export async function startTestAisle(environment: Record<string, string> = {}, role: Role = 'all'): Promise<OwnAisle> {
  const database = await cloneDatabase();
  const started = await startAisleOn(database.url, environment, role);
  return { ...started, stop: () => started.stop().then(database.drop) };
}

/** Starts a server on a database that the caller has created. */
export async function startAisleOn(
  url: string,
  environment: Record<string, string> = {},
  role: Role = 'all',
): Promise<OwnAisle> {
  const config = readConfig({
    DATABASE_URL: url,
    AISLE_DATABASE_CONNECTIONS: '10',
    AISLE_RATE_LIMITS: 'off',
    AISLE_LOG_LEVEL: 'silent',
    AISLE_PUBLIC_URL: 'http://aisle.test',
    AISLE_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
    AISLE_PASSWORD_COST: String(passwordCost),
    // A cluster on one machine is several times slower.
    ...(isCluster && { AISLE_LOCK_SECONDS: '30' }),
    ...environment,
  });
  const logged: string[] = [];
  const log = createLog(config.logLevel, { write: (line) => logged.push(line) });
  const { databaseConnections: connections, statementSeconds, lockSeconds } = config;
  const options = { connections, preparedStatements: true, statementSeconds, lockSeconds, name: 'aisle test' };
  const db = recordStatements(openDatabase({ url, ...options, onError: () => {} }));
  const migrations = readMigrations(new URL('../../migrations/', import.meta.url));
  const platformToken = await createPlatformToken(db, 'test');
  const aisle = await startAisle({ config, db, databaseUrl: url, log, migrations }, role);
  await aisle.http.ready();
  return {
    aisle,
    db,
    url,
    platformToken,
    logged,
    call: (method, path, options = {}) => call(aisle, method, path, options),
    another: (more = {}, otherRole = role) => startAisleOn(url, { ...environment, ...more }, otherRole),
    async stop() {
      await aisle.stop();
      await db.close();
    },
  };
}

/** The headers with which a token or a session is sent. */
export function credentials(token: string): Record<string, string> {
  if (!token.startsWith('aisle_session_')) return { authorization: `Bearer ${token}` };
  // Each site must read only its own cookie, and reject a session of the other site in it.
  const cookie = `__Host-aisle_session=${token}; __Host-aisle_console=${token}`;
  return { cookie, origin: 'http://aisle.test', 'sec-fetch-site': 'same-origin' };
}

async function call(aisle: Aisle, method: string, path: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.token !== undefined) Object.assign(headers, { ...credentials(options.token), ...headers });
  const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (payload !== undefined) headers['content-type'] ??= 'application/json';
  const response = await aisle.http.inject({
    method: method as 'GET',
    url: path,
    headers,
    ...(payload !== undefined && { payload }),
  });
  const isJson =
    String(response.headers['content-type']).includes('json') &&
    !String(response.headers['content-type']).includes('ndjson');
  const result = {
    status: response.statusCode,
    body: isJson ? JSON.parse(response.payload) : response.payload,
    text: response.payload,
    headers: response.headers,
  };
  assertDocumented(method, path, result);
  return result;
}

/** Returns a function that calls the chain's routes with its token or the given one. */
export function callerFor(aisle: TestAisle, chain: TestChain, token = chain.token) {
  return (method: string, path: string, options: CallOptions = {}): Promise<Response> =>
    aisle.call(method, `${chain.base}${path}`, { token, ...options });
}

/** Exchanges client credentials for an access token. */
export function requestAccessToken(
  aisle: Pick<TestAisle, 'call'>,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return aisle.call('POST', '/v2/oauth/token', {
    raw: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** Creates a user of the console and signs in. */
export async function makePlatformUser(aisle: Pick<TestAisle, 'db'>, role: PlatformRole = 'ADMIN') {
  await aisle.db.transaction(insertPlatform);
  return makeUser(aisle, platformId, storedRole(role));
}

/** Creates a user in the chain, by default for all stores, and signs in. */
export async function makeUser(
  { db }: Pick<TestAisle, 'db'>,
  chainId: string,
  role: UserRole = 'OWNER',
  more: { name?: string; vendor_ids?: string[] } = {},
) {
  const email = `${randomBase62(12).toLowerCase()}@aisle.test`;
  const password = 'the right password';
  const secret = await makeSecret(chainId, passwordCost, { given: password });
  const { user_id } = await db.transaction((tx) =>
    createUser(tx, chainId, { email, name: role, role, ...more }, secret),
  );
  const site = siteOf(chainId);
  const terms = {
    site,
    hours: 1,
    cost: passwordCost,
    secrets: createFactorSecrets([]),
    guard: createAttemptGuard(false),
  };
  const { session } = await signIn(
    { db, transaction: db.transaction },
    { email, password },
    terms,
    { address: '192.0.2.1', device: null },
    () => {},
  );
  return { user_id, email, password, session };
}
