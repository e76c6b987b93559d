import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Fields of every line. */
export type LogBase = Record<string, unknown> | null;

/**
 * Writes one JSON line per event, to the standard output by default. Redacts fields whose names suggest a secret. Lines
 * are written in batches, so the last ones are lost if the process is killed; on a normal exit they are not.
 */
export function createLog(level: string, destination?: DestinationStream, base: LogBase = null): Log {
  const secrets = ['authorization', 'token', 'access_token', 'client_secret', 'password', 'secret', 'api_token'];
  const options = {
    level,
    base,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return pino(options, destination ?? pino.destination({ dest: 1, sync: false, ...batches }));
}

/**
 * If the lines are not read, they are dropped beyond `maxLength`, so that they do not fill the memory. A write contains
 * whole lines, and up to 4 KiB, so that lines of several processes that write to the same pipe are not mixed up.
 */
const batches = { minLength: 3072, maxWrite: 4096, periodicFlush: 200, maxLength: 16 * 1024 * 1024 };
