import { parseCsv } from '@aisle/contract/csv';

/** A parsed file, with the products to send and the original rows, which are needed to report failures. */
export type Upload = {
  kind: 'update' | 'creation';
  products: Record<string, unknown>[];
  /** The columns in the preview and in the file with failed rows. */
  columns: string[];
  rows: string[][];
  /** The columns that are ignored because their names are unknown. */
  ignored: string[];
};

/**
 * Parses a CSV file with a header row, or a JSON file with a list of products or `{"products": […]}`. If the file is
 * neither, throws an error with a message for the user.
 */
export function readUpload(name: string, text: string): Upload {
  const isJson = /\.json$/i.test(name) || /^\s*[[{]/.test(text);
  return isJson ? readJson(text) : readCsv(text);
}

function readJson(text: string): Upload {
  const content = JSON.parse(text) as unknown;
  const list = Array.isArray(content) ? content : (content as { products?: unknown })?.products;
  if (!Array.isArray(list) || list.length === 0) throw new Error('The JSON file does not contain a list of products.');
  const products = list as Record<string, unknown>[];
  const columns = [...new Set(products.slice(0, 1000).flatMap((product) => Object.keys(product ?? {})))];
  const rows = products.map((product) => columns.map((column) => cellOf(product?.[column])));
  return { kind: kindOf(columns), products, columns, rows, ignored: columns.filter((column) => !(column in readers)) };
}

function readCsv(text: string): Upload {
  const [header = [], ...rows] = readRows(text);
  const columns = header.map((name) => name.trim().toLowerCase());
  if (!columns.includes('sku')) throw new Error('The header row must contain a "sku" column.');
  if (rows.length === 0) throw new Error('The file has no rows below the header.');
  const products = rows.map((row) => readRow(columns, row));
  return { kind: kindOf(columns), products, columns, rows, ignored: columns.filter((column) => !(column in readers)) };
}

/** Parses the CSV text, ignoring the byte order mark and blank rows that spreadsheets add. */
function readRows(text: string): string[][] {
  const rows = [...parseCsv(text.replace(/^\ufeff/, ''))];
  return rows.filter((row) => row.some((cell) => cell !== ''));
}

/** Only files that create products have a title column. */
function kindOf(columns: string[]): Upload['kind'] {
  return columns.includes('title') ? 'creation' : 'update';
}

function readRow(columns: string[], row: string[]): Record<string, unknown> {
  const product: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    const cell = row[index]?.trim() ?? '';
    const read = readers[column];
    if (cell !== '' && read) product[column] = read(cell);
  });
  return product;
}

const readers: Record<string, (cell: string) => unknown> = {
  sku: (cell) => cell,
  barcode: (cell) => cell,
  price: readNumber,
  quantity: readNumber,
  active: readBoolean,
  maximum_sales_quantity: readNumber,
  max_sales_quantity: readNumber,
  title: (cell) => cell,
  description: (cell) => cell,
  categories: readList,
  images: readList,
  barcodes: readList,
  is_sold_by_weight: readBoolean,
};

/** Anything that is not a number is sent unchanged, so that the server reports the row. */
function readNumber(cell: string): number | string {
  const value = Number(cell.replace(/^(\d+),(\d+)$/, '$1.$2'));
  return Number.isNaN(value) ? cell : value;
}

function readBoolean(cell: string): boolean | string {
  if (/^(1|true|yes)$/i.test(cell)) return true;
  return /^(0|false|no)$/i.test(cell) ? false : cell;
}

function readList(cell: string): string[] {
  return cell.split(/[;|]/).map((part) => part.trim());
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
