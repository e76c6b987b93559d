import { encodeCopyRow } from '../kernel/database/copy-text.ts';
import { quoteCell } from '@aisle/contract/csv';
import { describeValue } from '@aisle/contract/value-faults';
import { type Failure, invalid } from '../kernel/failures/failure.ts';
import { compress } from '../kernel/bodies/chunk-compression.ts';
import { type Entry, validateEntries } from './rules/entries.ts';
import { type Header, validateHeader } from './rules/header.ts';

/** The parsed body of a request: the header, and the SKUs as compressed chunks of COPY text. */
export type PromotionPlan = { header: Header; total: number; hasAdditions: boolean; chunks: PromotionChunk[] };

export type PromotionChunk = { skus: number; lines: Uint8Array };

export const maxSkusPerChunk = 10_000;
const minSkusPerChunk = 500;

/** `now` is in milliseconds. A promotion that has already ended is rejected. */
export type ReadOptions = { now: number };

export function readPromotion(body: unknown, { now }: ReadOptions): PromotionPlan {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid([{ pointer: '', code: 'wrong_type', message: 'must be an object' }]);
  }
  const { active, discount } = body as Record<string, unknown>;
  const head = validateHeader(body, new Date(now));
  const result = validateEntries(discount, active !== false);
  if ('errors' in head || result.errors.length > 0) {
    throw invalid([...('errors' in head ? head.errors : []), ...result.errors]);
  }
  const { header } = head;
  // A cancellation applies to the whole promotion; its entries are read only to report errors.
  const entries = header.active ? sortBySku(result.entries) : [];
  const hasAdditions = entries.some((entry) => entry.terms !== null);
  return { header, total: entries.length, hasAdditions, chunks: splitChunks(entries) };
}

/** A SKU counts once per vendor. */
export function tooManySkus(max: number): Failure {
  const message = describeValue('max_skus', { max });
  return invalid([{ pointer: '/discount', code: 'too_long', message }]);
}

/** Sorts the entries by SKU, so that each chunk covers one range of the catalog. */
function sortBySku(entries: Entry[]): Entry[] {
  const isSorted = entries.every(({ sku }, index) => index === 0 || (entries[index - 1]?.sku ?? '') < sku);
  return isSorted ? entries : entries.toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
}

/** Returns at least two chunks unless there are few entries, because two tasks share the chunks. */
function splitChunks(entries: Entry[]): PromotionChunk[] {
  const half = Math.ceil(entries.length / 2);
  const size = Math.min(maxSkusPerChunk, Math.max(minSkusPerChunk, half));
  const chunks: PromotionChunk[] = [];
  for (let from = 0; from < entries.length; from += size) {
    const slice = entries.slice(from, from + size);
    const text = slice.map((entry, index) => entryLine(from + index + 1, entry)).join('');
    chunks.push({ skus: slice.length, lines: compress(text) });
  }
  return chunks;
}

// incoming_entries: row_no sku sku_cell is_active discount_subtype discount_value max_quantity
function entryLine(rowNo: number, { sku, terms }: Entry): string {
  return encodeCopyRow([rowNo, sku, quoteCell(sku), terms !== null, terms?.subtype, terms?.value, terms?.maxQuantity]);
}
