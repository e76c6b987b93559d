import { type Role, startAisle } from './app.ts';
import { BackupError, backedUpFiles, backUp, loadBackup, openBackup, writeBackedUpFiles } from './backup.ts';
import { type Cleanup, cleanUpOnFailure, createCleanup } from './cleanup.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { seedDemo } from './demo/index.ts';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  findRunningPostgres,
  hasCluster,
  replaceData,
  startEmbeddedPostgres,
} from './embedded/index.ts';
import { createPlatformToken, discardFactors } from './identity/index.ts';
import { type Database, openDatabase } from './kernel/database/db.ts';
import { isMigrated, MigrationError, migrate, readMigrations } from './kernel/database/migrate.ts';
import { createLog, type Log } from './kernel/monitoring/log.ts';
import { createServerLog } from './kernel/monitoring/terminal-log.ts';
import { SealError } from './kernel/secrets/seal.ts';
import { getOrCreateKeys, getSecretKeys } from './secret-keys.ts';
import { HostKeyError } from './sftp/index.ts';
import { AddressError, reserveAddress } from './reserve-address.ts';
import { version } from './version.ts';
import { discardSecrets } from './webhooks/index.ts';
import { welcome } from './welcome.ts';

const usage = `Aisle ${version}: a partner-commerce service for quick-commerce marketplaces

  npm start                      everything in one process, on an embedded PostgreSQL
  npm start -- ROLE              a single role, on the PostgreSQL at DATABASE_URL

  ROLE  all                      API, background worker and SFTP (default); migrates the database first
        api                      the API alone
        worker                   the background worker alone, with its own /health and /metrics
        sftp                     the SFTP server alone, with its own /health and /metrics
        migrate                  migrate the database, then exit
        platform-token NAME      create a platform token, print it once, then exit
        discard-secrets          give up the webhook secrets and second factors that a lost key has encrypted, then exit
        backup FILE              back up the embedded database and its key, also while Aisle is running
        restore FILE             restore a backup into an empty data folder; with --overwrite, replace its data

Environment variables and their defaults: PORT 8080, HOST 127.0.0.1, DATABASE_URL (unset: embedded PostgreSQL),
AISLE_DATA_DIR ./data, AISLE_PUBLIC_URL, AISLE_RATE_LIMITS on, AISLE_LOG_LEVEL info, AISLE_SECRET_KEY (required for
webhooks and second factors with DATABASE_URL), AISLE_SFTP_PORT 2222, AISLE_SFTP_HOST_KEY (required for SFTP with
DATABASE_URL). The operator guide in docs/guides describes all of them.`;

/** An error that the operator can fix. It is printed as one sentence, without a stack trace. */
class StartError extends Error {}

const commands = ['migrate', 'platform-token', 'discard-secrets'];
const migrations = readMigrations(new URL('../migrations/', import.meta.url));

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!isOperatorError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main([role = 'all', ...rest]: string[]): Promise<void> {
  if (role === '--help' || role === '-h' || role === 'help') return console.log(usage);
  if (role === '--version') return console.log(version);
  if (!['all', 'api', 'worker', 'sftp', 'backup', 'restore', ...commands].includes(role)) {
    throw new StartError(`Unknown role "${role}".\n\n${usage}`);
  }
  if (role === 'platform-token' && rest.length === 0) {
    throw new StartError('The platform token needs a name: npm start -- platform-token NAME.');
  }
  const config = readConfig(process.env);
  const cleanup = createCleanup();
  exitOnSignals(cleanup.run);
  await cleanUpOnFailure(async () => {
    if (commands.includes(role)) await runCommand(role, rest, config, cleanup);
    else if (role === 'backup' || role === 'restore') await copyEmbedded(role, rest, config, cleanup);
    else await serve(role as Role, config, cleanup);
  }, cleanup);
}

async function runCommand(role: string, rest: string[], config: Config, cleanup: Cleanup): Promise<void> {
  const { db } = await openDatabaseFor(role, config, createLog(config.logLevel), cleanup);
  await migrate(db, migrations);
  if (role === 'migrate') console.log('The database is up to date.');
  else if (role === 'platform-token') console.log(await createPlatformToken(db, rest.join(' ')));
  else console.log(await giveUpSecrets(db, config));
  await cleanup.run();
}

async function giveUpSecrets(db: Database, config: Config): Promise<string> {
  const keys = getOrCreateKeys(config);
  if (keys.length === 0) throw new StartError('Set AISLE_SECRET_KEY to the key that will encrypt the new secrets.');
  const webhooks = await discardSecrets(db, keys);
  const factors = await discardFactors(db, keys);
  if (webhooks + factors === 0) return 'Every webhook secret and second factor can be decrypted; nothing was changed.';
  return [
    `Webhooks with a new signing secret and without authorization: ${webhooks}. Their owners must rotate the signing secret and enter the authorization again.`,
    `Users whose second factor was turned off: ${factors}. They sign in with the password alone until they set it up again.`,
  ].join('\n');
}

async function copyEmbedded(role: string, rest: string[], config: Config, cleanup: Cleanup): Promise<void> {
  const [file, ...more] = rest.filter((argument) => argument !== '--overwrite');
  const overwrite = rest.includes('--overwrite');
  if (file === undefined || more.length > 0 || file.startsWith('-') || (role === 'backup' && overwrite)) {
    throw new StartError(`Name one file: npm start -- ${role} FILE${role === 'restore' ? ' [--overwrite]' : ''}.`);
  }
  if (config.databaseUrl !== null) {
    throw new StartError(
      `${role} is for the embedded database, but DATABASE_URL is set; use pg_basebackup or pg_dump, as described in the operator guide.`,
    );
  }
  const abort = new AbortController();
  const working =
    role === 'backup'
      ? backUpFolder(file, config, abort.signal, cleanup)
      : restoreFolder(file, overwrite, config, cleanup);
  // After a signal, unfinished files are deleted before the process exits.
  cleanup.add(() => working.catch(() => {}));
  cleanup.add(() => abort.abort());
  await working;
  await cleanup.run();
}

async function backUpFolder(file: string, config: Config, signal: AbortSignal, cleanup: Cleanup): Promise<void> {
  const { dataDir } = config;
  if (!hasCluster(dataDir)) throw new StartError(`There is no database in ${dataDir}; set AISLE_DATA_DIR.`);
  const url = findRunningPostgres(dataDir) ?? (await startDatabase('backup', config, cleanup)).url;
  await backUp(url, { dataDir, file, print: console.log, signal });
}

async function restoreFolder(file: string, overwrite: boolean, config: Config, cleanup: Cleanup): Promise<void> {
  const backup = await openBackup(file, migrations);
  const { dataDir } = config;
  await replaceData({ dataDir, overwrite, files: backedUpFiles }, async (folder) => {
    const started = createCleanup();
    cleanup.add(started.run);
    try {
      const { db } = await openDatabaseFor('restore', { ...config, dataDir: folder }, createLog('silent'), started);
      await loadBackup(db, backup, migrations, console.log);
    } finally {
      await started.run();
    }
    writeBackedUpFiles(backup, folder);
  });
  console.log(`The backup from ${backup.about.created_at} has been restored to ${dataDir}.`);
}

/** The configuration is complete before the application is built and never changes afterwards. */
async function serve(role: Role, given: Config, cleanup: Cleanup): Promise<void> {
  const log = createServerLog(given.logLevel, process.stdout, process.env);
  const address = await reserveAddress(given);
  cleanup.add(address.release);
  const metricsAddress = await reserveMetricsAddress(given, cleanup);
  const sftpAddress = await reserveSftpAddress(role, given, cleanup);
  const { db, databaseUrl } = await openDatabaseFor(role, given, log, cleanup);
  if (role === 'all') await migrate(db, migrations);
  else if (!(await isMigrated(db, migrations))) {
    throw new StartError('The database is not up to date: run "npm start -- migrate" first.');
  }
  const config = readConfig(process.env, {
    port: address.port,
    sftpPort: sftpAddress?.port ?? null,
    secretKeys: await getSecretKeys(db, given),
  });
  const aisle = await startAisle({ config, db, databaseUrl, log, migrations }, role);
  cleanup.add(aisle.stop);
  await address.handOverToHttp(aisle.http);
  if (aisle.metricsHttp) await metricsAddress?.handOverToHttp(aisle.metricsHttp);
  if (aisle.sftp) await sftpAddress?.handOver(aisle.sftp.listen);
  const { fingerprint } = aisle.sftp ?? {};
  const demo =
    config.demo && role === 'all' ? await seedDemo(db.withoutTimeout, config, console.log, fingerprint) : undefined;
  // A signal may have arrived while the demo was being seeded.
  if (!cleanup.hasStarted()) console.log(welcome(role, config, demo, fingerprint));
}

async function reserveMetricsAddress({ host, metrics: { port } }: Config, cleanup: Cleanup) {
  if (port === null) return undefined;
  const address = await reserveAddress({ host, port, setting: 'AISLE_METRICS_PORT' });
  cleanup.add(address.release);
  return address;
}

/** If the default port is in use, the server starts without SFTP, which most people who try Aisle do not need. */
async function reserveSftpAddress(role: Role, { host, sftp, databaseUrl }: Config, cleanup: Cleanup) {
  const isWanted = role === 'sftp' || sftp.isPortSet;
  if ((role !== 'all' && role !== 'sftp') || sftp.port === null) {
    if (role === 'sftp') throw new StartError('The role sftp needs a port; AISLE_SFTP_PORT is off.');
    return undefined;
  }
  if (databaseUrl !== null && sftp.hostKey === null) {
    if (!isWanted) return undefined;
    throw new StartError(
      'SFTP with DATABASE_URL needs a host key; set AISLE_SFTP_HOST_KEY, or AISLE_SFTP_PORT to off.',
    );
  }
  try {
    const address = await reserveAddress({ host, port: sftp.port, setting: 'AISLE_SFTP_PORT' });
    cleanup.add(address.release);
    return address;
  } catch (error) {
    if (isWanted || !(error instanceof AddressError)) throw error;
    console.error(`SFTP is off: ${error.message}`);
    return undefined;
  }
}

async function openDatabaseFor(role: string, config: Config, log: Log, cleanup: Cleanup) {
  const embedded = config.databaseUrl === null ? await startDatabase(role, config, cleanup) : undefined;
  const databaseUrl = config.databaseUrl ?? (embedded as EmbeddedPostgres).url;
  const db = openDatabase({
    url: databaseUrl,
    connections: config.databaseConnections,
    preparedStatements: config.preparedStatements,
    statementSeconds: config.statementSeconds,
    lockSeconds: config.lockSeconds,
    name: `aisle ${role}`,
    onError: (error) => log.warn({ event: 'database.connection_lost', error: error.message }),
  });
  cleanup.add(db.close);
  void embedded?.exited.then(() => exitWithoutDatabase(db, cleanup));
  await checkDatabase(db);
  return { db, databaseUrl };
}

async function startDatabase(role: string, config: Config, cleanup: Cleanup): Promise<EmbeddedPostgres> {
  if (role === 'api' || role === 'worker' || role === 'sftp') {
    throw new StartError(`The role ${role} needs a shared database; set DATABASE_URL.`);
  }
  const starting = startEmbeddedPostgres({ dataDir: config.dataDir, print: console.log });
  // If a signal arrives during startup, wait until PostgreSQL has started. Otherwise initdb could outlive this process.
  cleanup.add(() =>
    starting.then(
      (started) => started.stop(),
      () => {},
    ),
  );
  return starting;
}

/** Requests in flight can no longer succeed, so the process does not wait long for them. */
function exitWithoutDatabase(db: Database, cleanup: Cleanup): void {
  console.error('The embedded PostgreSQL has stopped unexpectedly; its log is in the data folder.');
  db.abandon();
  const exit = () => process.exit(1);
  setTimeout(exit, 1500);
  cleanup.run().then(exit, exit);
}

async function checkDatabase(db: Database): Promise<void> {
  const rows = await db
    .query<{ version: string }>("select current_setting('server_version_num') as version")
    .catch((error: Error) => {
      // If a host name has several addresses, there is one error per address, and the message is empty.
      const cause = (error.cause ?? error) as Error & { errors?: Error[] };
      throw new StartError(`The database cannot be reached: ${cause.errors?.[0]?.message ?? cause.message}.`);
    });
  const found = Math.floor(Number(rows[0]?.version) / 10_000);
  if (found < 15) throw new StartError(`Aisle needs PostgreSQL 15 or later; this is version ${found}.`);
}

/**
 * The first signal drains the server and exits with 0. The second exits immediately. Under npm, one Ctrl-C arrives
 * twice, from the terminal and from npm, so a second signal within 300 ms is ignored.
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

function isOperatorError(error: unknown): error is Error {
  const kinds = [
    StartError,
    ConfigError,
    AddressError,
    BackupError,
    EmbeddedPostgresError,
    HostKeyError,
    MigrationError,
    SealError,
  ];
  return kinds.some((kind) => error instanceof kind);
}
