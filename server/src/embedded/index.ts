/** The PostgreSQL server that is installed with Aisle. It is used if DATABASE_URL is not set. */
import { resolve } from 'node:path';
import pg from 'pg';
import { hasCluster, createDataFolder, prepareCluster } from './data-folder.ts';
import { describeError, lostLock } from './failure.ts';
import { chooseLauncher } from './launcher.ts';
import { type Lock, takeLock } from './lock.ts';
import { rotateLog } from './log-file.ts';
import { rejectInterrupted } from './replace.ts';
import { laptopSettings } from './settings.ts';
import { type Server, startServer } from './supervise.ts';

export { EmbeddedPostgresError } from './failure.ts';
export { hasCluster } from './data-folder.ts';
export { replaceData } from './replace.ts';
export { findRunningPostgres } from './running.ts';

export type EmbeddedPostgres = {
  url: string;
  /** Can be called more than once, and after the server has died. */
  stop(): Promise<void>;
  /** Resolves with the reason if the server exits, or is killed, without having been stopped. */
  exited: Promise<string>;
};

export type EmbeddedPostgresOptions = {
  /** The server's files are in the subfolder `postgres/`. */
  dataDir: string;
  settings?: Record<string, string>;
  print?: (sentence: string) => void;
};

/** Must be called from the main thread, because on Linux the server dies with the thread that started it. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    createDataFolder(dataDir);
    const lock = await takeLock(dataDir);
    try {
      return running(await start(dataDir, options), lock, dataDir);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw describeError(error, dataDir);
  }
}

async function start(dataDir: string, options: EmbeddedPostgresOptions): Promise<Server> {
  const print = options.print ?? (() => {});
  const settings = { ...laptopSettings, ...options.settings };
  rotateLog(dataDir);
  rejectInterrupted(dataDir);
  const isNew = !hasCluster(dataDir);
  const launcher = chooseLauncher(dataDir);
  if (isNew) print(`Creating a new PostgreSQL database in ${dataDir}.`);
  const password = await prepareCluster(dataDir, launcher, settings['fsync'] !== 'off');
  const server = await startServer({ dataDir, launcher, password, settings, print });
  try {
    await ensureDatabase(server);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Creates the database if it does not exist. Separate from creating the cluster, so that the database is created even
 * if Aisle was killed in between.
 */
async function ensureDatabase(server: Server): Promise<void> {
  await query(server.address.url('aisle'), 'SELECT 1').catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== missingDatabase) throw error;
    return query(server.address.url('postgres'), 'CREATE DATABASE aisle');
  });
}

const missingDatabase = '3D000';

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function running(server: Server, lock: Lock, dataDir: string): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await server.stop();
    // Otherwise, another server may use the same address.
    if (lock.isHeld()) server.address.remove();
    lock.release();
  };
  const exited = new Promise<string>((resolve) => {
    const explain = (reason: string) => {
      if (stopping === undefined) resolve(reason);
    };
    void lock.lost.then(() => {
      explain(lostLock(dataDir));
      server.kill();
    });
    void server.end.then(() =>
      explain('The embedded PostgreSQL has stopped unexpectedly; its log is in the data folder.'),
    );
  });
  return {
    url: server.address.url('aisle'),
    exited,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
