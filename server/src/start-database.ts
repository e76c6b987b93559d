import { availableParallelism } from 'node:os';
import type { Cleanup } from './cleanup.ts';
import { migrateCluster } from './cluster/index.ts';
import type { Config } from './config.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/index.ts';
import { type Database, type DatabaseOptions, openDatabase } from './kernel/database/db.ts';
import { reservedConnections } from './kernel/database/reserved.ts';
import { isMigrated, readMigrations } from './kernel/database/migrate.ts';
import { OperatorError } from './kernel/failures/operator-error.ts';
import type { Log } from './kernel/monitoring/log.ts';

/** The program cannot start as it was asked to. */
export class StartError extends OperatorError {}

export const migrations = readMigrations(new URL('../migrations/', import.meta.url));

/** The role `all` migrates the database. The others need one that is up to date. */
export async function openMigratedDatabase(role: string, config: Config, log: Log, cleanup: Cleanup) {
  const opened = await openDatabaseFor(role, config, log, cleanup);
  if (role === 'all') await migrateDirectly(opened.db, config, log);
  else if (!(await isMigrated(opened.db, migrations))) {
    throw new StartError('The database is not up to date: run "npm start -- migrate" first.');
  }
  return opened;
}

/** Migrations take a lock of the session, and have no timeout, so they cannot run behind a pooler. */
async function migrateDirectly(db: Database, config: Config, log: Log): Promise<void> {
  const direct = config.directUrl === null ? db : connect(config.directUrl, 'aisle migrate', config, log);
  try {
    await migrateCluster(direct, migrations);
  } finally {
    if (direct !== db) await direct.close();
  }
}

export async function openDatabaseFor(role: string, config: Config, log: Log, cleanup: Cleanup) {
  const embedded = config.databaseUrl === null ? await startDatabase(role, config, cleanup) : undefined;
  const pooledUrl = config.databaseUrl ?? (embedded as EmbeddedPostgres).url;
  const isServing = servingRoles.has(role);
  const databaseUrl = isServing ? pooledUrl : (config.directUrl ?? pooledUrl);
  const db = connect(databaseUrl, `aisle ${role}`, config, log, isServing ? config : {});
  cleanup.add(db.close);
  void embedded?.exited.then((reason) => exitWithoutDatabase(reason, db, cleanup));
  await checkDatabase(db, databaseUrl === config.directUrl ? 'DATABASE_DIRECT_URL' : undefined);
  return { db, databaseUrl };
}

/** The others are commands, which connect directly. Their statements have no timeout: moving data can take hours. */
const servingRoles = new Set(['all', 'api', 'worker', 'sftp']);

/** Opens a database that has been started and checked. `name` is what PostgreSQL shows for the connections. */
export function connect(
  url: string,
  name: string,
  config: Config,
  log: Log,
  { statementSeconds, lockSeconds }: Pick<DatabaseOptions, 'statementSeconds' | 'lockSeconds'> = config,
): Database {
  return openDatabase({
    url,
    connections: config.databaseConnections,
    replicaUrl: url === config.directUrl ? null : config.replicaUrl,
    isPooled: config.directUrl !== null && url !== config.directUrl,
    directUrl: url === config.directUrl ? null : config.directUrl,
    preparedStatements: config.preparedStatements,
    ...(statementSeconds !== undefined && { statementSeconds }),
    ...(lockSeconds !== undefined && { lockSeconds }),
    taskConnections: taskConnections(config),
    slowReadsPerChain: slowReadsPerChain(config),
    name,
    onError: (error) => log.warn({ event: 'database.connection_lost', error: error.message }),
  });
}

export async function startDatabase(role: string, config: Config, cleanup: Cleanup): Promise<EmbeddedPostgres> {
  if (role === 'api' || role === 'worker' || role === 'sftp') {
    throw new StartError(`The role ${role} needs a shared database; set DATABASE_URL.`);
  }
  const settings = { max_connections: String(maxConnections(config)) };
  const starting = startEmbeddedPostgres({ dataDir: config.dataDir, settings, print: console.log });
  // If a signal arrives during startup, wait until PostgreSQL has started. Otherwise initdb could outlive this process.
  cleanup.add(() =>
    starting.then(
      (started) => started.stop(),
      () => {},
    ),
  );
  return starting;
}

/** The rest is for backups and the operator. */
function maxConnections(config: Config): number {
  const { processes, databaseConnections, sftp } = config;
  // Among several processes, SFTP has its own one.
  const all = processes > 1 && sftp.port !== null ? processes + 1 : processes;
  return Math.max(60, all * (connectionsPerProcess(databaseConnections) + taskConnections(config)) + 20);
}

/** One more task than slots can run (see `freeSlots`), while others are claimed. */
const taskConnections = ({ workerSlots }: Config) => workerSlots + 2;

/** The slow reads of a chain can keep half of the processors busy if PostgreSQL is on this machine. */
const slowReadsPerChain = ({ processes }: Config) => Math.max(1, Math.floor(availableParallelism() / 2 / processes));

/** One more connection listens. */
const connectionsPerProcess = (pooled: number) => pooled + reservedConnections + 1;

/** Requests in flight can no longer succeed, so the process does not wait long for them. */
function exitWithoutDatabase(reason: string, db: Database, cleanup: Cleanup): void {
  console.error(reason);
  db.abandon();
  const exit = () => process.exit(1);
  setTimeout(exit, 1500);
  cleanup.run().then(exit, exit);
}

async function checkDatabase(db: Database, setting: string | undefined): Promise<void> {
  const rows = await db
    .query<{ version: string }>("select current_setting('server_version_num') as version")
    .catch((error: Error) => {
      // If a host name has several addresses, there is one error per address, and the message is empty.
      const cause = (error.cause ?? error) as Error & { errors?: Error[] };
      const database = setting === undefined ? 'The database' : `The database in ${setting}`;
      throw new StartError(`${database} cannot be reached: ${cause.errors?.[0]?.message ?? cause.message}.`);
    });
  const found = Math.floor(Number(rows[0]?.version) / 10_000);
  if (found < 15) throw new StartError(`Aisle needs PostgreSQL 15 or later; this is version ${found}.`);
}

/** Warns if the processes can open more connections than the database allows. A connection pooler in between can allow more, so this is not an error. */
export async function checkConnections(db: Database, config: Config, processes: number, log: Log): Promise<void> {
  const [row] = await db.query<{ allowed: number }>("select current_setting('max_connections')::int as allowed");
  const ofTasks = db.forTasks.pool === db.pool ? 0 : taskConnections(config);
  const needed = processes * (connectionsPerProcess(config.databaseConnections) + ofTasks);
  const allowed = row?.allowed ?? needed;
  if (needed > allowed) log.warn({ event: 'database.too_few_connections', needed, max_connections: allowed });
}
