import { unescapeFormula } from '@aisle/contract/csv';
import { describeValue } from '@aisle/contract/value-faults';
import { type Field, maxColumns } from './columns.ts';

/** A row as an item in an API request, and the reason if its cells cannot be read. */
export type RowItem = { item: Record<string, unknown>; fault?: { field: string; message: string; rejected: string } };

/**
 * Converts the cells of a row to the values that the API expects. An empty cell is an absent field. A value that cannot
 * be converted stays text, so that the API's own validation rejects it. `cells` contains null for a cell that is not
 * valid in the file's encoding.
 */
export function readRow(fields: readonly (Field | null)[], cells: readonly (string | null)[]): RowItem {
  const item: Record<string, unknown> = {};
  let fault: RowItem['fault'];
  if (cells.length > maxColumns) {
    fault = { field: '', message: describeValue('row_columns', { max: maxColumns }), rejected: '' };
  }
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] ?? null;
    if (cell === null) {
      fault ??= { field: '', message: describeValue('bad_bytes', { column: index + 1 }), rejected: '' };
      continue;
    }
    const text = unescapeFormula(cell.trim());
    const field = fields[index];
    if (text === '' || field === null) continue;
    if (field === undefined) {
      const message = describeValue('extra_columns', { count: fields.length });
      fault ??= { field: '', message, rejected: text };
      continue;
    }
    const isAmbiguous = field.type === 'number' && isAmbiguousNumber(text);
    if (isAmbiguous) fault ??= { field: field.name, message: ambiguousNumber(field.name), rejected: text };
    const key = weights.has(field.name) ? 'weight_specifications' : field.name;
    item[key] = merge(item[key], field, readCell(field, text));
  }
  return fault ? { item, fault } : { item };
}

/**
 * Whether all cells are empty, except those in ignored columns. Spreadsheets often export such rows below a table, and
 * the failed rows of a file that could not be read end with a row that has only a reason.
 */
export function isBlank(fields: readonly (Field | null)[], cells: readonly (string | null)[]): boolean {
  return cells.every((cell, index) => cell !== null && (cell.trim() === '' || fields[index] === null));
}

/**
 * Reads a number with a decimal point or comma. Groups of three digits can be separated by the other character, by
 * spaces or by apostrophes. Undefined if the text is not a number or is ambiguous, like `1,234`.
 */
export function readNumber(text: string): number | undefined {
  if (plainNumber.test(text)) return Number(text);
  const plain = text.replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  if (plainNumber.test(plain)) return Number(plain);
  if (isAmbiguousNumber(text)) return undefined;
  if (/^-?\d+,\d+$/.test(plain)) return Number(plain.replace(',', '.'));
  if (/^-?\d{1,3}(\.\d{3})+,\d+$/.test(plain)) return Number(plain.replaceAll('.', '').replace(',', '.'));
  if (/^-?\d{1,3}(,\d{3})+\.\d+$/.test(plain)) return Number(plain.replaceAll(',', ''));
  if (/^-?\d{1,3}(\.\d{3}){2,}$/.test(plain)) return Number(plain.replaceAll('.', ''));
  return /^-?\d{1,3}(,\d{3}){2,}$/.test(plain) ? Number(plain.replaceAll(',', '')) : undefined;
}

const plainNumber = /^-?\d+(\.\d+)?$/;

/** `1,234` can be 1.234 or 1234. `0,234` cannot. */
function isAmbiguousNumber(text: string): boolean {
  return text.includes(',') && /^-?[1-9]\d{0,2},\d{3}$/.test(text);
}

function ambiguousNumber(field: string): string {
  return `${field} ${describeValue('ambiguous_number')}`;
}

/** Adds the value of a cell to what earlier cells have set. */
function merge(before: unknown, { name, locale }: Field, value: unknown): unknown {
  if (weights.has(name)) return { ...inner(before), [name]: value };
  if (locale !== undefined) return { ...inner(before), [locale]: value };
  // A value without a locale is ignored if there are values with one.
  return typeof before === 'object' ? before : value;
}

/** These columns form one object in the API. */
export const weights = new Set(['base_weight', 'average_weight_per_piece', 'minimum_starting_weight']);

function inner(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function readCell({ type }: Field, text: string): unknown {
  if (type === 'number') return text.toLowerCase() === 'null' ? null : (readNumber(text) ?? text);
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text;
  if (type === 'list') return text.split('|').map((part) => unescapeFormula(part.trim()));
  return text;
}

export const booleans = new Map([
  ...['true', 'yes', 'y', '1', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0', 'off'].map((word) => [word, false] as const),
]);
