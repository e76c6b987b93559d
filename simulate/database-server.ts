import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { fillDataFolder } from '../e2e/support/data-folder.ts';
import { type Proxy, startProxy, type Target } from './proxy.ts';

/** PostgreSQL, started again whenever it exits. Clients connect through proxies, so its address never changes. */
export type DatabaseServer = {
  /** Starts a proxy, and returns it with the URL of the database behind it. */
  connect(): Promise<{ proxy: Proxy; url: string }>;
  kill(): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Even without fsync, writes survive when the server is killed, because the operating system keeps running. */
const settings = { fsync: 'off', max_connections: '100', max_wal_size: '512MB' };

export async function startDatabaseServer(dataDir: string): Promise<DatabaseServer> {
  let isStopped = false;
  let current: EmbeddedPostgres;
  let starting: Promise<void> | undefined;

  const start = async () => {
    while (!isStopped) {
      const started = await startEmbeddedPostgres({ dataDir, settings }).catch(() => undefined);
      if (!started) {
        // The disk may be full.
        await sleep(200);
        continue;
      }
      current = started;
      void started.exited.then(restart);
      return;
    }
  };
  const restart = (): Promise<void> => {
    if (isStopped) return Promise.resolve();
    starting ??= current
      .stop()
      .then(start)
      .finally(() => {
        starting = undefined;
      });
    return starting;
  };

  fillDataFolder(dataDir);
  current = await startEmbeddedPostgres({ dataDir, settings });
  void current.exited.then(restart);
  return {
    async connect() {
      const proxy = await startProxy(() => targetOf(current.url));
      const url = new URL(current.url);
      url.host = `127.0.0.1:${proxy.port}`;
      url.searchParams.delete('host');
      return { proxy, url: url.href };
    },
    kill() {
      const pid = findPostmaster(dataDir);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    },
    restart,
    async stop() {
      isStopped = true;
      await starting;
      await current.stop();
    },
  };
}

function targetOf(text: string): Target {
  const url = new URL(text);
  const folder = url.searchParams.get('host');
  return folder === null ? { host: url.hostname, port: Number(url.port) } : { path: join(folder, '.s.PGSQL.5432') };
}

function findPostmaster(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10) || undefined;
  } catch {
    // The server is not running.
    return undefined;
  }
}
