import assert from 'node:assert/strict';
import { spawn, type SpawnOptions } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Aisle in its own process. */
export type Run = {
  pid: number;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code or the signal. */
  ended: Promise<Ending>;
};

export type Ending = { code: number | null; signal: NodeJS.Signals | null };
export type Environment = Record<string, string>;

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** The bundled server. Every script that starts it, such as tools/test.ts, runs tools/ensure-server.mjs first. */
export const main = join(root, 'server', 'dist', 'main.js');
/** Matches the output of a role that has started. */
export const welcomed = /Press Ctrl-C to stop\.|Aisle worker is running\.|Aisle SFTP is running:/;

/** Starts the program without waiting until it is ready. `nodeOptions` come before the file name. */
export function launchProgram(
  args: string[],
  environment: Environment = {},
  folder?: string,
  nodeOptions: string[] = [],
): Run {
  return launchModule(main, args, environment, folder, nodeOptions);
}

export function launchModule(
  file: string,
  args: string[],
  environment: Environment,
  folder = tmpdir(),
  nodeOptions: string[] = [],
): Run {
  const env = { ...cleanEnvironment(), ...environment };
  return launch(process.execPath, [...nodeOptions, file, ...args], { cwd: folder, env });
}

/** Starts the program with `npm start`, in its own process group as in a terminal. Data is stored in the folder. */
export function launchNpm(roles: string[], environment: Environment = {}, folder = tmpdir()): Run {
  const given = { AISLE_DATA_DIR: join(folder, 'data'), ...environment };
  // Everything is already installed and built.
  const args = ['start', '--ignore-scripts', '--', ...roles];
  return launch('npm', args, { cwd: root, env: { ...cleanEnvironment(), ...given }, detached: true });
}

/** Starts the program in a terminal of its own, which is closed when `script` is killed. Only on Linux. */
export function launchInTerminal(environment: Environment, folder: string): Run {
  const command = `exec '${process.execPath}' '${main}'`;
  const env = { ...cleanEnvironment(), ...environment, SHELL: '/bin/sh' };
  return launch('script', ['--quiet', '--command', command, '/dev/null'], { cwd: folder, env });
}

function launch(command: string, args: string[], options: SpawnOptions): Run {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid } = child;
  assert.ok(pid, 'the program could not be started');
  const target = options.detached ? -pid : pid;
  running.add(target);
  // Waits for `close` instead of `exit`, because by then all of the program's output has been read.
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(target);
      resolve({ code, signal });
    });
  });
  return {
    pid,
    stdout: collect(child.stdout),
    stderr: collect(child.stderr),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** Finds a free port below 32768, where the system does not assign ports to outgoing connections. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No port between 20000 and 32000 is free.');
}

/** The ids of running processes. Process groups are stored as negative numbers. */
const running = new Set<number>();

process.once('exit', killAll);

/** Kills every process that is still running. */
export function killAll(): void {
  for (const target of running) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/**
 * Returns the environment variables without Aisle settings from this machine or the test runner. Passwords are hashed at
 * the lowest cost, so that processes start faster. SFTP is off, because the default port is the same for all tests.
 */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const isOurs = (name: string) => /^(AISLE_|PG|NODE_TEST)|^(DATABASE_\w+|PORT|HOST)$/.test(name);
  const others = Object.entries(process.env).filter(([name]) => !isOurs(name));
  return { ...Object.fromEntries(others), AISLE_PASSWORD_COST: '10', AISLE_SFTP_PORT: 'off' };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
