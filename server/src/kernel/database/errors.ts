import pg from 'pg';
import { Failure } from '../failures/failure.ts';

/** What PostgreSQL's errors mean for the caller. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return violates(error, '23505', constraint);
}

/** Whether a row that is referred to does not exist, for example because it was deleted at the same time. */
export function isReferenceViolation(error: unknown, constraint: string): boolean {
  return violates(error, '23503', constraint);
}

function violates(error: unknown, state: string, constraint: string): boolean {
  if (sqlState(error) !== state) return false;
  const { constraint: violated = '' } = error as { constraint?: string };
  // On a distributed database, the name ends with the number of a shard.
  return violated.replace(/_\d{6,}$/, '') === constraint;
}

/** Deadlocks, serialization failures and stale plans. The transaction was rolled back and can be retried. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01' || isStalePlan(error);
}

/** Whether a lock was not granted within `lock_timeout`. */
export function isLocked(error: unknown): boolean {
  return sqlState(error) === lockNotAvailable;
}

/** Whether the columns of a prepared statement have changed, because another version has migrated the database. */
export function isStalePlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.startsWith('cached plan must not change result type');
}

/** Whether the statement was cancelled because it took longer than its timeout. */
export function isTimeout(error: unknown): boolean {
  return sqlState(error) === queryCanceled;
}

export function isConnectionLoss(error: unknown): boolean {
  return lossStates.has(sqlState(error) ?? '') || (error instanceof Error && lossMessages.test(error.message));
}

/** Whether the connection must be closed: it is lost, or its server has become a standby, which cannot write. */
export function isUnusable(error: unknown): boolean {
  return (isConnectionLoss(error) && !isNodeFailure(error)) || sqlState(error) === readOnly;
}

/** Whether a pooler reported that it lost the connection. It cannot know what the server has executed by then. */
export function isPoolerLoss(error: unknown): boolean {
  return sqlState(error)?.startsWith('08') ?? false;
}

/**
 * Whether a node of a distributed database could not be reached. The connection to the coordinator is still usable. The
 * text of such an error contains the address of the node.
 */
export function isNodeFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && nodeMessages.test(nodeText(error)) && !isOwnState(error);
}

/** What an error says, with its context, which has the address of a node if a command failed there. */
export function nodeText(error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return '';
  return [error.message, error.detail, error.where].filter((part) => part !== undefined).join('\n');
}

/**
 * Whether the operation failed only because of the state of the database. Such an operation can succeed later, so this
 * must not count as a failed attempt. Expects an error that `translateErrors` has converted.
 */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.code === 'service_unavailable';
}

/** Whether the server could not be reached, or rejected the connection. Nothing was changed. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof Failure) return error.message === unreachable;
  return /^(28|3D)/.test(sqlState(error) ?? '');
}

export async function translateErrors<Result>(
  work: () => Promise<Result>,
  onNodeFailure: (error: unknown) => void = () => {},
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof Failure ? error.cause : error;
    if (isNodeFailure(cause)) onNodeFailure(cause);
    throw translateError(error);
  }
}

/** Converts an error caused by the state of the database to a 503. Other errors are returned unchanged. */
export function translateError(error: unknown): unknown {
  const reason = unavailability(error);
  if (reason === undefined) return error;
  const retryAfter = isLocked(error) ? '1' : '5';
  const failure = new Failure('service_unavailable', reason, { headers: { 'retry-after': retryAfter } });
  failure.cause = error;
  return failure;
}

function unavailability(error: unknown): string | undefined {
  if (isNodeFailure(error)) return nodeUnavailable;
  if (isConnectionLoss(error)) return unreachable;
  const state = sqlState(error);
  if (state === queryCanceled) return 'The database took too long and cancelled the statement; nothing was changed.';
  if (isLocked(error)) return 'Another request is changing the same data; nothing was changed.';
  if (state === undefined || !(state === readOnly || troubleClass.test(state))) return undefined;
  return 'The database cannot write at the moment; nothing was changed.';
}

const unreachable = 'The service cannot reach its database.';

/** What a client is told if the part of the database with its data cannot be reached. */
export const nodeUnavailable = 'The part of the database with this data cannot be reached at the moment.';

/** The text of errors with which the coordinator reports that it has lost a node. */
const coordinatorMessages = [
  'remote node \\S+ failed',
  'connection establishment for node \\S+ failed',
  'could not establish any connections to the node',
  'connection marked as essential',
  'cannot recover from multiple connection failures',
  'inconsistent state in the connection state machine',
  'failed to prepare transaction \\S+ on host',
  'could not commit transaction for shard',
  'failed to COPY to shard',
  'failed to complete COPY on',
];

/** What it passes on from a node that refuses the connection, closes it, or is starting or stopping. */
const passedOnMessages = [
  'EOF detected',
  'invalid socket',
  'server closed the connection',
  '[Cc]onnection (refused|reset|timed out|not open)',
  'could not (connect|receive|send)',
  'terminating connection',
  'the database system is',
  'lost synchronization',
];

const nodeMessages = new RegExp(
  `${coordinatorMessages.join('|')}|(${passedOnMessages.join('|')})[^]*while executing command on`,
);

/** Errors that a statement causes itself are passed on from a node with its address, too. */
function isOwnState(error: unknown): boolean {
  return /^(2|40|42)/.test(sqlState(error) ?? '');
}

const queryCanceled = '57014';
const lockNotAvailable = '55P03';
const readOnly = '25006';
/** Insufficient resources (for example a full disk), operator intervention, and errors outside PostgreSQL. */
const troubleClass = /^5[378][0-9A-Z]{3}$/;

const lossStates = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '25P03',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '08001',
  '08000',
  // pgbouncer has lost the server, cannot reach it, or has too many clients.
  '08P01',
  '53300',
]);
const lossMessages =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|not currently accepting connections/;
