import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, launchProgram, type Run, welcomed } from '../e2e/support/launch.ts';
import { waitFor } from '../e2e/support/wait.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../server/src/kernel/database/migrate.ts';
import { type DatabaseServer, startDatabaseServer } from './database-server.ts';
import { type Disk, mountDisk } from './disk.ts';
import { type ProcessName, processNames } from './fault-plan.ts';
import { type Proxy, startProxy } from './proxy.ts';

/** All processes of the simulation, each behind proxies. A process that exits is started again. */
export type Cluster = {
  /** A connection for setting up the world and for reading the result. */
  db: Database;
  databaseServer: DatabaseServer;
  processes: Record<ProcessName, Machine>;
  /** Absent if file systems cannot be mounted. */
  disk: Disk | undefined;
  /** The URLs of the API processes, through their proxies. */
  apiUrls: string[];
  /** Waits until all processes are running. */
  ready(): Promise<void>;
  stop(): Promise<void>;
};

export type Machine = {
  /** The proxy between the process and PostgreSQL. */
  database: Proxy;
  /** The proxy between clients and the process; only for the API. */
  clients: Proxy | undefined;
  /** The clock skew of the process, applied the next time it starts. */
  skewMs: number;
  signal(signal: NodeJS.Signals): void;
  isUp(): boolean;
  stop(): Promise<void>;
};

export async function startCluster(folder: string): Promise<Cluster> {
  mkdirSync(join(folder, 'logs'));
  const disk = mountDisk(folder);
  const databaseServer = await startDatabaseServer(join(disk?.folder ?? folder, 'data'));
  const direct = await databaseServer.connect();
  const db = openDatabase({
    url: direct.url,
    connections: 4,
    preparedStatements: true,
    name: 'simulate',
    onError() {},
  });
  await migrate(db, readMigrations(new URL('../server/migrations/', import.meta.url)));
  const entries = await Promise.all(
    processNames.map(async (name) => [name, await startMachine(name, folder, databaseServer)] as const),
  );
  const processes = Object.fromEntries(entries) as Record<ProcessName, Machine>;
  const machines = Object.values(processes);
  return {
    db,
    databaseServer,
    processes,
    disk,
    apiUrls: machines.flatMap(({ clients }) => (clients ? [`http://127.0.0.1:${clients.port}`] : [])),
    ready: async () =>
      void (await waitFor(150, 'all processes to run', () => machines.every((each) => each.isUp()) || undefined, 50)),
    async stop() {
      await Promise.all(machines.map((machine) => machine.stop()));
      await db.close();
      await direct.proxy.close();
      await databaseServer.stop();
      disk?.unmount();
    },
  };
}

const restartDelayMs = 200;

async function startMachine(name: ProcessName, folder: string, server: DatabaseServer): Promise<Machine> {
  const { proxy: database, url } = await server.connect();
  const isApi = name.startsWith('api');
  const port = isApi ? await freePort() : 0;
  const clients = isApi ? await startProxy(() => ({ host: '127.0.0.1', port })) : undefined;
  let isStopped = false;
  let run: Run;
  const start = () => {
    const skewed = machine.skewMs === 0 ? [] : ['--import', new URL('./clock-skew.ts', import.meta.url).href];
    run = launchProgram([isApi ? 'api' : 'worker'], environment(url, port, machine.skewMs, folder), folder, skewed);
    void run.ended.then(async () => {
      appendFileSync(join(folder, 'logs', `${name}.log`), `${run.stdout()}${run.stderr()}`);
      await sleep(restartDelayMs);
      if (!isStopped) start();
    });
  };
  const machine: Machine = {
    database,
    clients,
    skewMs: 0,
    signal: (signal) => run.kill(signal),
    isUp: () => welcomed.test(run.stdout()),
    async stop() {
      isStopped = true;
      run.kill('SIGCONT');
      run.kill('SIGKILL');
      await run.ended;
      await Promise.all([database.close(), clients?.close()]);
    },
  };
  start();
  return machine;
}

function environment(url: string, port: number, skewMs: number, folder: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    PORT: String(port),
    AISLE_DATABASE_CONNECTIONS: '10',
    AISLE_RATE_LIMITS: 'off',
    AISLE_LOG_LEVEL: 'warn',
    AISLE_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
    SIMULATE_CLOCK_SKEW_MS: String(skewMs),
    // Halves the startup time of each process.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compile-cache'),
  };
}
