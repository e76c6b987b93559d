import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../cli/src/simulate/world/random.ts';
import { fillDataFolder } from '../e2e/support/data-folder.ts';
import { freePort, launchProgram, type Run, welcomed } from '../e2e/support/launch.ts';
import { waitFor } from '../e2e/support/wait.ts';
import { startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { createPlatformToken } from '../server/src/identity/index.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { migrate, readMigrations } from '../server/src/kernel/database/migrate.ts';

/** An API process and two workers, which are killed at random and started again. */
export type KilledWorkers = {
  url: string;
  platformToken: string;
  db: Database;
  kills(): number;
  /** Kills no more workers; those that are running keep running. */
  spare(): void;
  stop(): Promise<void>;
};

const workerCount = 2;
const restartDelayMs = 200;

/** Starts everything on an empty database in the folder, without a load balancer or proxies in between. */
export async function startKilledWorkers(folder: string, seed: number): Promise<KilledWorkers> {
  fillDataFolder(join(folder, 'data'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
  const db = openDatabase({
    url: postgres.url,
    connections: 4,
    preparedStatements: true,
    name: 'load-test',
    onError() {},
  });
  await migrate(db, readMigrations(new URL('../server/migrations/', import.meta.url)));
  const port = await freePort();
  await fillCompileCache(environmentOf(postgres.url, 0, folder), folder);
  const api = launchProgram(['api'], environmentOf(postgres.url, port, folder), folder);
  const workers = Array.from({ length: workerCount }, () =>
    startWorker(environmentOf(postgres.url, 0, folder), folder),
  );
  await waitFor(120, 'all processes to run', () => [api, ...workers].every(isUp) || undefined, 50);
  const killing = killAtRandom(workers, seed);
  return {
    url: `http://127.0.0.1:${port}`,
    platformToken: await createPlatformToken(db, 'load-test'),
    db,
    kills: killing.kills,
    spare: killing.end,
    async stop() {
      killing.end();
      api.kill('SIGKILL');
      await Promise.all([api.ended, ...workers.map((worker) => worker.stop())]);
      await db.close();
      await postgres.stop();
    },
  };
}

/** Node writes the cache when a process exits, but not when it is killed. */
async function fillCompileCache(environment: Record<string, string>, folder: string): Promise<void> {
  const run = launchProgram(['worker'], environment, folder);
  await waitFor(120, 'the first worker', () => isUp(run) || undefined, 50);
  run.kill('SIGTERM');
  await run.ended;
}

function startWorker(environment: Record<string, string>, folder: string) {
  let isStopped = false;
  let run: Run;
  const start = () => {
    run = launchProgram(['worker'], environment, folder);
    void run.ended.then(async () => {
      appendFileSync(join(folder, 'worker.log'), `${run.stdout()}${run.stderr()}`);
      await sleep(restartDelayMs);
      if (!isStopped) start();
    });
  };
  start();
  return {
    stdout: () => run.stdout(),
    kill: () => run.kill('SIGKILL'),
    async stop() {
      isStopped = true;
      run.kill('SIGKILL');
      await run.ended;
    },
  };
}

/** Kills a worker that is running every four to eight seconds. */
function killAtRandom(workers: ReturnType<typeof startWorker>[], seed: number) {
  const random = seeded(`kills ${seed}`);
  let kills = 0;
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(
      () => {
        const worker = random.pick(workers);
        if (isUp(worker)) {
          worker.kill();
          kills += 1;
        }
        schedule();
      },
      random.integer(4000, 8000),
    );
  };
  schedule();
  return { kills: () => kills, end: () => clearTimeout(timer) };
}

function isUp({ stdout }: Pick<Run, 'stdout'>): boolean {
  return welcomed.test(stdout());
}

function environmentOf(url: string, port: number, folder: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    PORT: String(port),
    AISLE_RATE_LIMITS: 'off',
    AISLE_LOG_LEVEL: 'warn',
    AISLE_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
    // Halves the startup time of each process.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compile-cache'),
  };
}
