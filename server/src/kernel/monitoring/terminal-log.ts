import type { DestinationStream } from 'pino';
import { createLog, type Log, type LogBase } from './log.ts';

type Output = { isTTY?: boolean; write(text: string): unknown };

/** Writes JSON lines, or short lines if the output is a terminal. */
export function createServerLog(
  level: string,
  output: Output,
  environment: NodeJS.ProcessEnv,
  base: LogBase = null,
): Log {
  if (!output.isTTY) return createLog(level, undefined, base);
  const write = (text: string) => void output.write(text);
  const isColored = hasColors(environment);
  return createLog(level, createTerminalLog({ isColored, showsRequests: level === 'debug', write }), base);
}

type Terminal = { isColored: boolean; showsRequests: boolean; write(text: string): void };

/**
 * Shows log lines to a person: one short line per event instead of JSON. Requests are left out unless `showsRequests`,
 * because they would scroll the credentials away that are printed at startup.
 */
function createTerminalLog({ isColored, showsRequests, write }: Terminal): DestinationStream {
  return {
    write(json) {
      const line = JSON.parse(json) as Line;
      if (line.event === 'request' && !showsRequests) return;
      write(`${formatLine(line, isColored)}\n`);
    },
  };
}

type Line = { level: string; time: string; event?: string; msg?: string } & Record<string, unknown>;

/** For example `09:30:01 warn  task.failed kind=export attempts=3`. */
function formatLine({ level, time, event, msg, ...fields }: Line, isColored: boolean): string {
  const paint = (code: number | undefined, text: string) =>
    isColored && code !== undefined ? `\u001b[${code}m${text}\u001b[0m` : text;
  const values = Object.entries(fields).map(([name, value]) => `${paint(dim, `${name}=`)}${shorten(value)}`);
  const clock = new Date(time).toTimeString().slice(0, 8);
  const text = msg?.replaceAll(controls, '?');
  const head = [paint(dim, clock), paint(colors[level], level.padEnd(5)), event, text].filter(Boolean);
  return [...head, ...values].join(' ');
}

const dim = 2;
const colors: Record<string, number> = { debug: 2, info: 36, warn: 33, error: 31, fatal: 31 };

/** A stack trace is shown as it is, because a person has to read it. */
function shorten(value: unknown): string {
  if (isError(value)) return `\n${value.stack.replaceAll(controls, '?')}`;
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(controls, '?');
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Values can contain what clients sent, such as a path, which must not control the terminal. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function isError(value: unknown): value is { stack: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string';
}

const maxLength = 200;

/** People turn colors off with NO_COLOR (https://no-color.org), which counts if it is set and not empty. */
function hasColors(environment: NodeJS.ProcessEnv): boolean {
  return (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
}
