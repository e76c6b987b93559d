import type { Db } from '../kernel/db.ts';
import { parseCsv } from '../kernel/csv.ts';
import { readParts } from './files.ts';

export type FileForm = 'text/csv' | 'application/json' | 'application/x-ndjson';

/** The first form the caller accepts that we have; CSV if it does not say. */
export function chooseForm(accept: string | undefined): FileForm {
  const wanted = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  const known: FileForm[] = ['text/csv', 'application/json', 'application/x-ndjson'];
  return known.find((form) => form === wanted.find((one) => known.includes(one as FileForm))) ?? 'text/csv';
}

/** The file in the form asked for, part by part. */
export async function* streamFile(
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
