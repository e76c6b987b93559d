import { maxFeedback } from '@aisle/contract/sizes';
import { encodeCopyField } from '../kernel/database/copy-text.ts';
import { quoteCell } from '@aisle/contract/csv';
import type { SubCode } from '@aisle/contract/sub-codes';
import { type Failure, invalid } from '../kernel/failures/failure.ts';
import { compress } from '../kernel/bodies/chunk-compression.ts';
import { type Fault, validateUpdate, type UpdateItem } from './rules/update-item.ts';
import { type LogHead, stateMark, vendorMark } from './rules/update-log.ts';

/**
 * The body of an update request: a single item, or compressed chunks. A chunk contains the valid items as COPY text for
 * the table `incoming_updates`, and the log with a placeholder for the state of each valid item. Everything that does
 * not need the database is done during parsing: invalid items get a reason, and repeated SKUs are marked SUPERSEDED.
 * Large bodies are parsed off the event loop.
 */
export type UpdatePlan = { kind: 'single'; item: UpdateItem } | { kind: 'bulk'; total: number; chunks: UpdateChunk[] };

export type UpdateChunk = { updates: Uint8Array; log: Uint8Array; hasBarcodes: boolean };

/** Large enough to amortize the fixed costs of a statement, small enough to hold row locks only for milliseconds. */
export const itemsPerChunk = 10_000;

export type UpdateOptions = {
  maxItems: number;
  single: boolean;
  /** Whether the credential is limited to some vendors. */
  isLimited: boolean;
};

export function readUpdate(document: unknown, options: UpdateOptions): UpdatePlan {
  const products = readProducts(document, options.maxItems);
  const results = products.map((product) => validateUpdate(product, options.isLimited));
  const [only] = results;
  if (options.single && results.length === 1 && only) {
    if ('faults' in only) throw invalid(only.faults.map((fault) => singleError(fault)));
    return { kind: 'single', item: only.item };
  }
  const order = sortBySku(results);
  const againIn = findRepeats(results, order);
  const chunks: UpdateChunk[] = [];
  for (let from = 0; from < order.length; from += itemsPerChunk) {
    chunks.push(writeChunk(products, results, againIn, order.slice(from, from + itemsPerChunk)));
  }
  return { kind: 'bulk', total: results.length, chunks };
}

/** A row of a file: its line number, the item and, if the row cannot be read, the reason. */
export type FileItem = { line: number; item: Record<string, unknown>; fault?: Fault };

/** Collects rows one at a time, because keeping all of them in memory takes longer than reading them. */
export type RowCollector<Chunk> = { add(row: FileItem): void; end(): Chunk };

/** Writes rows of a file as one chunk, numbered by line. `hasVendors` says whether the log has a vendor column. */
export function collectUpdateRows({
  isLimited,
  hasVendors,
}: {
  isLimited: boolean;
  hasVendors: boolean;
}): RowCollector<UpdateChunk> {
  const lineEnd = hasVendors ? `${vendorMark}\n` : '\n';
  const lines: number[] = [];
  const results: ItemResult[] = [];
  const rejected: Record<string, unknown>[] = [];
  return {
    add({ line, item, fault }) {
      const result = fault ? { faults: [fault] } : validateUpdate(item, isLimited);
      if ('faults' in result) rejected[results.length] = item;
      lines.push(line);
      results.push(result);
    },
    end() {
      const order = sortBySku(results);
      const form = { rowNo: (index: number) => lines[index] ?? 0, lineEnd };
      return writeChunk(rejected, results, findRepeats(results, order), order, form);
    },
  };
}

/** Returns `products`, or throws if the document is invalid. */
export function readProducts(document: unknown, maxItems: number): Record<string, unknown>[] {
  const at = (pointer: string, code: SubCode<'error'>, message: string) => invalid([{ pointer, code, message }]);
  if (!isObject(document)) throw at('', 'wrong_type', 'must be an object with an array named products');
  const products = document['products'];
  if (products === undefined || products === null) throw at('/products', 'missing', 'is required');
  if (!Array.isArray(products)) throw at('/products', 'wrong_type', 'must be an array');
  if (products.length === 0) throw at('/products', 'too_short', 'must have at least 1 item');
  if (products.length > maxItems) throw tooManyProducts(maxItems);
  const invalidIndex = products.findIndex((product) => !isObject(product));
  if (invalidIndex >= 0) throw at(`/products/${invalidIndex}`, 'wrong_type', 'must be an object');
  return products;
}

export function tooManyProducts(maxItems: number): Failure {
  return invalid([{ pointer: '/products', code: 'too_long', message: `must have at most ${maxItems} items` }]);
}

/** Converts a rejected value to text, truncated for the log. */
export function rejectedText(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : jsonText(value);
  return text.slice(0, 200).replaceAll('\0', '').toWellFormed();
}

/** A value that is nested too deeply for JSON.stringify is abbreviated. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}

export function faultSentence(faults: Fault[]): string {
  return `${faults.map((fault) => fault.message).join('; ')}.`;
}

type ItemResult = ReturnType<typeof validateUpdate>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function singleError(fault: Fault) {
  const pointer = fault.field === '' ? '/products/0' : `/products/0/${fault.field}`;
  return { pointer, code: fault.code, message: fault.message };
}

/** Maps each item whose SKU is repeated to the next item with the same SKU. Invalid items are ignored. */
function findRepeats(results: ItemResult[], order: number[]): Map<number, number> {
  const againIn = new Map<number, number>();
  for (let at = 1; at < order.length; at++) {
    const [before = 0, index = 0] = [order[at - 1], order[at]];
    const sku = skuOf(results[index]);
    if (sku !== undefined && sku === skuOf(results[before])) againIn.set(before, index);
  }
  return againIn;
}

/** Returns the indexes sorted by SKU, so that each chunk covers one range of the catalog. Invalid items come last. */
function sortBySku(results: ItemResult[]): number[] {
  const validItems: number[] = [];
  const invalidItems: number[] = [];
  let isSorted = true;
  let last = '';
  for (let index = 0; index < results.length; index++) {
    const sku = skuOf(results[index]);
    if (sku === undefined) invalidItems.push(index);
    else {
      isSorted &&= last <= sku;
      last = sku;
      validItems.push(index);
    }
  }
  if (!isSorted) validItems.sort((a, b) => compare(skuOf(results[a]) ?? '', skuOf(results[b]) ?? '') || a - b);
  return [...validItems, ...invalidItems];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function skuOf(result: ItemResult | undefined): string | undefined {
  return result && 'item' in result ? result.item.sku : undefined;
}

/** Writes the rows for incoming_updates and the log lines, both in request order. */
function writeChunk(
  products: Record<string, unknown>[],
  results: ItemResult[],
  againIn: Map<number, number>,
  indexes: number[],
  { rowNo, lineEnd }: LogForm = requestForm,
): UpdateChunk {
  let lines = '';
  let log = '';
  let hasBarcodes = false;
  let range: LogHead['range'];
  let isPlainRange = true;
  const head: LogHead = { sound: 0, failed: 0, superseded: 0, failures: [] };
  for (const index of indexes.toSorted((a, b) => a - b)) {
    const result = results[index] as ItemResult;
    const again = againIn.get(index);
    const row = rowNo(index);
    if ('faults' in result) log += rejectedLine(row, products[index] ?? {}, result.faults, head) + lineEnd;
    else if (again !== undefined) log += supersededLine(row, result.item, rowNo(again), head) + lineEnd;
    else {
      const { sku } = result.item;
      const isPlain = isPlainSku(sku);
      lines += copyUpdate(row, result.item, isPlain);
      log += `${isPlain ? sku : quoteCell(sku)}${stateMark}${row},${result.item.barcode ?? ''}${lineEnd}`;
      head.sound += 1;
      isPlainRange &&= isPlain;
      range = range === undefined ? [sku, sku] : extend(range, sku);
      hasBarcodes ||= result.item.barcode !== undefined;
    }
  }
  const headLine = JSON.stringify({ ...head, hasBarcodes, ...(isPlainRange && range && { range }) });
  return { updates: compress(lines), log: compress(`${headLine}\n${log}`), hasBarcodes };
}

/** How the lines of a log are written. */
type LogForm = { rowNo(index: number): number; lineEnd: string };
const requestForm: LogForm = { rowNo: (index) => index + 1, lineEnd: '\n' };

/** Most SKUs need neither quotes nor escapes, and are sorted in the same way by PostgreSQL. */
function isPlainSku(sku: string): boolean {
  return /^\w[\w.-]*$/.test(sku);
}

function extend(range: [string, string], sku: string): [string, string] {
  if (sku > range[1]) range[1] = sku;
  else if (sku < range[0]) range[0] = sku;
  return range;
}

/** For quantity and maximum, -1 keeps the stored value and null clears it. */
function copyUpdate(rowNo: number, item: UpdateItem, isPlain: boolean): string {
  const { price = '\\N', barcode = '\\N', quantity = -1, maximum = -1 } = item;
  const active = item.active === undefined ? '\\N' : item.active ? 't' : 'f';
  const sku = isPlain ? item.sku : encodeCopyField(item.sku);
  return `${rowNo}\t${sku}\t${price}\t${quantity ?? '\\N'}\t${active}\t${maximum ?? '\\N'}\t${barcode}\n`;
}

function supersededLine(rowNo: number, item: UpdateItem, again: number, head: LogHead): string {
  head.superseded += 1;
  const message = `"The SKU appears again in row ${again}; the last one is used."`;
  return `${quoteCell(item.sku)},given_again,SUPERSEDED,${message},${rowNo},${item.barcode ?? ''}`;
}

function rejectedLine(rowNo: number, raw: Record<string, unknown>, faults: Fault[], head: LogHead): string {
  const sku = rejectedText(raw['sku']);
  const reason = faultSentence(faults);
  head.failed += 1;
  if (head.failures.length < maxFeedback) {
    head.failures.push({
      row_no: rowNo,
      sku,
      ...(faults[0] && { code: faults[0].code }),
      rejected_data: rejectedText(faults[0]?.rejected),
      rejected_reason: reason,
    });
  }
  const barcode = rejectedText(raw['barcode'] ?? undefined);
  return `${quoteCell(sku ?? '')},${faults[0]?.code},FAILED,"${reason}",${rowNo},${quoteCell(barcode ?? '')}`;
}
