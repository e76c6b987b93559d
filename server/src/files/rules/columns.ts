import { type FileColumn, fileColumns, ignoredColumns } from '@aisle/contract/file-columns';
import { describeFault } from '@aisle/contract/file-faults';
import type { FileKind } from '@aisle/contract/file-kinds';

/** The fields of a file's columns, or what is wrong with its header. */
export type Columns = { fields: (Field | null)[]; dropped: number[] } | { error: { column: number; reason: string } };

/** The field that a column is read into, and the locale if the column has one. */
export type Field = { name: string; type: FileColumn['type']; locale?: string };

/** Finds the field for each column by name. Order and case do not matter. Columns without a name are ignored. */
export function matchColumns(kind: FileKind, header: readonly string[]): Columns {
  const known = fileColumns[kind];
  if (header.length > maxColumns) return { error: { column: maxColumns + 1, reason: tooManyColumns } };
  const fields: (Field | null)[] = [];
  const dropped: number[] = [];
  const seen = new Map<string, number>();
  for (const [index, cell] of header.entries()) {
    const name = normalized(cell);
    const isDropped = ignoredColumns.some((ignored) => ignored === name);
    if (isDropped) dropped.push(index);
    const field = name === '' || isDropped ? null : findField(known, cell);
    if (cell.length > maxNameLength) return { error: { column: index + 1, reason: unknownColumn(kind, cell) } };
    if (field === undefined) return { error: { column: index + 1, reason: unknownColumn(kind, cell) } };
    fields.push(field);
    const key = isDropped ? name : field && `${field.name} ${field.locale ?? ''}`;
    const before = key === null ? undefined : seen.get(key);
    if (before !== undefined) {
      const values = { first: before, second: index + 1, name: field?.name ?? name };
      const reason = describeFault('repeated_column', values);
      return { error: { column: index + 1, reason } };
    }
    if (key !== null) seen.set(key, index + 1);
  }
  const missing = known.find(({ name, required }) => required && !fields.some((field) => field?.name === name));
  if (missing) return { error: { column: 1, reason: missingColumn(missing, header) } };
  if (fields.filter((field) => field !== null).length === 1) {
    return {
      error: {
        column: 1,
        reason: describeFault('only_column', { name: fields.find(Boolean)?.name ?? '', allowed: allowedColumns(kind) }),
      },
    };
  }
  return { fields, dropped };
}

/** Far more than there are fields and locales. Failed rows are returned with all of their columns. */
export const maxColumns = 500;
const maxNameLength = 200;
const tooManyColumns = describeFault('too_many_columns', { max: maxColumns });

function findField(known: readonly FileColumn[], cell: string): Field | undefined {
  const column = findColumn(known, cell);
  if (column) return { name: column.name, type: column.type };
  const [, start = '', language = '', country = ''] =
    /^(.+?)[\s_-]([a-z]{2,3})[_-]([a-z]{2})$/i.exec(cell.trim()) ?? [];
  const localized = findColumn(known, start);
  if (!localized?.isLocalized) return undefined;
  const locale = `${language.toLowerCase()}_${country.toUpperCase()}`;
  return { name: localized.name, type: localized.type, locale };
}

function findColumn(known: readonly FileColumn[], cell: string): FileColumn | undefined {
  const name = normalized(cell);
  return known.find((column) => [column.name, ...column.aliases].some((alias) => normalized(alias) === name));
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]+/g, '');
}

function unknownColumn(kind: FileKind, cell: string): string {
  return describeFault('unknown_column', { name: shorten(cell), allowed: allowedColumns(kind) });
}

function missingColumn(column: FileColumn, header: readonly string[]): string {
  const found = shorten(header.slice(0, 20).join(', '));
  return describeFault('missing_column', { name: column.name, found });
}

function allowedColumns(kind: FileKind): string {
  return fileColumns[kind].map(({ name }) => name).join(', ');
}

/** Also replaces control characters, because the file may not be text at all. */
function shorten(text: string): string {
  const clean = text.replace(/[\p{Cc}\ufffd]/gu, '?').toWellFormed();
  return clean.length > 100 ? `${clean.slice(0, 100)}…` : clean;
}
