import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/embedded/index.ts';
import { copyCluster } from './copy-cluster.ts';
import { fillDataFolder } from './data-folder.ts';
import { listFamily } from './processes.ts';
import { waitFor } from './wait.ts';

/** Two PostgreSQL servers in streaming replication, of the binaries that are installed with Aisle. */
export type ReplicatedPair = {
  /** Names both servers. Connections go to the one that accepts writes. */
  url: string;
  primaryUrl(): string;
  standbyUrl(): string;
  /** Makes every commit wait until the standby has it on disk, or not. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** Kills all processes of the primary. */
  killPrimary(): void;
  /** From now on, the primary neither responds nor closes connections. */
  freezePrimary(): void;
  killStandby(): void;
  /** Stops the replication. What the primary writes from now on is lost if it is killed. */
  detachStandby(): Promise<void>;
  /** Makes the standby the primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Creates a new standby in place of the server that was killed. */
  rebuild(): Promise<void>;
  stop(): Promise<void>;
};

type Server = { folder: string; postgres: EmbeddedPostgres };

const settings = { max_connections: '120', max_wal_senders: '6', wal_receiver_timeout: '10s' };

export async function startPair(folder: string): Promise<ReplicatedPair> {
  const names = ['one', 'two'] as const;
  const folders = names.map((name) => join(folder, name));
  const [first = '', second = ''] = folders;
  fillDataFolder(first);
  let primary: Server = { folder: first, postgres: await startEmbeddedPostgres({ dataDir: first, settings }) };
  let standby = await startStandby(primary, second);
  const urls = [primary, standby].map(({ postgres }) => new URL(postgres.url));
  const hosts = urls.map(({ searchParams }) => `${encodeURIComponent(searchParams.get('host') ?? '')}:5432`);
  const { username, password, pathname } = new URL(primary.postgres.url);
  return {
    url: `postgresql://${username}:${password}@${hosts.join(',')}${pathname}?sslmode=disable&target_session_attrs=read-write`,
    primaryUrl: () => primary.postgres.url,
    standbyUrl: () => standby.postgres.url,
    setSynchronous: (isSynchronous) => setSynchronous(primary, isSynchronous),
    killPrimary: () => signalAll(primary, 'SIGKILL'),
    freezePrimary: () => signalAll(primary, 'SIGSTOP'),
    killStandby: () => signalAll(standby, 'SIGKILL'),
    async detachStandby() {
      await waitFor(20, 'the standby to catch up', async () => {
        const sql = 'select 1 from pg_stat_replication where flush_lsn >= pg_current_wal_flush_lsn()';
        return (await runOn(primary, sql)).length > 0 || undefined;
      });
      await runOn(standby, "alter system set primary_conninfo = ''");
      await runOn(standby, 'select pg_reload_conf()');
      await waitFor(20, 'the replication to stop', async () =>
        (await countStandbys(primary)) === 0 ? true : undefined,
      );
    },
    async promote() {
      [primary, standby] = [standby, primary];
      await setSynchronous(primary, false);
      await runOn(primary, 'select pg_promote()');
    },
    async rebuild() {
      await standby.postgres.stop();
      rmSync(join(standby.folder, 'postgres'), { recursive: true });
      standby = await startStandby(primary, standby.folder);
    },
    async stop() {
      await standby.postgres.stop();
      await primary.postgres.stop();
    },
  };
}

async function startStandby(primary: Server, folder: string): Promise<Server> {
  await copyCluster(primary.postgres.url, join(primary.folder, 'postgres'), join(folder, 'postgres'));
  writeFileSync(join(folder, 'postgres', 'standby.signal'), '');
  const { username, password, searchParams } = new URL(primary.postgres.url);
  const source = `host=${searchParams.get('host')} port=5432 user=${username} password=${password}`;
  // A command-line setting could not be changed for a running server.
  appendFileSync(join(folder, 'postgres', 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings });
  await waitFor(20, 'the standby to follow', async () => ((await countStandbys(primary)) === 1 ? true : undefined));
  return { folder, postgres };
}

async function countStandbys(server: Server): Promise<number | undefined> {
  const [row] = await runOn<{ count: number }>(server, 'select count(*)::int as count from pg_stat_replication');
  return row?.count;
}

/** Written to the configuration file, as in `startStandby`. */
async function setSynchronous(server: Server, isSynchronous: boolean): Promise<void> {
  await runOn(server, `alter system set synchronous_standby_names = '${isSynchronous ? '*' : ''}'`);
  await runOn(server, 'select pg_reload_conf()');
  await waitFor(10, 'the setting', async () => {
    const rows = await runOn<{ value: string }>(server, "select current_setting('synchronous_standby_names') as value");
    return rows[0]?.value === (isSynchronous ? '*' : '') || undefined;
  });
}

/** With SIGKILL, as if its machine had lost power: nothing that it has not sent yet arrives. */
function signalAll({ folder }: Server, signal: 'SIGKILL' | 'SIGSTOP'): void {
  const postmaster = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8');
  const family = listFamily(Number.parseInt(postmaster, 10));
  assert.ok(family.length > 3, JSON.stringify(family));
  for (const { pid } of family) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has exited.
    }
  }
}

async function runOn<Row extends pg.QueryResultRow>(server: Server, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.postgres.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
