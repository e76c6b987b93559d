import { CommanderError } from 'commander';
import { CliError, UsageError } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import { createProgram, usageMessage } from './program.ts';
import { errorDocument, explainError, formatError } from './report-error.ts';
import { createPaint } from './terminal/paint.ts';
import { type Terminal, widthOf } from './terminal/terminal.ts';
import { jsonText } from './terminal/text.ts';

/** Runs a command and returns its exit code. Never throws. */
export async function runAisle(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal, args).parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return report(error, args, terminal);
  }
}

function report(error: unknown, args: readonly string[], terminal: Terminal): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok;
    // Commander has already printed its message, unless it has to be JSON.
    if (!args.includes('--json')) return exitCodes.usage;
    return report(new UsageError(usageMessage(error)), args, terminal);
  }
  // A simulation that is ended with Ctrl-C is checked.
  const isViolation = error instanceof CliError && error.exitCode === exitCodes.violations;
  if (terminal.signal.aborted && !isViolation) return exitCodes.interrupted;
  const reported = explainError(error);
  if (args.includes('--json')) {
    terminal.stderr.write(`${jsonText(errorDocument(error))}\n`);
  } else {
    const paint = createPaint(terminal, terminal.stderr, !args.includes('--no-color'));
    terminal.stderr.write(`${formatError(reported, paint, widthOf(terminal.stderr))}\n`);
  }
  return reported.exitCode;
}
