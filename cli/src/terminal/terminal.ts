/** What a command uses of the outside world, so that tests can run commands in their own process. */
export type Terminal = {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Record<string, string | undefined>;
  /** The current folder. */
  folder: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  now(): Date;
};

export type Output = {
  /** Returns false if the reader is slow; `drain` says when it can take more. */
  write(text: string): unknown;
  once?(event: 'drain', listener: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
};

/** The terminal of this process. The first Ctrl-C lets the command finish, the second one ends the process. */
export function processTerminal(): { terminal: Terminal; close(): void } {
  const stopping = new AbortController();
  const stop = () => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  // A reader such as `head` can close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  // Without a place for messages, the command still does its work.
  process.stderr.on('error', () => {});
  const { stdin, stdout, stderr, env } = process;
  return {
    terminal: { stdin, stdout, stderr, env, folder: process.cwd(), signal: stopping.signal, now: () => new Date() },
    close: () => stdin.pause(),
  };
}

/** Lines are never wrapped to more than this, and tables are as wide as the terminal. */
export function widthOf({ isTTY, columns }: Output): number {
  return isTTY ? Math.max(40, columns || 80) : Number.POSITIVE_INFINITY;
}
