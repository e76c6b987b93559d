import { createServer } from 'node:net';
import { startAisle, type Aisle, type Role } from './app.ts';
import { type Config, ConfigError, localUrl, readConfig } from './config.ts';
import { seedDemo } from './demo/index.ts';
import { type EmbeddedPostgres, EmbeddedPostgresError, startEmbeddedPostgres } from './embedded/index.ts';
import { createPlatformToken } from './identity/index.ts';
import { type Database, openDatabase } from './kernel/database/db.ts';
import { readOrMakeKey } from './kernel/secrets/key-file.ts';
import { createLog } from './kernel/monitoring/log.ts';
import { DatabaseTooNewError, isMigrated, migrate, readMigrations } from './kernel/database/migrate.ts';
import { SealError } from './kernel/secrets/seal.ts';
import { version } from './version.ts';
import { welcome } from './welcome.ts';

const usage = `Aisle ${version}: a partner-commerce service for quick-commerce marketplaces

  npm start                      everything in one process, on an embedded PostgreSQL
  npm start -- ROLE              one part of it, on the PostgreSQL that DATABASE_URL names

  ROLE  all                      API and background worker (default); migrates the database first
        api                      the API alone
        worker                   the background worker alone, with its own /health and /metrics
        migrate                  bring the database up to date, then end
        platform-token NAME      make a platform token, print it once, then end

Environment, with defaults: PORT 8080, HOST 127.0.0.1, DATABASE_URL (absent: embedded), AISLE_DATA_DIR ./data,
AISLE_PUBLIC_URL, AISLE_RATE_LIMITS on, AISLE_LOG_LEVEL info, AISLE_SECRET_KEY (needed for webhooks on DATABASE_URL);
the operator's guide in docs/guides has all of them.`;

/** A mistake of the person who starts us: a sentence, no stack. */
class StartError extends Error {}

const migrations = readMigrations(new URL('../migrations/', import.meta.url));

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!isSentence(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main([role = 'all', ...rest]: string[]): Promise<void> {
  if (role === '--help' || role === '-h' || role === 'help') return console.log(usage);
  if (role === '--version') return console.log(version);
  if (!['all', 'api', 'worker', 'migrate', 'platform-token'].includes(role)) {
    throw new StartError(`There is no role "${role}".\n\n${usage}`);
  }
  if (role === 'platform-token' && rest.length === 0) {
    throw new StartError('Give the platform token a name: npm start -- platform-token NAME.');
  }
  const config = readConfig(process.env);
  const stops: (() => Promise<void>)[] = [];
  const stop = once(async () => {
    for (const step of stops.toReversed()) await step();
  });
  exitOnSignals(stop);
  try {
    await run(role, rest, config, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function run(
  role: string,
  rest: string[],
  config: Config,
  stops: (() => Promise<void>)[],
  stop: () => Promise<void>,
) {
  if (role === 'all' || role === 'api' || role === 'worker') await tryAddress(config);
  const log = createLog(config.logLevel);
  const databaseUrl = await findDatabase(role, config, stops, stop);
  const db = openDatabase({
    url: databaseUrl,
    connections: config.databaseConnections,
    preparedStatements: config.preparedStatements,
    statementSeconds: config.statementSeconds,
    name: `aisle ${role}`,
    onError: (error) => log.warn({ event: 'database.connection_lost', error: error.message }),
  });
  stops.push(() => db.close());
  await checkDatabase(db);
  if (role === 'all' || role === 'migrate' || role === 'platform-token') await migrate(db, migrations);
  else if (!(await isMigrated(db, migrations))) {
    throw new StartError('The database is not up to date: run "npm start -- migrate" first.');
  }
  if (role === 'migrate') {
    console.log('The database is up to date.');
    return stop();
  }
  if (role === 'platform-token') {
    console.log(await createPlatformToken(db, rest.join(' ')));
    return stop();
  }
  // The embedded database brings its own key, as it brings its own password.
  if (config.secretKeys.length === 0 && config.databaseUrl === null) {
    config.secretKeys.push(readOrMakeKey(config.dataDir));
  }
  stops.pop();
  const aisle = await startAisle({ config, db, databaseUrl, log, migrations }, role as Role);
  stops.push(aisle.stop);
  const port = await listenOn(aisle, config);
  // What is served from now on names the port that was found.
  if (config.port === 0) Object.assign(config, { port, publicUrl: localUrl(config.host, port) });
  const demo = config.demo && role === 'all' ? await seedDemo(db.withoutTimeout, config, console.log) : undefined;
  console.log(welcome(role, config, demo));
}

async function findDatabase(
  role: string,
  config: Config,
  stops: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<string> {
  if (config.databaseUrl !== null) return config.databaseUrl;
  if (role === 'api' || role === 'worker') {
    throw new StartError(`The role ${role} shares a database with others: set DATABASE_URL.`);
  }
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir: config.dataDir, say: console.log });
  stops.push(postgres.stop);
  void postgres.exited.then(() => {
    console.error('The embedded PostgreSQL has ended unexpectedly; its log is in the data folder.');
    void stop().finally(() => process.exit(1));
  });
  return postgres.url;
}

async function checkDatabase(db: Database): Promise<void> {
  const rows = await db
    .query<{ version: string }>("select current_setting('server_version_num') as version")
    .catch((error: Error) => {
      // A name with several addresses fails with one error for each, and no message of its own.
      const cause = (error.cause ?? error) as Error & { errors?: Error[] };
      throw new StartError(`The database cannot be reached: ${cause.errors?.[0]?.message ?? cause.message}.`);
    });
  const found = Math.floor(Number(rows[0]?.version) / 10_000);
  if (found < 15) throw new StartError(`Aisle needs PostgreSQL 15 or later; this one is ${found}.`);
}

async function listenOn({ http }: Aisle, config: Config): Promise<number> {
  await http.listen({ host: config.host, port: config.port }).catch((error) => refuseAddress(error, config));
  const address = http.server.address();
  return typeof address === 'object' && address ? address.port : config.port;
}

/** Before anything is made or started, since that is what a person gets wrong most often. */
async function tryAddress(config: Config): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(config.port, config.host, () => probe.close(() => resolve()));
  }).catch((error) => refuseAddress(error, config));
}

function refuseAddress(error: unknown, config: Config): never {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') throw new StartError(`Port ${config.port} is taken: set PORT to another one.`);
  if (code === 'EACCES')
    throw new StartError(`Port ${config.port} may not be used by this user: set PORT to another one.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    throw new StartError(`HOST ${config.host} is no address of this machine.`);
  throw error;
}

/**
 * The first signal drains and ends with 0; the second ends at once. Under npm one Ctrl-C comes twice, from the terminal
 * and from npm: what follows within a moment is the same one.
 */
function exitOnSignals(stop: () => Promise<void>): void {
  let first: number | undefined;
  const onSignal = () => {
    if (first !== undefined && performance.now() - first < 300) return;
    if (first !== undefined) process.exit(130);
    first = performance.now();
    void stop().then(
      () => {
        console.log('Aisle has stopped.');
        process.exit(0);
      },
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}

function isSentence(error: unknown): error is Error {
  const sentences = [StartError, ConfigError, EmbeddedPostgresError, DatabaseTooNewError, SealError];
  return sentences.some((kind) => error instanceof kind);
}
