import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Writes one JSON line per event, to the standard output by default. Redacts fields whose names suggest a secret. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const secrets = ['authorization', 'token', 'access_token', 'client_secret', 'password', 'secret', 'api_token'];
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
