import { EmbeddedPostgresError } from './embedded/index.ts';
import { isConnectionLoss, isUnavailable, sqlState, translateError } from './kernel/database/errors.ts';
import { OperatorError } from './kernel/failures/operator-error.ts';

/** Why the program or a command failed, in a sentence, or undefined if only a stack trace can tell. */
export function describeFailure(error: unknown): string | undefined {
  if (error instanceof OperatorError || error instanceof EmbeddedPostgresError) return error.message;
  // A file that is missing, not a socket.
  if (!(error instanceof Error) || sqlState(error) === 'ENOENT') return undefined;
  const failure = translateError(error) as Error;
  const cause = isUnavailable(failure) ? ((failure.cause ?? failure) as Error) : error;
  if (isConnectionLoss(cause)) return `The connection to the database was lost: ${cause.message}.`;
  const canBeFixed = isUnavailable(failure) || sqlState(cause) === insufficientPrivilege;
  return canBeFixed ? `The database reported an error: ${cause.message} (${sqlState(cause)}).` : undefined;
}

const insufficientPrivilege = '42501';
