import { openAsBlob, statSync } from 'node:fs';
import { extname } from 'node:path';
import type { FileBody } from '@aisle/sdk';
import { UsageError } from '../errors.ts';
import { readJsonFile, readLines } from '../files/read-text.ts';
import { csvCell } from './csv-cell.ts';

export const fileFormats = ['csv', 'json', 'ndjson', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** The columns of a catalog file, which are also the fields of a product in JSON. */
const columns = ['sku', 'barcode', 'price', 'quantity', 'active', 'maximum_sales_quantity'] as const;
const aliases = new Map<string, (typeof columns)[number]>([['max_sales_quantity', 'maximum_sales_quantity']]);

/** The file as CSV. A CSV file is sent as it is, because the server reads all common encodings and separators. */
export async function readCatalogFile(path: string, format: FileFormat, sheet?: string): Promise<FileBody> {
  checkFile(path);
  if (sheet !== undefined && format !== 'xlsx') throw new UsageError('--sheet is only for Excel files (.xlsx).');
  if (format === 'csv') return openAsBlob(path);
  if (format === 'xlsx') {
    // Loaded only when it is needed, because it is larger than this program.
    const { readXlsxRows } = await import('./read-xlsx.ts');
    return encode(await readXlsxRows(path, sheet));
  }
  // The whole file is checked before anything is sent.
  const rows = format === 'json' ? await readAll(parseJson(path)) : parseLines(path);
  return encode(withHeader(rows));
}

async function readAll<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

export function formatOf(path: string): FileFormat {
  const extension = extname(path.replace(/\.(gz|zip)$/i, '')).toLowerCase();
  if (extension === '.json') return 'json';
  // The reader explains how to save files of the other formats.
  if (['.xlsx', '.xlsm', '.xlsb', '.xls', '.ods', '.numbers'].includes(extension)) return 'xlsx';
  return extension === '.ndjson' || extension === '.jsonl' ? 'ndjson' : 'csv';
}

/** The cells of one product. An absent field is an empty cell, which leaves the value unchanged. */
export function csvRow(row: unknown, place: string): string {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new UsageError(`${place} is not an object with a sku.`);
  }
  const cells = new Map<string, string>();
  for (const [name, value] of Object.entries(row)) {
    const column = aliases.get(name) ?? columns.find((one) => one === name);
    if (column === undefined) {
      throw new UsageError(`${place} has an unknown field ${name}.`, `Fields: ${columns.join(', ')}`);
    }
    if (typeof value === 'object' && value !== null) throw new UsageError(`${place}: ${name} must be a single value.`);
    if (typeof value === 'number' && !isExact(value)) {
      throw new UsageError(`${place}: ${name} has too many digits for a number in JSON. Write it in quotes.`);
    }
    // Only these two can be unknown or unlimited. An export has null for products without a barcode.
    const isNullable = column === 'quantity' || column === 'maximum_sales_quantity';
    if (value !== null || isNullable) cells.set(column, csvCell(String(value)));
  }
  return columns.map((column) => cells.get(column) ?? '').join(',');
}

/** Reading JSON has rounded other numbers, and a SKU that was rounded is another product. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

function checkFile(path: string): void {
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch {
    throw new UsageError(`The file ${path} does not exist or cannot be read.`);
  }
  if (!isFile) throw new UsageError(`${path} is not a file.`);
}

/** An array of products, or an object with such an array, as the API accepts it. */
async function* parseJson(path: string): AsyncGenerator<string> {
  const content = await readJsonFile(path);
  const rows = Array.isArray(content) ? content : (content as { products?: unknown } | null)?.products;
  if (!Array.isArray(rows)) throw new UsageError(`${path} must contain an array of products.`);
  for (const [index, row] of rows.entries()) yield csvRow(row, `Item ${index + 1}`);
}

async function* parseLines(path: string): AsyncGenerator<string> {
  for await (const { number, text } of readLines(path)) {
    if (text.trim() !== '') yield csvRow(parseLine(path, number, text), `Line ${number}`);
  }
}

function parseLine(path: string, number: number, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`Line ${number} of ${path} is not valid JSON.`);
  }
}

async function* withHeader(rows: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  yield columns.join(',');
  yield* rows;
}

/** Many rows are sent in one piece, so that a large file is not millions of small writes. */
async function* encode(rows: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let piece = '';
  for await (const row of rows) {
    piece += `${row}\n`;
    if (piece.length < 65_536) continue;
    yield encoder.encode(piece);
    piece = '';
  }
  yield encoder.encode(piece);
}
