import { parseCsv } from '@aisle/contract/csv';
import type { Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { readParts } from './files.ts';
import type { JobRow } from './queries.ts';

type FileForm = 'text/csv' | 'application/json' | 'application/x-ndjson';

/** The file of a job in the form the caller accepts, or why there is none. */
export function fileResponse(
  db: Db,
  chainId: string,
  job: JobRow,
  columns: readonly string[],
  accept: string | undefined,
) {
  if (job.file_expires_at === null) throw new Failure('file_not_found');
  if (job.file_expires_at.getTime() <= Date.now()) throw new Failure('download_expired');
  const form = chooseForm(accept);
  const name = `${job.type.toLowerCase()}-${job.job_id}.${extensions[form]}`;
  return {
    status: 200 as const,
    stream: streamFile(db, chainId, job.job_id, columns, form),
    headers: {
      'content-type': `${form}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    },
  };
}

const extensions = { 'text/csv': 'csv', 'application/json': 'json', 'application/x-ndjson': 'ndjson' };

/** The first form the caller accepts that we have; CSV if it does not say. */
function chooseForm(accept: string | undefined): FileForm {
  const wanted = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  const known: FileForm[] = ['text/csv', 'application/json', 'application/x-ndjson'];
  return known.find((form) => form === wanted.find((one) => known.includes(one as FileForm))) ?? 'text/csv';
}

/** The file in the form asked for, part by part. */
async function* streamFile(
  db: Db,
  chainId: string,
  jobId: string,
  columns: readonly string[],
  form: FileForm,
): AsyncGenerator<Buffer> {
  if (form === 'text/csv') {
    yield Buffer.from(`${columns.join(',')}\n`);
    yield* readParts(db, chainId, jobId);
    return;
  }
  const isArray = form === 'application/json';
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
