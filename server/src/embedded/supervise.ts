/** Starts the server as a child process, waits until it accepts connections, and stops it on request. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Address, chooseAddress } from './address.ts';
import { clusterPath, passwordPath } from './data-folder.ts';
import { EmbeddedPostgresError, inUse, programFailed } from './failure.ts';
import { type Launcher, launch } from './launcher.ts';
import { logPath, openLog } from './log-file.ts';
import { asArguments } from './settings.ts';

export type Server = {
  address: Address;
  child: ChildProcess;
  end: Promise<void>;
  stop(): Promise<void>;
  /** Ends the server without the checkpoint that `stop` writes, because another server may use the data. */
  kill(): void;
};

type Plan = {
  dataDir: string;
  launcher: Launcher;
  password: string;
  settings: Record<string, string>;
  print: (sentence: string) => void;
};

/** Retries if the server of a killed Aisle process is still stopping, or if another process took the port first. */
export async function startServer(plan: Plan): Promise<Server> {
  const startedAt = Date.now();
  for (let portTries = 0; ; ) {
    const address = await chooseAddress(plan.dataDir, plan.password, plan.launcher.owner);
    const log = openLog(plan.dataDir);
    try {
      const server = run(plan, address, log.file);
      if (await isReady(server, plan)) return server;
      await server.stop();
      const output = log.written();
      const isHeld = /postmaster\.pid" already exists|shared memory block .* is still in use/.test(output);
      if (isHeld && Date.now() - startedAt < maxWaitMs(plan.dataDir)) await sleep(200);
      else if (isHeld) throw inUse(plan.dataDir, `another PostgreSQL (process ${postmaster(plan.dataDir).pid})`);
      else address.remove();
      if (!isHeld && (!isAddressTaken(output) || ++portTries > 5)) throw explain(plan, output);
    } finally {
      log.close();
    }
  }
}

function run(plan: Plan, address: Address, log: number): Server {
  const { launcher, dataDir } = plan;
  const args = ['-D', clusterPath(dataDir), ...asArguments({ ...plan.settings, ...address.settings })];
  // The server runs in its own session, so that Ctrl-C in the terminal reaches only Aisle, which then stops the server.
  const child = launch(launcher, launcher.binaries.postgres, args, { stdio: ['ignore', log, log], detached: true });
  const end = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stopWatchdog = launcher.exitsWithParent ? () => {} : watch(child);
  void end.then(stopWatchdog);
  return { address, child, end, stop: () => stop(plan, child, end), kill: () => void child.kill('SIGQUIT') };
}

/** Starts a watchdog. Its standard input closes when Aisle exits, and it then stops the server. */
function watch(child: ChildProcess): () => void {
  if (child.pid === undefined) return () => {};
  const pid = String(child.pid);
  const script = `process.stdin.resume().on('end', () => process.kill(${pid}, 'SIGINT'))`;
  const [command, args] =
    process.platform === 'win32'
      ? [process.execPath, ['-e', script]]
      : ['sh', ['-c', 'cat > /dev/null; kill -INT "$1"', 'sh', pid]];
  const watchdog = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, windowsHide: true });
  watchdog.unref();
  return () => watchdog.kill('SIGKILL');
}

/** Returns false if the server exited before it accepted connections. Recovery after a crash can take a while. */
async function isReady(server: Server, plan: Plan): Promise<boolean> {
  let ended = false;
  void server.end.then(() => {
    ended = true;
  });
  const startedAt = Date.now();
  let hasPrinted = false;
  while (!ended) {
    if (await acceptsConnections(server, plan)) return true;
    if (!hasPrinted && Date.now() - startedAt > 3000) {
      plan.print(`PostgreSQL is recovering the data in ${plan.dataDir} after an interrupted run.`);
      hasPrinted = true;
    }
    await Promise.race([server.end, sleep(25)]);
  }
  return false;
}

async function acceptsConnections(server: Server, plan: Plan): Promise<boolean> {
  const client = new pg.Client({ connectionString: server.address.url('postgres'), connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const code = permanentErrorCode(error);
    if (code === undefined) return false;
    await server.stop();
    server.address.remove();
    throw code === wrongPassword ? passwordRejected(plan) : explain(plan, String(error));
  } finally {
    await client.end().catch(() => {});
  }
}

async function stop(plan: Plan, child: ChildProcess, end: Promise<void>): Promise<void> {
  const ended = async (milliseconds: number) => {
    await Promise.race([end, sleep(milliseconds, undefined, { ref: false })]);
    return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  };
  if (await ended(0)) return;
  requestStop(plan, child);
  if (await ended(10_000)) return;
  child.kill('SIGQUIT');
  if (await ended(5000)) return;
  child.kill('SIGKILL');
  // A process in uninterruptible sleep, for example on a disk that does not respond, cannot be killed.
  await ended(5000);
}

/** Requests a fast shutdown, which rolls back open transactions. Uses pg_ctl on Windows, which has no signals. */
function requestStop(plan: Plan, child: ChildProcess): void {
  if (process.platform !== 'win32') child.kill('SIGINT');
  else {
    const args = ['stop', '-D', clusterPath(plan.dataDir), '-m', 'fast', '--no-wait'];
    launch(plan.launcher, plan.launcher.binaries.pgCtl, args, { stdio: 'ignore' });
  }
}

function explain(plan: Plan, output: string): EmbeddedPostgresError {
  const logFile = logPath(plan.dataDir);
  return programFailed('PostgreSQL could not start', output, plan.dataDir, logFile);
}

function isAddressTaken(output: string): boolean {
  return /Address already in use|\.s\.PGSQL\.\d+\.lock" already exists/.test(output);
}

const wrongPassword = '28P01';
/** PostgreSQL's error code, or undefined if the error is temporary. */
function permanentErrorCode(error: unknown): string | undefined {
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  // Codes that start with 57P come from a server that is starting up or shutting down.
  return code?.startsWith('57P') ? undefined : code;
}

function passwordRejected(plan: Plan): EmbeddedPostgresError {
  const file = passwordPath(plan.dataDir);
  return new EmbeddedPostgresError(`PostgreSQL does not accept the password in ${file}; restore the correct one.`);
}

/** Ten seconds, or a minute if the previous server is shutting down, because it may have a lot of data to flush. */
function maxWaitMs(dataDir: string): number {
  return postmaster(dataDir).isStopping ? 60_000 : 10_000;
}

function postmaster(dataDir: string): { pid: string; isStopping: boolean } {
  try {
    const lines = readFileSync(join(clusterPath(dataDir), 'postmaster.pid'), 'utf8').split('\n');
    return { pid: lines[0] ?? '?', isStopping: lines[7]?.trim() === 'stopping' };
  } catch {
    return { pid: '?', isStopping: false };
  }
}
