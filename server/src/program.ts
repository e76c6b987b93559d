import type { Role } from './app.ts';
import { checkArguments } from './check-arguments.ts';
import { cleanUpOnFailure, createCleanup } from './cleanup.ts';
import { readConfig } from './config.ts';
import { StartError } from './start-database.ts';
import { version } from './version.ts';

const usage = `Aisle ${version}: a partner-commerce service for quick-commerce marketplaces

  npm start                      everything in one process, on an embedded PostgreSQL
  npm start -- ROLE              a single role, on the PostgreSQL at DATABASE_URL

  ROLE  all                      API, background worker and SFTP (default); migrates the database first
        api                      the API alone
        worker                   the background worker alone, with its own /health and /metrics
        sftp                     the SFTP server alone, with its own /health and /metrics
        migrate                  migrate the database, then exit
        platform-token NAME      create a platform token, print it once, then exit
        platform-user EMAIL      invite a user to the console, print the link once, then exit
        distribute               distribute the tables over the nodes of a Citus cluster; with --with-data, also their rows
        cluster-status           show the nodes of a Citus cluster, what they store, and what needs attention
        rebalance                distribute the data evenly over the nodes of a Citus cluster, while it is in use
        move-chain CHAIN NODE    move a chain to another node of a Citus cluster (HOST:PORT), while it is in use; with
                                 --block-writes, changes wait while a shard with several chains is split
        discard-secrets          give up the webhook secrets and second factors that a lost key has encrypted, then exit
        backup FILE              back up the embedded database and its key, also while Aisle is running
        restore FILE             restore a backup into an empty data folder; with --overwrite, replace its data

Environment variables and their defaults: PORT 8080, HOST 127.0.0.1, DATABASE_URL (unset: embedded PostgreSQL),
AISLE_DATA_DIR ./data, AISLE_PUBLIC_URL, AISLE_RATE_LIMITS on, AISLE_LOG_LEVEL info, AISLE_SECRET_KEY (required for
webhooks and second factors with DATABASE_URL), AISLE_SFTP_PORT 2222, AISLE_SFTP_HOST_KEY (required for SFTP with
DATABASE_URL), AISLE_PROCESSES 1 (auto: one per core, for all and api). The operator guide in docs/guides describes all of them.`;

const commands = new Set([
  'migrate',
  'platform-token',
  'platform-user',
  'distribute',
  'cluster-status',
  'rebalance',
  'move-chain',
  'discard-secrets',
  'backup',
  'restore',
]);

// What is printed after the terminal was closed must not end the process.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

try {
  await main(process.argv.slice(2));
} catch (error) {
  const description = (await import('./describe-failure.ts')).describeFailure(error);
  if (description === undefined) throw error;
  console.error(description);
  process.exitCode = 1;
}

async function main([role = 'all', ...rest]: string[]): Promise<void> {
  if (role === '--help' || role === '-h' || role === 'help') return console.log(usage);
  if (role === '--version') return console.log(version);
  if (role === '--process' && process.connected) return (await import('./serve-process.ts')).serveProcess();
  if (!isRole(role) && !commands.has(role)) {
    throw new StartError(`Unknown role "${role}".\n\n${usage}`);
  }
  checkArguments(role, rest);
  const config = readConfig(process.env);
  const cleanup = createCleanup();
  exitOnSignals(cleanup.run);
  await cleanUpOnFailure(async () => {
    if (!isRole(role)) await (await import('./commands.ts')).runCommand(role, rest, config, cleanup);
    else if (config.processes > 1 && (role === 'all' || role === 'api')) {
      await (await import('./serve-processes.ts')).serveProcesses(role, config, cleanup);
    } else await (await import('./serve.ts')).serve(role, config, cleanup);
  }, cleanup);
}

function isRole(text: string): text is Role {
  return ['all', 'api', 'worker', 'sftp'].includes(text);
}

/**
 * The first signal drains the server and exits with 0. The second exits immediately. Under npm, one Ctrl-C arrives
 * twice, from the terminal and from npm, so a second signal within 300 ms is ignored. A terminal that is closed can send
 * several SIGHUP.
 */
function exitOnSignals(stop: () => Promise<void>): void {
  let first: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (first !== undefined && (signal === 'SIGHUP' || performance.now() - first < 300)) return;
    if (first !== undefined) process.exit(130);
    first = performance.now();
    void stop().then(
      () => {
        console.log('Aisle has stopped.');
        process.exit();
      },
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
}
