import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitFor, within } from './wait.ts';

/** Aisle in a process of its own. */
export type Run = {
  pid: number;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** How it ended, once it has. */
  ended: Promise<Ending>;
};

/** One that has said its welcome. */
export type Program = Run & {
  url: string;
  /** The JSON lines of its log so far. */
  log(): LogLine[];
  /** Ends it in the ordinary way, and fails when it does not end well. */
  stop(): Promise<void>;
};

export type LogLine = Record<string, unknown> & { event?: string };
export type Ending = { code: number | null; signal: NodeJS.Signals | null };
export type Outcome = Ending & { stdout: string; stderr: string };
export type Environment = Record<string, string>;
type StartOptions = { role?: string; environment?: Environment; folder?: string };

/** Starts the real program and waits for its welcome. */
export async function startProgram({ role, environment = {}, folder }: StartOptions): Promise<Program> {
  const port = Number(environment['PORT'] ?? (await freePort()));
  const run = launchProgram(role === undefined ? [] : [role], { ...environment, PORT: String(port) }, folder);
  let ending: Ending | undefined;
  void run.ended.then((end) => {
    ending = end;
  });
  await waitFor(60, `the welcome of ${role ?? 'the program'}`, () => {
    assert.equal(ending, undefined, `it ended instead of starting:\n${run.stdout()}\n${run.stderr()}`);
    return welcomed.test(run.stdout()) || undefined;
  });
  return {
    ...run,
    url: `http://127.0.0.1:${port}`,
    log: () => parseLog(run.stdout()),
    async stop() {
      run.kill('SIGTERM');
      const end = await within(20, `the end of ${role ?? 'the program'}`, run.ended);
      assert.deepEqual(end, { code: 0, signal: null }, run.stderr());
    },
  };
}

/** Runs the program with these words until it ends by itself. */
export async function runProgram(words: string[], environment: Environment = {}, folder?: string): Promise<Outcome> {
  const run = launchProgram(words, environment, folder);
  const ending = await within(30, `the end of "${words.join(' ')}"`, run.ended);
  return { ...ending, stdout: run.stdout(), stderr: run.stderr() };
}

/** Starts the program and waits for nothing. Whatever still runs when the test file ends is killed. */
export function launchProgram(words: string[], environment: Environment = {}, folder = tmpdir()): Run {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  // `close`, not `exit`: by then everything it wrote has been read.
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
  assert.ok(child.pid, 'the program can be started');
  return {
    pid: child.pid,
    stdout: collect(child.stdout),
    stderr: collect(child.stderr),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** Below 32768, where the system does not hand out ports to outgoing connections. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No port between 20000 and 32000 is free.');
}

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const welcomed = /Ctrl-C stops it\.|Aisle worker is running\./;
const children = new Set<ChildProcess>();

after(killAll);
process.once('exit', killAll);

function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Nothing of what this machine or the test runner may have set for Aisle. */
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
