import { fileURLToPath } from 'node:url';
import type { Role } from './app.ts';
import type { Cleanup } from './cleanup.ts';
import { type Config, readConfig } from './config.ts';
import { acceptOn, listAddresses, stopListening } from './kernel/http/listen-on.ts';
import { createServerLog } from './kernel/monitoring/terminal-log.ts';
import { createSupervisor, type ListenerName, type ProcessKind, type Supervisor } from './processes/index.ts';
import type { ReservedAddress } from './reserve-address.ts';
import { reserveAddresses } from './reserve-addresses.ts';
import { getSecretKeys } from './secret-keys.ts';
import type { Seeded, StartValues } from './serve-process.ts';
import { findHostKey } from './sftp/index.ts';
import { checkConnections, openMigratedDatabase } from './start-database.ts';
import { welcome } from './welcome.ts';

/** Runs the role in several processes. What must be done once is done here, or by the first process. */
export async function serveProcesses(role: Role, given: Config, cleanup: Cleanup): Promise<void> {
  const log = createServerLog(given.logLevel, process.stdout, process.env);
  const addresses = await reserveAddresses(role, given, cleanup);
  const { db, databaseUrl } = await openMigratedDatabase(role, given, log, cleanup);
  const secretKeys = await getSecretKeys(db, given, log);
  const ports = { port: addresses.http.port, sftpPort: addresses.sftp?.port ?? null };
  const config = readConfig(process.env, { ...ports, secretKeys });
  const hostKey = addresses.sftp && findHostKey(config);
  const kinds = listKinds(config.processes, hostKey !== undefined);
  await checkConnections(db, config, kinds.length, log);
  const fingerprint = hostKey?.fingerprint;
  let isSeeded = !(config.demo && role === 'all');
  const supervisor = createSupervisor({
    program: fileURLToPath(new URL('./main.js', import.meta.url)),
    args: ['--process'],
    kinds,
    trustedProxies: config.trustedProxies,
    shutdownSeconds: config.shutdownSeconds,
    log,
    valuesFor: (number): StartValues => ({
      role: number > config.processes ? 'sftp' : role,
      ...ports,
      secretKeys,
      databaseUrl,
      seedsDemo: !isSeeded && number === 1,
      fingerprint,
    }),
    onGivenUp: ({ message }) => exitAfterFailure(message, cleanup),
  });
  cleanup.add(supervisor.stop);
  await supervisor.startFirst();
  await listenFor(supervisor, 'http', addresses.http, cleanup);
  if (addresses.metrics) await listenFor(supervisor, 'metrics', addresses.metrics, cleanup);
  if (addresses.sftp && hostKey) await listenFor(supervisor, 'sftp', addresses.sftp, cleanup);
  await supervisor.startOthers();
  const demo = isSeeded ? undefined : ((await supervisor.done) as Seeded);
  isSeeded = true;
  if (!cleanup.hasStarted()) console.log(welcome(role, config, demo, fingerprint));
}

/**
 * SFTP has its own process, the last one: its library parses what clients send before they have logged in, so a fault
 * there must not stop the requests. All of its connections are in one process, because their limits are counted in
 * memory.
 */
function listKinds(count: number, hasSftp: boolean): ProcessKind[] {
  const serving: ProcessKind = { listeners: ['http', 'metrics'], isRequired: true };
  const sftp: ProcessKind = { listeners: ['sftp'], isRequired: false };
  return [...Array.from({ length: count }, () => serving), ...(hasSftp ? [sftp] : [])];
}

async function listenFor(supervisor: Supervisor, name: ListenerName, address: ReservedAddress, cleanup: Cleanup) {
  await address.handOver(async (found) => {
    const listeners = await acceptOn(await listAddresses(found), (socket) => supervisor.dispatch(name, socket));
    // Does not wait for the connections, which belong to the processes.
    cleanup.add(() => stopListening(listeners));
  });
}

function exitAfterFailure(message: string, cleanup: Cleanup): void {
  console.error(message);
  const exit = () => process.exit(1);
  cleanup.run().then(exit, exit);
}
