import assert from 'node:assert/strict';
import { after } from 'node:test';
import {
  type Ending,
  type Environment,
  freePort,
  killAll,
  launchModule,
  launchNpm,
  main,
  type Run,
  welcomed,
} from './launch.ts';
import { waitFor, within } from './wait.ts';

export { type Ending, type Environment, freePort, launchProgram, type Run } from './launch.ts';

/** A running program that has printed its welcome message. */
export type Program = Run & {
  url: string;
  /** The log entries so far, parsed from JSON lines. */
  log(): LogLine[];
  /** Stops the program with SIGTERM, and fails if its exit code is not 0. */
  stop(): Promise<void>;
};

export type LogLine = Record<string, unknown> & { event?: string };
export type Outcome = Ending & { stdout: string; stderr: string };
type StartOptions = {
  role?: string;
  environment?: Environment;
  folder?: string;
  byNpm?: boolean;
  /** The entry point of another version. */
  program?: string;
};

after(killAll);

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

function parseLog(output: string): LogLine[] {
  const complete = output.slice(0, output.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}
