import { crc32 } from 'node:zlib';
import type { FileKind } from '@aisle/contract/file-columns';
import { chunksPerWindow, type FileChunk, type FileItem, readCreationRows, readUpdateRows } from '../catalog/index.ts';
import { compress } from '../kernel/bodies/chunk-compression.ts';
import { isBlank, readRow } from './rules/cells.ts';
import { type Field, matchColumns } from './rules/columns.ts';
import { cellDecoder, detectEncoding, detectNarrow, type Encoding, isWide, toText } from './detect-encoding.ts';
import type { Format, StoredRow } from './rules/format.ts';
import { type CsvRecord, findSeparator, splitRecords } from './split-records.ts';

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
  /** How many bytes were read, and the number of the line that follows. */
  bytes: number;
  line: number;
  rows: number;
  chunks: WindowChunk[];
};

/** `rows` are the rows as they were uploaded. A promotion has no chunk, because it is read as a whole. */
export type WindowChunk = { rows: Uint8Array; chunk?: FileChunk; items?: FileItem[]; stored?: StoredRow[] };

export type WindowError = { line: number; column: number; reason: string };

/** Longer rows are rejected. */
export const maxRowBytes = 1024 * 1024;

const maxRows: Record<FileKind, number> = { catalog: 20_000, products: 5000, promotions: 20_000 };

/** Reads the complete rows in the bytes. Runs in a thread. */
export function readWindow(input: WindowInput): Window | { error: WindowError } {
  const start = input.format ? { format: decideEncoding(input.format, input.bytes), skipped: 0 } : readStart(input);
  const encoding = start.format.encoding as Encoding;
  const unit = isWide(encoding) ? 2 : 1;
  const text = toText(input.bytes.subarray(start.skipped), encoding);
  const isHeaderNext = input.format === null;
  const { separator } = start.format;
  const maxRecords = maxRows[input.kind] + (isHeaderNext ? 1 : 0);
  const split = splitRecords(text, { separator, line: input.line, isLast: input.isLast, maxRecords });
  if (split.end === 0 && text.length > 0) return input.isLast ? unclosedQuote(input.line) : tooLong(input.line);
  const decode = cellDecoder(encoding);
  const records = isHeaderNext ? split.records.slice(1) : split.records;
  const header = isHeaderNext ? readHeader(input.kind, split.records[0], start.format, decode) : undefined;
  if (header && 'error' in header) return header;
  const format = header ?? start.format;
  const isWhole = isHeaderNext && input.isLast && split.end === text.length;
  const chunks = toChunks(input, format, records, decode, isWhole);
  return {
    format,
    bytes: start.skipped + split.end * unit,
    line: split.line,
    rows: chunks.reduce((sum, { count }) => sum + count, 0),
    chunks: chunks.map(({ count: _count, ...chunk }) => chunk),
  };
}

/** The encoding is determined by the first bytes that are not ASCII. */
function decideEncoding(format: Format, bytes: Buffer): Format {
  if (format.encoding !== 'ascii') return format;
  const encoding = detectNarrow(bytes);
  return encoding === 'ascii' ? format : { ...format, encoding, has_mark: encoding !== 'utf-8' };
}

/** Detects the encoding and the separator. The columns are not known yet. */
function readStart({ bytes }: WindowInput): { format: Format; skipped: number } {
  const { encoding, markBytes } = detectEncoding(bytes);
  const text = toText(bytes.subarray(markBytes), encoding);
  const unit = isWide(encoding) ? 2 : 1;
  const [declaration, declared] = /^"?sep=([,;\t])"?(?:\r\n|\n|\r)/i.exec(text) ?? ['', undefined];
  const firstLine = /^\s*([^\r\n]*)/.exec(text.slice(declaration.length))?.[1] ?? '';
  const separator = declared ?? findSeparator(firstLine);
  const hasMark = markBytes > 0 || !['ascii', 'utf-8'].includes(encoding);
  const format = { encoding, separator, header: [], fields: [], dropped: [], has_mark: hasMark };
  return { format, skipped: markBytes + declaration.length * unit };
}

type Decode = (cell: string) => string | null;

function readHeader(
  kind: FileKind,
  record: CsvRecord | undefined,
  format: Format,
  decode: Decode,
): Format | { error: WindowError } {
  if (!record)
    return { error: { line: 1, column: 1, reason: 'the file is empty; its first line must name the columns' } };
  const names = record.cells.map((cell) => decode(cell) ?? cell);
  const columns = matchColumns(kind, names);
  if ('error' in columns) return { error: { line: record.line, ...columns.error } };
  const header = names.filter((_, index) => !columns.dropped.includes(index));
  return { ...format, header, fields: columns.fields, dropped: columns.dropped };
}

type CountedChunk = WindowChunk & { count: number };

function toChunks(
  input: WindowInput,
  format: Format,
  records: CsvRecord[],
  decode: Decode,
  isWhole: boolean,
): CountedChunk[] {
  const shares = Array.from({ length: shareCount(input.kind, isWhole) }, () => ({
    stored: [] as StoredRow[],
    items: [] as FileItem[],
  }));
  const fields = format.fields as (Field | null)[];
  for (const { line, cells } of records) {
    const decoded = cells.map(decode);
    if (isBlank(decoded)) continue;
    const { item, fault } = readRow(fields, decoded);
    const share = shares[shares.length === 1 ? 0 : shareOf(item['sku'])];
    share?.items.push({ line, item, ...(fault && { fault: { ...fault, code: 'bad_format' } }) });
    share?.stored.push([line, decoded.flatMap((cell, at) => (format.dropped.includes(at) ? [] : [cell ?? '\ufffd']))]);
  }
  return shares.map(({ stored, items }) => ({
    count: items.length,
    rows: compress(JSON.stringify(stored)),
    ...(input.kind === 'promotions' ? { items, stored } : { chunk: chunkOf(input, items) }),
  }));
}

/**
 * The rows of an update are divided by SKU, so that two tasks can apply them at the same time. A small file is not
 * divided, so that its result file has the same order.
 */
function shareCount(kind: FileKind, isWhole: boolean): number {
  return kind === 'catalog' && !isWhole ? chunksPerWindow : 1;
}

function shareOf(sku: unknown): number {
  return crc32(String(sku)) % chunksPerWindow;
}

function chunkOf({ kind, isLimited, hasVendors }: WindowInput, items: FileItem[]): FileChunk {
  return kind === 'products' ? readCreationRows(items) : readUpdateRows(items, { isLimited, hasVendors });
}

function unclosedQuote(line: number): { error: WindowError } {
  return { error: { line, column: 1, reason: 'a quote is opened in this line but never closed' } };
}

function tooLong(line: number): { error: WindowError } {
  const reason = `the row is longer than ${maxRowBytes} bytes; line breaks may be missing, or a quote is not closed`;
  return { error: { line, column: 1, reason } };
}
