import assert from 'node:assert/strict';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { chooseLauncher, launch } from '../../server/src/embedded/launcher.ts';
import { makeFolder } from './folder.ts';
import { pathWithServers } from './installed.ts';
import { freePort } from './program.ts';
import { waitFor, within } from './wait.ts';

export type Pooler = {
  /** The URL of the same database, through pgbouncer. */
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
};

export type PoolerOptions = { mode: 'session' | 'transaction'; maxPrepared: number; connections: number };

/** Starts pgbouncer in front of the server of this URL. All clients share few connections. */
export async function startPgbouncer(server: string, options: PoolerOptions): Promise<Pooler> {
  const { folder, remove } = makeFolder();
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, configuration(server, port, options));
  // pgbouncer refuses to run as root, as PostgreSQL does, and must be able to open the socket of the server.
  const launcher = chooseLauncher(new URL(server).searchParams.get('host') ?? folder);
  if (launcher.owner) chownSync(file, launcher.owner.uid, launcher.owner.gid);
  chmodSync(file, 0o600);
  const env = { PATH: pathWithServers };
  const child = launch(launcher, 'pgbouncer', [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const urlOf = (databaseUrl: string) => {
    const { username, pathname } = new URL(databaseUrl);
    return `postgresql://${username}@127.0.0.1:${port}${pathname}?sslmode=disable`;
  };
  await waitFor(10, 'pgbouncer to accept connections', async () => {
    assert.equal(child.exitCode, null, output);
    const client = new pg.Client({ connectionString: urlOf(server), connectionTimeoutMillis: 2000 });
    return client.connect().then(
      () => client.end().then(() => true),
      () => undefined,
    );
  });
  return {
    urlOf,
    async stop() {
      child.kill('SIGQUIT');
      await within(10, 'pgbouncer to stop', ended);
      remove();
    },
  };
}

function configuration(server: string, port: number, { mode, maxPrepared, connections }: PoolerOptions): string {
  const url = new URL(server);
  const host = url.searchParams.get('host') ?? url.hostname;
  return [
    '[databases]',
    `* = host=${host} port=${url.port || 5432} user=${url.username} password=${url.password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${connections}`,
    'max_client_conn = 500',
    ...(maxPrepared > 0 ? [`max_prepared_statements = ${maxPrepared}`] : []),
    '',
  ].join('\n');
}
