import { Readable } from 'node:stream';
import { writeXlsxStream } from 'hucre/xlsx';
import { saveStream } from '../jobs/downloads.ts';

/** Writes a sheet with the fields of the first row as the header. */
export async function saveXlsx(rows: AsyncIterable<object>, path: string): Promise<void> {
  const bytes = writeXlsxStream(sheetRows(rows), { name: 'Catalog' });
  await saveStream(Readable.fromWeb(bytes), path);
}

async function* sheetRows(rows: AsyncIterable<object>) {
  let names: string[] | undefined;
  for await (const row of rows) {
    if (!names) yield (names = Object.keys(row));
    const values = new Map<string, unknown>(Object.entries(row));
    yield names.map((name) => cellOf(values.get(name)));
  }
}

function cellOf(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
