import { quoteCell } from '@aisle/contract/csv';
import type { FileItem } from '../catalog/index.ts';
import type { StoredFailure } from '../jobs/index.ts';
import { invalid, type Failure } from '../kernel/failures/failure.ts';
import { type PromotionPlan, readPromotion } from './read-promotion.ts';
import { validateEntries } from './rules/entries.ts';
import { validateHeader } from './rules/header.ts';

export type FailedLine = { line: number; sku: string; code: string; reason: string };

/**
 * The plan built from a file's rows and the rows that failed, or the error that makes the whole file unusable. `fields`
 * are the names on the path to the field with the error.
 */
export type PromotionRows =
  | { plan: PromotionPlan | undefined; failed: FailedLine[] }
  | { error: { line: number; fields: string[]; reason: string } };

/**
 * Reads the rows of a file as one promotion. Its header is in the first row, and the other rows must repeat it. The rows
 * become the entries of a request, which is validated like any other. If a SKU is repeated, its last row is used.
 * `locale` is used for names without a locale.
 */
export function readPromotionRows(rows: FileItem[], options: { now: number; locale: string }): PromotionRows {
  const first = rows.find((row) => !row.fault);
  if (!first) return { plan: undefined, failed: rows.map((row) => failedRow(row, row.fault?.message ?? '')) };
  const header = headerOf(first.item, options.locale);
  const checked = validateHeader(header, new Date(options.now));
  if ('errors' in checked) {
    const fields = checked.errors[0]?.pointer.split('/') ?? [];
    return { error: { line: first.line, fields, reason: sentence(invalid(checked.errors)) } };
  }
  const identity = identityOf(first.item);
  const failed: FailedLine[] = [];
  const entries = new Map<string, object>();
  for (const row of rows) {
    const reason = row.fault?.message ?? (identityOf(row.item) === identity ? undefined : otherPromotion);
    const entry = entryOf(row.item);
    const { errors } = reason === undefined ? validateEntries([entry], true) : { errors: [] };
    if (reason !== undefined) failed.push(failedRow(row, reason));
    else if (errors[0]) failed.push({ ...failedRow(row, entryReason(errors[0])), code: errors[0].code });
    else entries.set(String(row.item['sku']), entry);
  }
  if (entries.size === 0) return { plan: undefined, failed };
  return { plan: readPromotion({ ...header, discount: [...entries.values()] }, options), failed };
}

/** Failed rows of a file that are stored together: the lines with their reasons, and the rows of the result file. */
export type FailedRows = { count: number; rows: string; log: string };

export function writeFailedRows(failed: FailedLine[]): FailedRows {
  const rows = failed.map(({ line, reason }): StoredFailure => [line, reason]);
  const log = failed.map(({ sku, code, reason }) => `${['', sku, code, reason].map(quoteCell).join(',')}\n`);
  return { count: failed.length, rows: JSON.stringify(rows), log: log.join('') };
}

/** What a thread needs to read a promotion. Threads load this module on its own, because it is small. */
export const promotionReader = { readRows: readPromotionRows, writeFailedRows };
export type PromotionReader = typeof promotionReader;

const identityFields = ['type', 'display_name', 'start_time', 'end_time', 'vendors', 'purchased_quantity'] as const;
const limitFields = ['max_discount_per_order', 'max_items_per_order', 'global_limit'] as const;
const otherPromotion =
  'the row belongs to another promotion: type, name, times, stores, quantities and limits must be the same in all rows';

function headerOf(item: Record<string, unknown>, locale: string): Record<string, unknown> {
  const { display_name: name, vendors, purchased_quantity, discounted_quantity } = item;
  const limits = limitFields.filter((field) => item[field] !== undefined).map((field) => [field, item[field]]);
  return {
    type: upper(item['type']),
    display_name: typeof name === 'string' ? { [locale]: name } : name,
    vendors: vendors === undefined || (Array.isArray(vendors) && vendors.includes('*')) ? '*' : vendors,
    conditions: {
      start_time: item['start_time'],
      end_time: item['end_time'],
      ...(purchased_quantity !== undefined && { purchased_quantity }),
      ...(discounted_quantity !== undefined && { discounted_quantity }),
    },
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
  };
}

function identityOf(item: Record<string, unknown>): string {
  return JSON.stringify([...identityFields, 'discounted_quantity', ...limitFields].map((field) => item[field] ?? null));
}

function entryOf({ sku, discount_subtype, discount_value, max_quantity, active }: Record<string, unknown>): object {
  const entry = { discount_subtype: upper(discount_subtype), discount_value, max_quantity, active };
  const given = Object.entries(entry).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(sku !== undefined && { sku: [sku] }) };
}

function upper(value: unknown): unknown {
  return typeof value === 'string' ? value.toUpperCase() : value;
}

function failedRow({ line, item }: FileItem, reason: string): FailedLine {
  return { line, sku: typeof item['sku'] === 'string' ? item['sku'] : '', code: 'bad_format', reason: `${reason}.` };
}

/** The pointer has the form `/discount/0/<field>`. */
function entryReason({ pointer, message }: { pointer: string; message: string }): string {
  return `${pointer.split('/')[3] ?? 'row'} ${message}`;
}

function sentence(failure: Failure): string {
  return (failure.errors ?? []).map(({ pointer, message }) => `${pointer.split('/').at(-1)} ${message}`).join('; ');
}
