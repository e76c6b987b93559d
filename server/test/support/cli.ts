import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runAisle } from '@aisle/cli';
import { makeTemporaryFolder } from '../../../tools/temporary-folder.ts';

/** Runs commands in this process, with their own config folder and without the environment of this machine. */
export type TestCli = {
  folder: string;
  /** Starts a command; `input` is what the user types. */
  start(args: string[], options?: CommandOptions): RunningCommand;
  run(args: string[], options?: CommandOptions): Promise<CommandResult>;
};

type CommandOptions = { input?: string | AsyncIterable<string>; env?: Record<string, string> };

export type CommandResult = { exitCode: number; stdout: string; stderr: string };

export type RunningCommand = {
  stdout(): string;
  stderr(): string;
  /** The same as Ctrl-C. */
  stop(): void;
  ended: Promise<CommandResult>;
};

export function createCli(environment: Record<string, string>): TestCli {
  const folder = makeTemporaryFolder('cli');
  const start: TestCli['start'] = (args, { input = '', env = {} } = {}) => {
    const written = { stdout: '', stderr: '' };
    const stopping = new AbortController();
    const output = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (written[name] += text) });
    const running = runAisle(args, {
      stdin: Readable.from(typeof input !== 'string' ? input : input === '' ? [] : [input]),
      stdout: output('stdout'),
      stderr: output('stderr'),
      env: { AISLE_CONFIG_DIR: join(folder, 'config'), ...environment, ...env },
      folder,
      signal: stopping.signal,
      now: () => new Date(),
    });
    return {
      stdout: () => written.stdout,
      stderr: () => written.stderr,
      stop: () => stopping.abort(),
      ended: running.then((exitCode) => ({ exitCode, ...written })),
    };
  };
  return { folder, start, run: (args, options) => start(args, options).ended };
}
