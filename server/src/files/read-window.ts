import { describeFault } from '@aisle/contract/file-faults';
import type { FileKind } from '@aisle/contract/file-kinds';
import type { FileChunk, FileItem, RowCollector, RowReaders } from '../catalog/index.ts';
import { isBlank, readRow } from './rules/cells.ts';
import { type Field, matchColumns } from './rules/columns.ts';
import {
  cellDecoder,
  detectEncoding,
  detectNarrow,
  type Encoding,
  isAsciiText,
  isWide,
  toText,
} from './detect-encoding.ts';
import type { Format } from './rules/format.ts';
import { createPlainRowReader, type PlainRowReader } from './rules/plain-row.ts';
import { cellsOf, type CsvRecord, findSeparator, splitRecords } from './split-records.ts';

/** The rows that are read together. The bytes start with a row, or with the header if the format is not known yet. */
export type WindowInput = {
  kind: FileKind;
  bytes: Buffer;
  /** Whether the file ends with these bytes. */
  isLast: boolean;
  line: number;
  format: Format | null;
  isLimited: boolean;
  /** Whether the result file has a vendor column. */
  hasVendors: boolean;
};

export type Window = {
  format: Format;
  /** The number of bytes before the first record, and the number of its line. */
  start: { bytes: number; line: number };
  /** How many bytes were read, and the number of the line that follows. */
  bytes: number;
  line: number;
  rows: number;
  chunks: WindowChunk[];
};

/** A promotion has items instead of a chunk, because it is read as a whole. */
export type WindowChunk = { chunk: FileChunk } | { items: FileItem[] };

export type WindowError = { line: number; column: number; reason: string };

/** Longer rows are rejected. */
export const maxRowBytes = 1024 * 1024;

const maxRows: Record<FileKind, number> = { catalog: 20_000, products: 5000, promotions: 20_000 };

/** Reads the complete rows in the bytes. Runs in a thread. Without `readers`, the rows are not converted to chunks. */
export function readWindow(input: WindowInput, readers?: RowReaders): Window | { error: WindowError } {
  const start = input.format
    ? { format: decideEncoding(input.format, input.bytes), skipped: 0, line: input.line }
    : readStart(input);
  const encoding = start.format.encoding as Encoding;
  const unit = isWide(encoding) ? 2 : 1;
  const text = toText(input.bytes.subarray(start.skipped), encoding);
  const isHeaderNext = input.format === null;
  const { separator } = start.format;
  const maxRecords = maxRows[input.kind] + (isHeaderNext ? 1 : 0);
  const split = splitRecords(text, { separator, line: start.line, isLast: input.isLast, maxRecords });
  if (split.end === 0 && text.length > 0) return input.isLast ? unclosedQuote(input.line) : tooLong(input.line);
  const decode = cellDecoder(encoding);
  const records = isHeaderNext ? split.records.slice(1) : split.records;
  const header = isHeaderNext ? readHeader(input.kind, split.records[0], start.format, decode) : undefined;
  if (header && 'error' in header) return header;
  const format = header ?? start.format;
  const isEnd = input.isLast && split.end === text.length;
  const isWhole = isHeaderNext && isEnd;
  const count = readers && input.kind === 'catalog' && !isWhole ? readers.chunksPerWindow : 1;
  const shares = Array.from({ length: count }, () => collectRows(input, readers));
  return {
    format,
    start: { bytes: start.skipped, line: start.line },
    // A file in UTF-16 can end with half a character, which must not be left over.
    bytes: isEnd ? input.bytes.length : start.skipped + split.end * unit,
    line: split.line,
    rows: divideRows(shares, format, records, decode),
    chunks: shares.map((share) => share.end()),
  };
}

/** The encoding is determined by the first bytes that are not ASCII. */
function decideEncoding(format: Format, bytes: Buffer): Format {
  if (format.encoding !== 'ascii') return format;
  const encoding = detectNarrow(bytes);
  return encoding === 'ascii' ? format : { ...format, encoding, has_mark: encoding !== 'utf-8' };
}

/** Detects the encoding and the separator. The columns are not known yet. */
function readStart({ bytes, line }: WindowInput): { format: Format; skipped: number; line: number } {
  const { encoding, markBytes } = detectEncoding(bytes);
  const text = toText(bytes.subarray(markBytes), encoding);
  const unit = isWide(encoding) ? 2 : 1;
  const [declaration, declared] = /^"?sep=([,;\t])"?(?:\r\n|\n|\r)/i.exec(text) ?? ['', undefined];
  const firstLine = /^\s*([^\r\n]*)/.exec(text.slice(declaration.length))?.[1] ?? '';
  const separator = declared ?? findSeparator(firstLine);
  const hasMark = markBytes > 0 || !['ascii', 'utf-8'].includes(encoding);
  const format = { encoding, separator, header: [], fields: [], dropped: [], has_mark: hasMark };
  return { format, skipped: markBytes + declaration.length * unit, line: declaration === '' ? line : line + 1 };
}

type Decode = (cell: string) => string | null;

function readHeader(
  kind: FileKind,
  record: CsvRecord | undefined,
  format: Format,
  decode: Decode | null,
): Format | { error: WindowError } {
  if (!record) return { error: { line: 1, column: 1, reason: describeFault('empty_file') } };
  const cells = cellsOf(record, format.separator);
  const names = decode ? cells.map((cell) => decode(cell) ?? cell) : cells;
  const columns = matchColumns(kind, names);
  if ('error' in columns) return { error: { line: record.line, ...columns.error } };
  const header = names.filter((_, index) => !columns.dropped.includes(index));
  return { ...format, header, fields: columns.fields, dropped: columns.dropped };
}

/**
 * The rows of an update are divided by SKU, so that two tasks can apply them at the same time. A small file is not
 * divided, so that its result file has the same order. Returns the number of rows.
 */
function divideRows(
  shares: RowCollector<WindowChunk>[],
  format: Format,
  records: CsvRecord[],
  decode: Decode | null,
): number {
  const fields = format.fields as (Field | null)[];
  const readPlain = createPlainRowReader(fields, format.separator);
  let rows = 0;
  for (const record of records) {
    const row = readPlainRow(record, decode, readPlain) ?? readCells(record, fields, format.separator, decode);
    if (!row) continue;
    const share = shares[shares.length === 1 ? 0 : shareOf(row.item['sku'], shares.length)];
    share?.add(row);
    rows += 1;
  }
  return rows;
}

/**
 * The same for all rows of a SKU. SKUs that differ only in their last two characters are kept together, so that each
 * share of a sorted file covers whole pages of the table.
 */
function shareOf(sku: unknown, shares: number): number {
  const text = typeof sku === 'string' ? sku : '';
  let hash = 0;
  for (let at = text.length > 2 ? text.length - 3 : 0; at >= 0; at--) hash = (hash * 31 + text.charCodeAt(at)) >>> 0;
  return hash % shares;
}

function readPlainRow(
  { line, content }: CsvRecord,
  decode: Decode | null,
  read: PlainRowReader | undefined,
): FileItem | undefined {
  if (!read || typeof content !== 'string') return undefined;
  const item = decode && !isAsciiText(content) ? undefined : read(content);
  return item && { line, item };
}

/** Undefined if all cells are empty. */
function readCells(
  record: CsvRecord,
  fields: (Field | null)[],
  separator: string,
  decode: Decode | null,
): FileItem | undefined {
  const cells = cellsOf(record, separator);
  const decoded = decode ? cells.map(decode) : cells;
  if (isBlank(fields, decoded)) return undefined;
  const { item, fault } = readRow(fields, decoded);
  return { line: record.line, item, ...(fault && { fault: { ...fault, code: 'bad_format' } }) };
}

function collectRows({ kind, isLimited, hasVendors }: WindowInput, readers?: RowReaders): RowCollector<WindowChunk> {
  if (readers && kind === 'catalog') {
    const rows = readers.catalog({ isLimited, hasVendors });
    return { add: rows.add, end: () => ({ chunk: rows.end() }) };
  }
  const items: FileItem[] = [];
  const end = () => (readers ? { chunk: readers.products(items) } : { items });
  return { add: (item) => void items.push(item), end };
}

function unclosedQuote(line: number): { error: WindowError } {
  return { error: { line, column: 1, reason: describeFault('unclosed_quote') } };
}

function tooLong(line: number): { error: WindowError } {
  const reason = describeFault('long_row', { max: maxRowBytes });
  return { error: { line, column: 1, reason } };
}
