import { ApiError, ConnectionError, JobError, UnexpectedResponseError } from '@aisle/sdk';
import { CliError } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import type { Paint } from './terminal/paint.ts';
import { plain, wrap } from './terminal/text.ts';

export type Reported = { exitCode: number; message: string; details: string[]; hint: string | undefined };

/** Explains any error in a few lines, without a stack trace, and without characters that control the terminal. */
export function explainError(error: unknown): Reported {
  const { message, details, hint, ...rest } = explain(error);
  return { ...rest, message: plain(message), details: details.map(plain), hint: hint && plain(hint) };
}

function explain(error: unknown): Reported {
  if (error instanceof CliError) {
    return { exitCode: error.exitCode, message: error.message, details: [], hint: error.hint };
  }
  // A file that is read while it is sent can be wrong.
  if (error instanceof ConnectionError && error.cause instanceof Error) {
    const inner = findCliError(error.cause);
    if (inner) return explain(inner);
  }
  if (error instanceof ApiError) return explainApiError(error);
  if (error instanceof ConnectionError) {
    return {
      exitCode: exitCodes.unavailable,
      message: `There was no response from the server: ${causeOf(error)}`,
      details: [],
      hint: 'Is the server running? aisle doctor checks the connection.',
    };
  }
  if (error instanceof UnexpectedResponseError) {
    const hint = 'Is this the address of an Aisle server? aisle profile list shows the addresses.';
    return { exitCode: exitCodes.unavailable, message: error.message, details: [], hint };
  }
  if (error instanceof JobError) {
    return { exitCode: exitCodes.failed, message: error.message, details: [], hint: undefined };
  }
  if (error instanceof TypeError || error instanceof RangeError) {
    const message = 'The command failed, probably because the response of the server has an unexpected form.';
    const hint = 'aisle doctor checks whether the server has the same version.';
    return { exitCode: exitCodes.failed, message, details: [error.message], hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: exitCodes.failed, message, details: [], hint: undefined };
}

export function formatError({ message, details, hint }: Reported, paint: Paint, width: number): string {
  return [
    `${paint('red', 'Error:')} ${wrap(message, width - 7, 7)}`,
    ...details.map((detail) => `  ${wrap(detail, width - 2, 2)}`),
    ...(hint === undefined ? [] : [paint('dim', wrap(hint, width))]),
  ].join('\n');
}

/** What --json prints on stderr: the problem document of the API, or the same form for other errors. */
export function errorDocument(error: unknown): object {
  if (error instanceof ApiError) return error.problem;
  const { message, hint, exitCode } = explainError(error);
  return { code: 'cli_error', detail: message, ...(hint !== undefined && { hint }), exit_code: exitCode };
}

/** The innermost reason of a failed connection. Of several attempts, for example by IPv4 and IPv6, the first one. */
export function causeText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeText(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return causeText(error.cause);
  return plain(error instanceof Error ? error.message : String(error));
}

function explainApiError({ problem, status, requestId }: ApiError): Reported {
  const problems = (problem.errors ?? []).slice(0, 10).map((one) => `${one?.pointer}: ${one?.message}`);
  const isOurs = status >= 500 || status === 429;
  return {
    exitCode: exitCodeOf(status, problem.code),
    message: problem.detail,
    details: [
      // A single problem is also the `detail`.
      ...problems.filter((line) => line !== problem.detail),
      ...(isOurs && requestId ? [`Request id: ${requestId}`] : []),
    ],
    hint: hintFor(problem),
  };
}

function exitCodeOf(status: number, code: string): number {
  if (status === 401 || status === 403) return exitCodes.credentials;
  if (status === 404 || status === 410) return exitCodes.notFound;
  if (status === 409 || status === 412 || code === 'vendor_closed') return exitCodes.conflict;
  if (status === 429 || status >= 500) return exitCodes.unavailable;
  return exitCodes.usage;
}

function hintFor(problem: ApiError['problem']): string | undefined {
  if (problem.code === 'invalid_token') return 'Run aisle login to store a new token, or check AISLE_TOKEN.';
  if (problem.code === 'forbidden') return 'aisle whoami shows what your credentials allow.';
  if (problem.code === 'precondition_failed') return 'The order has changed in the meantime; run the command again.';
  if (problem.code === 'order_state_conflict' && problem.allowed) {
    return `Allowed now: ${problem.allowed.join(', ') || 'nothing'}`;
  }
  return undefined;
}

function findCliError(error: Error): CliError | undefined {
  if (error instanceof CliError) return error;
  return error.cause instanceof Error ? findCliError(error.cause) : undefined;
}

function causeOf({ cause, message }: ConnectionError): string {
  return cause instanceof Error ? `${causeText(cause)}.` : message;
}
