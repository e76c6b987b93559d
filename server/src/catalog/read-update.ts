import { zstdCompressSync } from 'node:zlib';
import { copyCell } from '../kernel/copy.ts';
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
  const chunks: UpdateChunk[] = [];
  for (let from = 0; from < judged.length; from += itemsPerChunk) {
    chunks.push(writeChunk(products, judged, againIn, from, Math.min(judged.length, from + itemsPerChunk)));
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

/** What was sent, short enough for a log. */
export function rejectedText(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.toWellFormed().replaceAll('\0', '').slice(0, 200);
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

function writeChunk(
  products: Record<string, unknown>[],
  judged: Judged[],
  againIn: Map<number, number>,
  from: number,
  to: number,
): UpdateChunk {
  let text = '';
  let hasBarcodes = false;
  for (let index = from; index < to; index++) {
    const one = judged[index] as Judged;
    const again = againIn.get(index);
    if ('faults' in one) text += refusedLine(index + 1, products[index] ?? {}, one.faults);
    else if (again !== undefined) text += supersededLine(index + 1, one.item, again + 1);
    else {
      text += soundLine(index + 1, one.item);
      hasBarcodes ||= one.item.barcode !== undefined;
    }
  }
  return { bytes: zstdCompressSync(text), hasBarcodes };
}

// The columns of incoming_updates, see update-queries.ts:
// row_no sku price quantity sets_quantity active maximum sets_maximum barcode | state code message rejected sku_cell barcode_cell

function soundLine(rowNo: number, item: UpdateItem): string {
  const cell = quoteCell(item.sku);
  const { price = '\\N', barcode = '\\N' } = item;
  return `${rowNo}\t${copyCell(item.sku)}\t${price}\t${copyCell(item.quantity)}\t${item.quantity === undefined ? 'f' : 't'}\t${copyCell(
    item.active,
  )}\t${copyCell(item.maximum)}\t${item.maximum === undefined ? 'f' : 't'}\t${barcode}\t\\N\t\\N\t\\N\t\\N\t${
    cell === item.sku ? '\\N' : copyCell(cell)
  }\t\\N\n`;
}

const noValues = '\\N\t\\N\tf\t\\N\t\\N\tf\t\\N';

function supersededLine(rowNo: number, item: UpdateItem, again: number): string {
  const message = `The SKU is given again in row ${again}; the last one counts.`;
  const cells = ['SUPERSEDED', 'given_again', message, null, quoteCell(item.sku), item.barcode].map(copyCell);
  return `${rowNo}\t${copyCell(item.sku)}\t${noValues}\t${cells.join('\t')}\n`;
}

function refusedLine(rowNo: number, raw: Record<string, unknown>, faults: Fault[]): string {
  const sku = rejectedText(raw['sku']);
  const barcode = rejectedText(raw['barcode'] ?? undefined);
  const cells = [
    'FAILED',
    faults[0]?.code,
    faultSentence(faults),
    rejectedText(faults[0]?.rejected),
    sku === null ? null : quoteCell(sku),
    barcode === null ? null : quoteCell(barcode),
  ].map(copyCell);
  return `${rowNo}\t${copyCell(sku)}\t${noValues}\t${cells.join('\t')}\n`;
}
