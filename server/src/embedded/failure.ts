/** Errors from the embedded PostgreSQL. Each message is one sentence that says what to do. */

export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Turns a file system error into a message about the data folder. Other errors are bugs and are returned unchanged. */
export function describeError(error: unknown, dataDir: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code];
  if (diskFullCodes.has(code)) return diskFull(dataDir);
  return reason === undefined ? error : notWritableError(dataDir, reason);
}

/** Describes the failure of a PostgreSQL program in one sentence, using its output. */
export function programFailed(
  summary: string,
  output: string,
  dataDir: string,
  logFile: string,
): EmbeddedPostgresError {
  if (output.includes('No space left on device')) return diskFull(dataDir);
  return new EmbeddedPostgresError(`${summary}: ${meaningfulLine(output)} (see ${logFile}).`);
}

export function inUse(dataDir: string, user: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The data folder ${dataDir} is in use by ${user}; stop it first, or set AISLE_DATA_DIR to another folder.`,
  );
}

export function lostLock(dataDir: string): string {
  return `The data folder ${dataDir} was moved or deleted, or another Aisle has taken it over, so this one stops.`;
}

export function notWritableError(dataDir: string, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Aisle cannot write to the data folder ${dataDir}: ${reason}; set AISLE_DATA_DIR to a folder that this user can write to.`,
  );
}

export const useOwnDatabase = 'set DATABASE_URL to your own PostgreSQL';

function diskFull(dataDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The disk that holds ${dataDir} is full; free some space on it and start Aisle again.`,
  );
}

/** The last code is from PostgreSQL. */
const diskFullCodes = new Set(['ENOSPC', 'EDQUOT', '53100']);

const reasons: Record<string, string | undefined> = {
  EACCES: 'permission was denied',
  EPERM: 'permission was denied',
  EROFS: 'it is on a read-only disk',
  ENOTDIR: 'a file exists where the folder should be',
  EEXIST: 'a file exists where the folder should be',
  EISDIR: 'a folder exists where a file should be',
  ENAMETOOLONG: 'its path is too long',
};

/** The first line that reports an error, without its prefix. Later errors are usually consequences of the first. */
function meaningfulLine(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const failure = lines.find((line) => named.test(line)) ?? lines.find((line) => bare.test(line)) ?? lines.at(-1);
  return failure?.replace(named, '').replace(bare, '') ?? 'it exited without a message';
}

const named = /^.*?\b(FATAL|PANIC|error):\s*/;
const bare = /^(postgres|initdb): /;
