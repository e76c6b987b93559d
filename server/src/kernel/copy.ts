import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Database, Tx } from './db.ts';

/** One line of PostgreSQL's COPY text format. */
export function copyLine(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(copyCell).join('\t')}\n`;
}

export function copyCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'number') return String(value);
  return /[\\\t\n\r]/.test(value) ? value.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found) : value;
}

/** The text of an array of texts, as PostgreSQL reads it. */
export function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

export async function copyInto(tx: Tx, target: string, text: Buffer): Promise<void> {
  await pipeline(Readable.from([text]), tx.client.query(copyFrom(`copy ${target} from stdin`)));
}

/** Streams a query's rows as CSV, in one snapshot, over a connection of its own. `values` must be safe as literals. */
export async function* copyOut(db: Database, query: string): AsyncGenerator<Buffer> {
  const client = await db.pool.connect();
  let failure: Error | undefined;
  try {
    const stream = client.query(copyTo(`copy (${query}) to stdout with (format csv)`));
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
