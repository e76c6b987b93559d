import { exitCodes } from './exit-codes.ts';

/** What is wrong with a command, and what to do about it. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(message: string, { exitCode = exitCodes.failed, hint }: { exitCode?: number; hint?: string } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** An argument, an option or a file that cannot be used. */
export class UsageError extends CliError {
  override name = 'UsageError';

  constructor(message: string, hint?: string) {
    super(message, { exitCode: exitCodes.usage, ...(hint !== undefined && { hint }) });
  }
}

/** The user pressed Ctrl-C, or the input ended before all questions were answered. */
export class StoppedError extends CliError {
  override name = 'StoppedError';

  constructor() {
    super('Stopped.', { exitCode: exitCodes.interrupted });
  }
}
