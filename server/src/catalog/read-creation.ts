import { encodeCopyRow } from '../kernel/database/copy-text.ts';
import { arrayText } from '../kernel/database/parameters.ts';
import { quoteCell } from '@aisle/contract/csv';
import { invalid } from '../kernel/failures/failure.ts';
import { compress } from '../kernel/bodies/chunk-compression.ts';
import { isStorable } from '../kernel/values/text.ts';
import { type FileItem, faultSentence, readProducts, rejectedText } from './read-update.ts';
import { validateNewProduct, type NewProduct } from './rules/new-product.ts';
import { searchText } from './rules/search.ts';
import type { Fault } from './rules/update-item.ts';

/**
 * The body of a creation request, converted to two kinds of chunks of COPY text: `products`, which belong to the chain
 * and are inserted once, and `offers`, which are inserted for every vendor. If a SKU is repeated, its first item is
 * used and the others are reported as duplicates.
 */
export type CreationPlan = {
  /** Undefined if the body has no vendors, or if the vendor is in the path. */
  vendors: string[] | '*' | undefined;
  total: number;
  chunks: { products: Uint8Array; offers: Uint8Array }[];
};

export const productsPerChunk = 5000;
/**
 * A slice inserts a chunk with one statement, and the index of titles has an entry for each of their characters. A full
 * chunk takes about a second; without this limit, a request of the maximum size took minutes.
 */
const maxTitleLength = 1_000_000;
const maxChunkLength = 8 * 1024 * 1024;

export type CreationOptions = { maxItems: number; hasVendors: boolean };

export function readCreation(document: unknown, options: CreationOptions): CreationPlan {
  const products = readProducts(document, options.maxItems);
  const vendors = options.hasVendors ? readVendors((document as Record<string, unknown>)['vendors']) : undefined;
  const seen = new Map<string, number>();
  const chunks: CreationPlan['chunks'] = [];
  let chunk = startChunk(seen);
  for (const [index, item] of products.entries()) {
    chunk.add({ line: index + 1, item });
    if (!chunk.isFull()) continue;
    chunks.push(chunk.end());
    chunk = startChunk(seen);
  }
  if (!chunk.isEmpty()) chunks.push(chunk.end());
  return { vendors, total: products.length, chunks };
}

/** Writes rows of a file as one chunk. Row numbers are line numbers in the file. */
export function readCreationRows(rows: FileItem[]): CreationPlan['chunks'][number] {
  const chunk = startChunk(new Map());
  for (const row of rows) chunk.add(row);
  return chunk.end();
}

function readVendors(value: unknown): string[] | '*' | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === '*' || (Array.isArray(value) && value.length === 1 && value[0] === '*')) return '*';
  const isList = Array.isArray(value) && value.length > 0 && value.length <= 100_000;
  const isValid =
    isList &&
    value.every((id) => typeof id === 'string' && /^[^\s\0]{1,64}$/u.test(id) && isStorable(id) && id !== '*');
  if (isValid) return [...new Set(value as string[])];
  const message = 'must be "*", or a list of vendor ids, or ["*"]';
  throw invalid([{ pointer: '/vendors', code: 'bad_format', message }]);
}

/** `seen` has the row number of each SKU so far. */
function startChunk(seen: Map<string, number>) {
  let [rows, titleLength, chainText, vendorText] = [0, 0, '', ''];
  const addProduct = (rowNo: number, product: NewProduct) => {
    const before = seen.get(product.sku);
    if (before !== undefined) {
      vendorText += repeatedLine(rowNo, product, before);
      return;
    }
    seen.set(product.sku, rowNo);
    const searched = searchText(product.titles);
    titleLength += searched.length;
    chainText += productLine(product, searched);
    vendorText += offerLine(rowNo, product);
  };
  return {
    add({ line: rowNo, item, fault }: FileItem) {
      rows += 1;
      const result = fault ? { faults: [fault] } : validateNewProduct(item);
      if ('faults' in result) vendorText += rejectedLine(rowNo, item, result.faults);
      else addProduct(rowNo, result.product);
    },
    isEmpty: () => rows === 0,
    isFull: () => rows >= productsPerChunk || titleLength >= maxTitleLength || chainText.length >= maxChunkLength,
    end: () => ({ products: compress(chainText), offers: compress(vendorText) }),
  };
}

// incoming_products: sku titles descriptions search_text barcodes images categories is_sold_by_weight weight_specifications
function productLine(product: NewProduct, searched: string): string {
  return encodeCopyRow([
    product.sku,
    JSON.stringify(product.titles),
    JSON.stringify(product.descriptions),
    searched,
    arrayText(product.barcodes),
    arrayText(product.images),
    arrayText(product.categories),
    product.isSoldByWeight,
    product.weightSpecifications && JSON.stringify(product.weightSpecifications),
  ]);
}

// incoming_offers: row_no sku price quantity active maximum categories | state code message rejected sku_cell barcode_cell
function offerLine(rowNo: number, product: NewProduct): string {
  const { sku, price, quantity, active, maximum } = product;
  const categories = product.categories.length > 0 ? arrayText(product.categories) : null;
  return encodeCopyRow([
    rowNo,
    sku,
    price,
    quantity,
    active,
    maximum,
    categories,
    null,
    null,
    null,
    null,
    quoteCell(sku),
    product.barcodes[0],
  ]);
}

function repeatedLine(rowNo: number, { sku, barcodes }: NewProduct, before: number): string {
  const message = `The SKU already appears in row ${before}.`;
  return encodeCopyRow([
    rowNo,
    sku,
    null,
    null,
    null,
    null,
    null,
    'DUPLICATED',
    'given_again',
    message,
    null,
    quoteCell(sku),
    barcodes[0],
  ]);
}

function rejectedLine(rowNo: number, raw: Record<string, unknown>, faults: Fault[]): string {
  const sku = rejectedText(raw['sku']);
  const barcode = rejectedText(raw['barcode'] ?? undefined);
  return encodeCopyRow([
    rowNo,
    sku,
    null,
    null,
    null,
    null,
    null,
    'FAILED',
    faults[0]?.code,
    faultSentence(faults),
    rejectedText(faults[0]?.rejected),
    sku === null ? null : quoteCell(sku),
    barcode === null ? null : quoteCell(barcode),
  ]);
}
