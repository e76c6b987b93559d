import { maxFeedback } from '@aisle/contract/sizes';
import { copyCell } from '../kernel/database/copy-text.ts';
import { quoteCell } from '@aisle/contract/csv';
import { invalid } from '../kernel/failures/failure.ts';
import { compress } from '../kernel/bodies/compress.ts';
import { parseJson } from '../kernel/http/request-body.ts';
import { type Fault, validateUpdate, type UpdateItem } from './rules/update-item.ts';
import { type LogHead, stateMark } from './rules/update-log.ts';

/**
 * Reads the body of an update into what will be stored, chunk by chunk, compressed: the COPY text of the valid items
 * for the table `incoming_updates`, and the log with a mark wherever a valid item's state is still to be filled in.
 * Everything that can be decided without the database is decided here, once: bad items carry their reason, a SKU that
 * is given again is SUPERSEDED. This runs off the event loop when the body is large.
 */
export type UpdatePlan = { kind: 'single'; item: UpdateItem } | { kind: 'bulk'; total: number; chunks: UpdateChunk[] };

export type UpdateChunk = { updates: Uint8Array; log: Uint8Array; hasBarcodes: boolean };

/** Large enough to make the database's fixed costs small, small enough to hold row locks for milliseconds only. */
export const itemsPerChunk = 10_000;

export type UpdateOptions = { maxItems: number; single: boolean };

export function readUpdate(bytes: Uint8Array, options: UpdateOptions): UpdatePlan {
  const products = readProducts(parseJson(bytes), options.maxItems);
  const results = products.map(validateUpdate);
  const [only] = results;
  if (options.single && results.length === 1 && only) {
    if ('faults' in only) throw invalid(only.faults.map((fault) => singleError(fault)));
    return { kind: 'single', item: only.item };
  }
  const order = bySku(results);
  const againIn = findRepeats(results, order);
  const chunks: UpdateChunk[] = [];
  for (let from = 0; from < order.length; from += itemsPerChunk) {
    chunks.push(writeChunk(products, results, againIn, order.slice(from, from + itemsPerChunk)));
  }
  return { kind: 'bulk', total: results.length, chunks };
}

/** The list under `products`, or what is wrong with the document as a whole. */
export function readProducts(document: unknown, maxItems: number): Record<string, unknown>[] {
  const at = (pointer: string, code: string, message: string) => invalid([{ pointer, code, message }]);
  if (!isObject(document)) throw at('', 'wrong_type', 'must be an object with the list products');
  const products = document['products'];
  if (products === undefined || products === null) throw at('/products', 'missing', 'is required');
  if (!Array.isArray(products)) throw at('/products', 'wrong_type', 'must be a list');
  if (products.length === 0) throw at('/products', 'too_short', 'must have at least 1 entry');
  if (products.length > maxItems) throw at('/products', 'too_long', `must have at most ${maxItems} entries`);
  const odd = products.findIndex((product) => !isObject(product));
  if (odd >= 0) throw at(`/products/${odd}`, 'wrong_type', 'must be an object');
  return products;
}

/** What was sent, short enough for a log. */
export function rejectedText(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : jsonText(value);
  return text.slice(0, 200).replaceAll('\0', '').toWellFormed();
}

/** A value nested deeper than the stack allows is not shown. */
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

/** For each item whose SKU comes again later: where. Only valid items count; an invalid one affects no other. */
function findRepeats(results: ItemResult[], order: number[]): Map<number, number> {
  const againIn = new Map<number, number>();
  for (let at = 1; at < order.length; at++) {
    const [before = 0, index = 0] = [order[at - 1], order[at]];
    const sku = skuOf(results[index]);
    if (sku !== undefined && sku === skuOf(results[before])) againIn.set(before, index);
  }
  return againIn;
}

/** Positions in the order of their SKUs, so that a chunk covers one range of the assortment; refused items last. */
function bySku(results: ItemResult[]): number[] {
  const valid: number[] = [];
  const refused: number[] = [];
  let isSorted = true;
  let last = '';
  for (let index = 0; index < results.length; index++) {
    const sku = skuOf(results[index]);
    if (sku === undefined) refused.push(index);
    else {
      isSorted &&= last <= sku;
      last = sku;
      valid.push(index);
    }
  }
  if (!isSorted) valid.sort((a, b) => compare(skuOf(results[a]) ?? '', skuOf(results[b]) ?? '') || a - b);
  return [...valid, ...refused];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function skuOf(one: ItemResult | undefined): string | undefined {
  return one && 'item' in one ? one.item.sku : undefined;
}

/** The columns of incoming_updates, and the log in the order of the request. */
function writeChunk(
  products: Record<string, unknown>[],
  results: ItemResult[],
  againIn: Map<number, number>,
  indexes: number[],
): UpdateChunk {
  let lines = '';
  let log = '';
  let hasBarcodes = false;
  const head: LogHead = { sound: 0, failed: 0, superseded: 0, failures: [] };
  for (const index of indexes.toSorted((a, b) => a - b)) {
    const one = results[index] as ItemResult;
    const again = againIn.get(index);
    if ('faults' in one) log += rejectedLine(index + 1, products[index] ?? {}, one.faults, head);
    else if (again !== undefined) log += supersededLine(index + 1, one.item, again + 1, head);
    else {
      lines += copyUpdate(index + 1, one.item);
      log += `${cellOf(one.item.sku)}${stateMark}${index + 1},${one.item.barcode ?? ''}\n`;
      head.sound += 1;
      hasBarcodes ||= one.item.barcode !== undefined;
    }
  }
  return { updates: compress(lines), log: compress(`${JSON.stringify(head)}\n${log}`), hasBarcodes };
}

/** Most SKUs need neither quotes nor escapes, and this check is cheap. */
function isPlain(sku: string): boolean {
  return /^\w[\w.-]*$/.test(sku);
}

function cellOf(sku: string): string {
  return isPlain(sku) ? sku : quoteCell(sku);
}

/** Quantity and maximum: -1 keeps the stored value, null makes it unknown or clears it. */
function copyUpdate(rowNo: number, item: UpdateItem): string {
  const { price = '\\N', barcode = '\\N', quantity = -1, maximum = -1 } = item;
  const active = item.active === undefined ? '\\N' : item.active ? 't' : 'f';
  const sku = isPlain(item.sku) ? item.sku : copyCell(item.sku);
  return `${rowNo}\t${sku}\t${price}\t${quantity ?? '\\N'}\t${active}\t${maximum ?? '\\N'}\t${barcode}\n`;
}

function supersededLine(rowNo: number, item: UpdateItem, again: number, head: LogHead): string {
  head.superseded += 1;
  const message = `"The SKU is given again in row ${again}; the last one counts."`;
  return `${quoteCell(item.sku)},given_again,SUPERSEDED,${message},${rowNo},${item.barcode ?? ''}\n`;
}

function rejectedLine(rowNo: number, raw: Record<string, unknown>, faults: Fault[], head: LogHead): string {
  const sku = rejectedText(raw['sku']);
  const reason = faultSentence(faults);
  head.failed += 1;
  if (head.failures.length < maxFeedback) {
    head.failures.push({
      row_no: rowNo,
      sku,
      rejected_data: rejectedText(faults[0]?.rejected),
      rejected_reason: reason,
    });
  }
  const barcode = rejectedText(raw['barcode'] ?? undefined);
  return `${quoteCell(sku ?? '')},${faults[0]?.code},FAILED,"${reason}",${rowNo},${quoteCell(barcode ?? '')}\n`;
}
