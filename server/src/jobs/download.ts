import { parseCsv } from '@aisle/contract/csv';
import { columnsOf } from '@aisle/contract/jobs';
import type { TObject, TSchema } from 'typebox';
import type { Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { acceptedEncodings } from '../kernel/http/accept-encoding.ts';
import { readGzip, readPieces } from './files.ts';
import type { JobRow } from './queries.ts';

type FileFormat = 'text/csv' | 'application/json' | 'application/x-ndjson';
type RequestHeaders = { accept?: string | undefined; 'accept-encoding'?: string | string[] | undefined };

/** The response with a job's file, in a format the client accepts. Throws if the file does not exist or has expired. */
export function fileResponse(db: Db, chainId: string, job: JobRow, row: TObject, headers: RequestHeaders) {
  if (job.file_expires_at === null) throw new Failure('file_not_found');
  if (job.file_expires_at.getTime() <= Date.now()) throw new Failure('download_expired');
  const format = chooseFormat(headers.accept);
  const name = `${job.type.toLowerCase()}-${job.job_id}.${extensions[format]}`;
  // Files are stored as gzip-compressed CSV, so they can be sent unchanged to a client that accepts gzip.
  const isStoredForm = format === 'text/csv' && acceptedEncodings(headers['accept-encoding']).includes('gzip');
  const firstLine = `${columnsOf(row).join(',')}\n`;
  return {
    status: 200 as const,
    stream: isStoredForm
      ? readGzip(db, chainId, job.job_id, firstLine)
      : streamFile(readPieces(db, chainId, job.job_id), firstLine, row, format),
    headers: {
      'content-type': `${format}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
      vary: 'accept',
      ...(isStoredForm && { 'content-encoding': 'gzip' }),
    },
  };
}

const extensions = { 'text/csv': 'csv', 'application/json': 'json', 'application/x-ndjson': 'ndjson' };

/** The first supported format in the Accept header, or CSV by default. */
function chooseFormat(accept: string | undefined): FileFormat {
  const parts = (accept ?? '').split(',').filter((part) => !/;\s*q\s*=\s*0(\.0*)?\s*(;|$)/i.test(part));
  const accepted = parts.map((part) => part.split(';')[0]?.trim().toLowerCase());
  const known: FileFormat[] = ['text/csv', 'application/json', 'application/x-ndjson'];
  return known.find((format) => format === accepted.find((type) => known.includes(type as FileFormat))) ?? 'text/csv';
}

async function* streamFile(
  pieces: AsyncIterable<Buffer>,
  firstLine: string,
  row: TObject,
  format: FileFormat,
): AsyncGenerator<Buffer> {
  if (format === 'text/csv') {
    yield Buffer.from(firstLine);
    yield* pieces;
    return;
  }
  const isArray = format === 'application/json';
  const readRow = rowReader(row);
  let isFirst = true;
  if (isArray) yield Buffer.from('[');
  for await (const rows of wholeRows(pieces)) {
    const objects: string[] = [];
    for (const cells of parseCsv(rows.toString('utf8'))) objects.push(JSON.stringify(readRow(cells)));
    const text = isArray ? `${isFirst ? '' : ','}\n${objects.join(',\n')}` : `${objects.join('\n')}\n`;
    if (objects.length > 0) yield Buffer.from(text);
    isFirst &&= objects.length === 0;
  }
  if (isArray) yield Buffer.from('\n]\n');
}

/** Regroups pieces that can end within a row, so that each ends with a complete row. Quoted cells can contain LF. */
export async function* wholeRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = lastRowEnd(bytes);
    if (end > 0) yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield rest;
}

/** The index after the last line feed outside quotes, or 0. */
function lastRowEnd(bytes: Buffer): number {
  let end = 0;
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote) isQuoted = !isQuoted;
    else if (bytes[at] === lineFeed && !isQuoted) end = at + 1;
  }
  return end;
}

const quote = 0x22;
const lineFeed = 0x0a;

/** Converts the cells of a CSV row to an object. */
export function rowReader(row: TObject): (cells: string[]) => Record<string, unknown> {
  const readers = Object.entries(row.properties).map(([name, schema]) => [name, cellReader(schema)] as const);
  return (cells) => Object.fromEntries(readers.map(([name, read], index) => [name, read(cells[index] ?? '')]));
}

/** An empty cell in a nullable column is read as null. */
function cellReader(schema: TSchema): (cell: string) => unknown {
  const types = new Set([(schema as { type?: string | string[] }).type].flat());
  const read = (cell: string) => {
    if (types.has('integer') || types.has('number')) return Number(cell);
    return types.has('boolean') ? cell === '1' : cell;
  };
  return types.has('null') ? (cell) => (cell === '' ? null : read(cell)) : read;
}
