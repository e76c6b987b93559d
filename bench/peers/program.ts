import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './cleanup.ts';

export type Command = {
  /** What the command does, for messages: "npm install of Medusa". */
  title: string;
  command: string;
  args: string[];
  folder: string;
  environment?: Record<string, string>;
  /** The output is written to this file. */
  log: string;
};

/** Runs a command to its end. If it fails, the error contains the end of its output. */
export async function runCommand(command: Command): Promise<void> {
  const child = launch(command);
  const code = await ended(child);
  if (code !== 0) throw failure(command, `failed with ${code}`);
}

/** Starts a server and waits until `isUp` resolves with true. */
export async function startServer(command: Command, isUp: () => Promise<boolean>, seconds = 180): Promise<void> {
  const child = launch(command);
  const until = performance.now() + seconds * 1000;
  while (!(await isUp().catch(() => false))) {
    if (child.exitCode !== null || child.signalCode !== null) throw failure(command, 'ended before it was ready');
    if (performance.now() > until) throw failure(command, `was not ready after ${seconds} s`);
    await sleep(200);
  }
}

/**
 * In its own process group, because npm and other commands start processes of their own, which must end with them. A
 * signal from the terminal does not reach the group, so `atEnd` and the exit of this process end it.
 */
function launch({ command, args, folder, environment, log }: Command): ChildProcess {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  const killNow = () => signalGroup(child, 'SIGKILL');
  process.once('exit', killNow);
  child.once('close', () => {
    process.removeListener('exit', killNow);
    file.end();
  });
  atEnd(() => stop(child));
  return child;
}

/** The settings of a developer's shell for npm, for Aisle or for a database do not apply to other programs. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const isOurs = (name: string) =>
    /^(npm_(lifecycle|package)_|AISLE_|DATABASE_|PG|NODE_OPTIONS$|NODE_ENV$|PORT$)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000);
  await ended(child);
  clearTimeout(timer);
}

function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode ?? String(child.signalCode));
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? String(signal)));
  });
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

function failure({ title, log }: Command, what: string): Error {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return new Error(`${title} ${what}. The end of its output:\n${lines.slice(-25).join('\n')}`);
}
