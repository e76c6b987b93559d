import { type Logger, pino } from 'pino';

export type Log = Logger;

/** One JSON line per event. Fields that may contain secrets are redacted by name. */
export function createLog(level: string): Log {
  const secrets = ['authorization', 'token', 'access_token', 'client_secret', 'password', 'secret', 'api_token'];
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  });
}
