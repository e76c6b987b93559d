import { writeCsv } from '@aisle/contract/csv';
import type { Db } from '../kernel/database/db.ts';
import { type EntryFilter, type EntryPlace, type EntryRow, listEntries } from './queries.ts';
import { entryResponse } from './response.ts';

const pageSize = 500;
const columns = [
  'at',
  'chain_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'is_on_behalf',
  'action',
  'targets',
  'details',
  'address',
  'request_id',
  'entry_id',
] as const;

/** Yields all entries that match, newest first, a page at a time. Entries that are added meanwhile are not included. */
export async function* exportEntries(
  db: Db,
  filter: EntryFilter,
  format: 'csv' | 'ndjson',
): AsyncGenerator<Uint8Array> {
  if (format === 'csv') yield Buffer.from(writeCsv([columns]));
  let after: EntryPlace | undefined;
  do {
    const rows = await listEntries(db, filter, { after, limit: pageSize });
    if (rows.length > 0) yield Buffer.from(format === 'csv' ? csvOf(rows) : linesOf(rows));
    const last = rows.length === pageSize ? rows.at(-1) : undefined;
    after = last && { at: last.place, entryId: last.entry_id };
  } while (after);
}

function linesOf(rows: EntryRow[]): string {
  return rows.map((row) => `${JSON.stringify(entryResponse(row))}\n`).join('');
}

function csvOf(rows: EntryRow[]): string {
  return writeCsv(rows.map((row) => columns.map((column) => cellOf(row[column]))));
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
