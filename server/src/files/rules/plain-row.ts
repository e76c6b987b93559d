import { booleans, weights } from './cells.ts';
import type { Field } from './columns.ts';

/** Reads a row without quotes into an item, or returns undefined if the row must be read with `readRow`. */
export type PlainRowReader = (row: string) => Record<string, unknown> | undefined;

/**
 * A fast path for rows with simple cells, which most files consist of: it takes a third of the time of `readRow`, because
 * it reads numbers in place. Returns undefined if the file has columns that are not simple.
 */
export function createPlainRowReader(fields: readonly (Field | null)[], separator: string): PlainRowReader | undefined {
  if (!fields.every((field) => field === null || isSimple(field))) return undefined;
  return (row) => {
    const item: Record<string, unknown> = {};
    let isEmpty = true;
    let at = 0;
    for (let column = 0; at <= row.length; column++) {
      const field = fields[column];
      if (field === undefined) return undefined;
      const separatorAt = row.indexOf(separator, at);
      const end = separatorAt < 0 ? row.length : separatorAt;
      if (field !== null && end > at) {
        const value = readCell(field, row, at, end);
        if (value === undefined) return undefined;
        item[field.name] = value;
        isEmpty = false;
      }
      at = end + 1;
    }
    return isEmpty ? undefined : item;
  };
}

function isSimple({ name, type, locale }: Field): boolean {
  return locale === undefined && type !== 'list' && !weights.has(name);
}

function readCell({ type }: Field, row: string, from: number, to: number): unknown {
  if (type === 'number') return readPlainNumber(row, from, to);
  if (!isVisible(row.charCodeAt(from)) || !isVisible(row.charCodeAt(to - 1))) return undefined;
  const text = row.slice(from, to);
  return type === 'boolean' ? booleans.get(text) : text;
}

/** ASCII without spaces, and without the apostrophe, which can escape a formula. */
function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f && code !== 0x27;
}

/** Reads digits with at most one decimal point. With so few digits, dividing gives the same number as `Number()`. */
function readPlainNumber(row: string, from: number, to: number): number | undefined {
  if (to - from > maxDigits) return undefined;
  let digits = 0;
  let pointAt = to;
  for (let at = from; at < to; at++) {
    const code = row.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) digits = digits * 10 + (code - 0x30);
    else if (code === 0x2e && pointAt === to && at > from && at < to - 1) pointAt = at;
    else return undefined;
  }
  return pointAt === to ? digits : digits / 10 ** (to - pointAt - 1);
}

const maxDigits = 15;
