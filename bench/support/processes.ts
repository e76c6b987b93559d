import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { startEmbeddedPostgres } from '../../server/src/embedded/index.ts';
import { type Database, openDatabase } from '../../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../../server/src/kernel/database/migrate.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../tools/temporary-folder.ts';

/** Starts a PostgreSQL server for this benchmark only, with default settings and an empty, migrated database. */
export async function startDatabase(): Promise<{ url: string; db: Database; stop(): Promise<void> }> {
  const folder = makeTemporaryFolder('bench');
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const db = openDatabase({
    url: postgres.url,
    connections: 16,
    preparedStatements: true,
    name: 'aisle bench',
    onError: () => {},
  });
  await migrate(db, readMigrations(new URL('../../server/migrations/', import.meta.url)));
  return {
    url: postgres.url,
    db,
    async stop() {
      await db.close();
      await postgres.stop();
      removeTemporaryFolder(folder);
    },
  };
}

export type Running = { url: string; process: ChildProcess; stop(): Promise<void> };

/** Starts a separate process that listens on PORT, and waits until it responds to GET /health/live. */
export async function startProcess(module: URL, args: string[], environment: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--expose-gc', module.pathname, ...args], {
    stdio: ['ignore', process.env['BENCH_LOG'] ? 'inherit' : 'ignore', 'inherit'],
    env: { ...process.env, AISLE_LOG_LEVEL: 'warn', PORT: String(port), ...environment },
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`${url}/health/live`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) break;
    if (tries > 200 || child.exitCode !== null) throw new Error(`${module.pathname} did not start.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    process: child,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** Starts Aisle in one process on this database, without rate limits. */
export function startAisle(databaseUrl: string): Promise<Running> {
  const environment = { DATABASE_URL: databaseUrl, AISLE_RATE_LIMITS: 'off', AISLE_DEMO: 'off' };
  return startProcess(aisleModule, ['all'], environment);
}

export const aisleModule = new URL('../../server/dist/main.js', import.meta.url);

export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
