import { parseCsv } from '@aisle/contract/csv';
import type { Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { readParts } from './files.ts';
import type { JobRow } from './queries.ts';

type FileFormat = 'text/csv' | 'application/json' | 'application/x-ndjson';

/** The file of a job in the format that the client accepts; throws if the file does not exist or has expired. */
export function fileResponse(
  db: Db,
  chainId: string,
  job: JobRow,
  columns: readonly string[],
  accept: string | undefined,
) {
  if (job.file_expires_at === null) throw new Failure('file_not_found');
  if (job.file_expires_at.getTime() <= Date.now()) throw new Failure('download_expired');
  const format = chooseFormat(accept);
  const name = `${job.type.toLowerCase()}-${job.job_id}.${extensions[format]}`;
  return {
    status: 200 as const,
    stream: streamFile(db, chainId, job.job_id, columns, format),
    headers: {
      'content-type': `${format}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    },
  };
}

const extensions = { 'text/csv': 'csv', 'application/json': 'json', 'application/x-ndjson': 'ndjson' };

/** The first supported format in the Accept header, CSV by default. */
function chooseFormat(accept: string | undefined): FileFormat {
  const accepted = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  const known: FileFormat[] = ['text/csv', 'application/json', 'application/x-ndjson'];
  return known.find((format) => format === accepted.find((type) => known.includes(type as FileFormat))) ?? 'text/csv';
}

async function* streamFile(
  db: Db,
  chainId: string,
  jobId: string,
  columns: readonly string[],
  format: FileFormat,
): AsyncGenerator<Buffer> {
  if (format === 'text/csv') {
    yield Buffer.from(`${columns.join(',')}\n`);
    yield* readParts(db, chainId, jobId);
    return;
  }
  const isArray = format === 'application/json';
  let isFirst = true;
  if (isArray) yield Buffer.from('[');
  for await (const part of readParts(db, chainId, jobId)) {
    const objects: string[] = [];
    for (const row of parseCsv(part.toString('utf8'))) objects.push(JSON.stringify(objectOf(columns, row)));
    const text = isArray ? `${isFirst ? '' : ','}\n${objects.join(',\n')}` : `${objects.join('\n')}\n`;
    if (objects.length > 0) yield Buffer.from(text);
    isFirst &&= objects.length === 0;
  }
  if (isArray) yield Buffer.from('\n]\n');
}

function objectOf(columns: readonly string[], row: string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column, index) => [column, row[index] ?? '']));
}
