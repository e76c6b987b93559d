import assert from 'node:assert/strict';
import { spawn, type SpawnOptions } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitFor, within } from './wait.ts';

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

/** A running program that has printed its welcome message. */
export type Program = Run & {
  url: string;
  /** The log entries so far, parsed from JSON lines. */
  log(): LogLine[];
  /** Stops the program with SIGTERM, and fails if its exit code is not 0. */
  stop(): Promise<void>;
};

export type LogLine = Record<string, unknown> & { event?: string };
export type Ending = { code: number | null; signal: NodeJS.Signals | null };
export type Outcome = Ending & { stdout: string; stderr: string };
export type Environment = Record<string, string>;
type StartOptions = {
  role?: string;
  environment?: Environment;
  folder?: string;
  byNpm?: boolean;
  /** The `main.ts` of another version. */
  program?: string;
};

/** Starts the real program and waits for its welcome message. */
export async function startProgram(options: StartOptions): Promise<Program> {
  const { role, environment = {}, folder, byNpm, program = main } = options;
  const port = Number(environment['PORT'] ?? (await freePort()));
  const roles = role === undefined ? [] : [role];
  const given = { ...environment, PORT: String(port) };
  const run = byNpm ? launchNpm(roles, given, folder) : launchModule(program, roles, given, folder);
  let ending: Ending | undefined;
  void run.ended.then((end) => {
    ending = end;
  });
  await waitFor(60, `the welcome message from ${role ?? 'the program'}`, () => {
    assert.equal(ending, undefined, `it exited instead of starting:\n${run.stdout()}\n${run.stderr()}`);
    return welcomed.test(run.stdout()) || undefined;
  });
  return {
    ...run,
    url: `http://127.0.0.1:${port}`,
    log: () => parseLog(run.stdout()),
    async stop() {
      run.kill('SIGTERM');
      const end = await within(20, `${role ?? 'the program'} to exit`, run.ended);
      assert.deepEqual(end, { code: 0, signal: null }, run.stderr());
    },
  };
}

/** Runs the program with these arguments until it exits. */
export function runProgram(args: string[], environment: Environment = {}, folder?: string): Promise<Outcome> {
  return runModule(main, args, environment, folder);
}

/** Runs a module in its own process until it exits. */
export async function runModule(
  file: string,
  args: string[],
  environment: Environment = {},
  folder?: string,
): Promise<Outcome> {
  const run = launchModule(file, args, environment, folder);
  const ending = await within(30, `"${args.join(' ')}" to exit`, run.ended);
  return { ...ending, stdout: run.stdout(), stderr: run.stderr() };
}

/** Starts the program without waiting. Processes that are still running when the test file ends are killed. */
export function launchProgram(args: string[], environment: Environment = {}, folder?: string): Run {
  return launchModule(main, args, environment, folder);
}

function launchModule(file: string, args: string[], environment: Environment, folder = tmpdir()): Run {
  return launch(process.execPath, [file, ...args], { cwd: folder, env: { ...cleanEnvironment(), ...environment } });
}

/** Starts the program with `npm start`, in its own process group as in a terminal. Data is stored in the folder. */
function launchNpm(roles: string[], environment: Environment = {}, folder = tmpdir()): Run {
  const given = { AISLE_DATA_DIR: join(folder, 'data'), ...environment };
  // Everything is already installed and built.
  const args = ['start', '--ignore-scripts', '--', ...roles];
  return launch('npm', args, { cwd: root, env: { ...cleanEnvironment(), ...given }, detached: true });
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

const root = fileURLToPath(new URL('../../', import.meta.url));
const main = join(root, 'server', 'src', 'main.ts');
const welcomed = /Press Ctrl-C to stop\.|Aisle worker is running\./;
/** The ids of running processes. Process groups are stored as negative numbers. */
const running = new Set<number>();

after(killAll);
process.once('exit', killAll);

function killAll(): void {
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

/** Returns the environment variables without Aisle settings from this machine or the test runner. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const isOurs = (name: string) => /^(AISLE_|PG|NODE_TEST)|^(DATABASE_URL|PORT|HOST)$/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}

function parseLog(output: string): LogLine[] {
  const complete = output.slice(0, output.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
