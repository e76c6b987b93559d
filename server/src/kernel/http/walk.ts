import { invalid } from '../failures/failure.ts';
import { parseTime } from '../values/time.ts';
import { isFuture } from '../database/clock.ts';
import type { Db } from '../database/db.ts';
import { clockToleranceMs } from '../database/positions.ts';

/** The query parameters for a list that is read with a cursor. */
export type WalkQuery = { cursor?: string; updated_since?: string; limit?: number };

/** The cursor or time at which to start reading. If both are undefined, reading starts from the beginning. */
export type WalkStart = { cursor: unknown[] | undefined; since: Date | undefined };

const defaultLimit = 100;

export function limitOf(query: WalkQuery): number {
  return query.limit ?? defaultLimit;
}

/** The caller must check the content of the cursor, because a client may have modified it. */
export async function startOf(db: Db, query: WalkQuery, list: string): Promise<WalkStart> {
  const since = query.updated_since === undefined ? undefined : (parseTime(query.updated_since) ?? undefined);
  if (query.cursor === undefined) return { cursor: undefined, since: since && (await notInFuture(db, since)) };
  if (since !== undefined) {
    const message = 'must not be sent together with cursor, which already determines where the list continues';
    throw invalid([{ pointer: 'updated_since', code: 'not_allowed', message }]);
  }
  return { cursor: readCursor(query.cursor, list), since: undefined };
}

/** The cursor is base64url-encoded JSON, but opaque to clients. */
export function writeCursor(list: string, content: unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...content])).toString('base64url');
}

export function badCursor(): Error {
  const message = 'must be the next_cursor from an earlier response for the same list';
  return invalid([{ pointer: 'cursor', code: 'bad_format', message }]);
}

/**
 * The start time in a cursor, in milliseconds. It applies only to changes up to position `upTo`, the last position when
 * reading began. Changes committed later are returned even if their time is earlier.
 */
export type Since = { ms: number; upTo: number };

/** Undefined if the values are not valid. */
export function readSince(ms: unknown, upTo: unknown): Since | undefined {
  return isPosition(ms) && ms <= maxTime && isPosition(upTo) ? { ms, upTo } : undefined;
}

/** Whether the value can be a position in a cursor. */
export function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The end of the year 9999, in milliseconds. */
const maxTime = 253_402_300_799_999;

function readCursor(text: string, list: string): unknown[] {
  const content = parse(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(content) || content[0] !== list) throw badCursor();
  return content.slice(1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function notInFuture(db: Db, since: Date): Promise<Date> {
  if (!(await isFuture(db, new Date(since.getTime() - clockToleranceMs)))) return since;
  throw invalid([{ pointer: 'updated_since', code: 'out_of_range', message: 'must not be in the future' }]);
}
