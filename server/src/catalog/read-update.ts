import { zstdCompressSync } from 'node:zlib';
import { copyCell, copyLine } from '../kernel/copy.ts';
import { quoteCell } from '../kernel/csv.ts';
import { invalid } from '../kernel/failure.ts';
import { parseJson } from '../kernel/request-body.ts';
import { type Fault, judgeUpdate, type UpdateItem } from './rules/update-item.ts';

/**
 * Reads the body of an update into what will be stored: chunks of COPY text for the table `incoming_updates`, one line
 * an item, compressed. Everything that can be decided without the database is decided here, once: bad items carry
 * their reason, a SKU that is given again carries SUPERSEDED. This runs off the event loop when the body is large.
 */
export type UpdatePlan = { kind: 'single'; item: UpdateItem } | { kind: 'bulk'; total: number; chunks: UpdateChunk[] };

export type UpdateChunk = { bytes: Uint8Array; hasBarcodes: boolean };

/** Large enough to make the database's fixed costs small, small enough to hold row locks for a blink only. */
export const itemsPerChunk = 10_000;

export function readUpdate(bytes: Uint8Array, options: { maxItems: number; single: boolean }): UpdatePlan {
  const products = readProducts(parseJson(bytes), options.maxItems);
  const judged = products.map(judgeUpdate);
  const [only] = judged;
  if (options.single && judged.length === 1 && only) {
    if ('faults' in only) throw invalid(only.faults.map((fault) => singleError(fault)));
    return { kind: 'single', item: only.item };
  }
  const againIn = findRepeats(judged);
  const order = judged.length > itemsPerChunk ? bySku(judged) : judged.map((_, index) => index);
  const chunks: UpdateChunk[] = [];
  for (let from = 0; from < order.length; from += itemsPerChunk) {
    chunks.push(writeChunk(products, judged, againIn, order.slice(from, from + itemsPerChunk)));
  }
  return { kind: 'bulk', total: judged.length, chunks };
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

/** Compressed, in memory of its own: what the compressor returns cannot be handed over to another thread. */
export function pack(text: string): Uint8Array {
  return new Uint8Array(zstdCompressSync(text));
}

/** What was sent, short enough for a log. */
export function rejectedText(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : jsonText(value);
  return text.slice(0, 200).replaceAll('\0', '').toWellFormed();
}

/** What is nested deeper than the stack can follow is nothing to show. */
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

type Judged = ReturnType<typeof judgeUpdate>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function singleError(fault: Fault) {
  const pointer = fault.field === '' ? '/products/0' : `/products/0/${fault.field}`;
  return { pointer, code: fault.code, message: fault.message };
}

/** For each item whose SKU comes again later: where. Only sound items count, a bad one spoils nobody. */
function findRepeats(judged: Judged[]): Map<number, number> {
  const lastOf = new Map<string, number>();
  const againIn = new Map<number, number>();
  judged.forEach((one, index) => {
    if ('faults' in one) return;
    const before = lastOf.get(one.item.sku);
    if (before !== undefined) againIn.set(before, index);
    lastOf.set(one.item.sku, index);
  });
  return againIn;
}

/** Positions in the order of their SKUs, so that a chunk covers one stretch of the assortment; refused items last. */
function bySku(judged: Judged[]): number[] {
  const skuOf = (index: number) => {
    const one = judged[index] as Judged;
    return 'item' in one ? one.item.sku : undefined;
  };
  const sound: number[] = [];
  const refused: number[] = [];
  let isSorted = true;
  let last = '';
  judged.forEach((_, index) => {
    const sku = skuOf(index);
    if (sku === undefined) refused.push(index);
    else {
      isSorted &&= last <= sku;
      last = sku;
      sound.push(index);
    }
  });
  if (!isSorted) sound.sort((a, b) => ((skuOf(a) ?? '') < (skuOf(b) ?? '') ? -1 : 1));
  return [...sound, ...refused];
}

function writeChunk(
  products: Record<string, unknown>[],
  judged: Judged[],
  againIn: Map<number, number>,
  indexes: number[],
): UpdateChunk {
  let text = '';
  let hasBarcodes = false;
  for (const index of indexes) {
    const one = judged[index] as Judged;
    const again = againIn.get(index);
    if ('faults' in one) text += refusedLine(index + 1, products[index] ?? {}, one.faults);
    else if (again !== undefined) text += supersededLine(index + 1, one.item, again + 1);
    else {
      text += soundLine(index + 1, one.item);
      hasBarcodes ||= one.item.barcode !== undefined;
    }
  }
  return { bytes: pack(text), hasBarcodes };
}

// The columns of incoming_updates: row_no sku price quantity active maximum barcode is_sound note
// Quantity and maximum: -1 leaves what is there, null makes it unknown or clears it.

function soundLine(rowNo: number, item: UpdateItem): string {
  const { price = '\\N', barcode = '\\N', quantity = -1, maximum = -1 } = item;
  const cell = quoteCell(item.sku);
  const note = cell === item.sku ? '\\N' : copyCell(JSON.stringify({ sku_cell: cell }));
  return `${rowNo}\t${copyCell(item.sku)}\t${price}\t${copyCell(quantity)}\t${copyCell(item.active)}\t${copyCell(maximum)}\t${barcode}\tt\t${note}\n`;
}

function supersededLine(rowNo: number, item: UpdateItem, again: number): string {
  const message = `The SKU is given again in row ${again}; the last one counts.`;
  const note = { state: 'SUPERSEDED', code: 'given_again', message, sku_cell: quoteCell(item.sku) };
  return unsoundLine(rowNo, item.sku, { ...note, ...(item.barcode !== undefined && { barcode_cell: item.barcode }) });
}

function refusedLine(rowNo: number, raw: Record<string, unknown>, faults: Fault[]): string {
  const sku = rejectedText(raw['sku']);
  const barcode = rejectedText(raw['barcode'] ?? undefined);
  const rejected = rejectedText(faults[0]?.rejected);
  return unsoundLine(rowNo, sku, {
    state: 'FAILED',
    code: faults[0]?.code,
    message: faultSentence(faults),
    ...(rejected !== null && { rejected }),
    ...(sku !== null && { sku_cell: quoteCell(sku) }),
    ...(barcode !== null && { barcode_cell: quoteCell(barcode) }),
  });
}

function unsoundLine(rowNo: number, sku: string | null, note: Record<string, unknown>): string {
  return copyLine([rowNo, sku, null, null, null, null, null, false, JSON.stringify(note)]);
}
