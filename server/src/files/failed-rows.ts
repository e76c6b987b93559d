import { fileRowsKind, getChunk, listFailedChunks, listFailures } from '../jobs/index.ts';
import { decompress } from '../kernel/bodies/chunk-compression.ts';
import type { Db } from '../kernel/database/db.ts';
import { failedLines, type Format, headLine, readFormat, type StoredRow } from './rules/format.ts';

/**
 * Yields the rows that failed, with their original cells, and a column with the reason. Chunks that were read together
 * are merged, so that the rows are in the order of the file.
 */
export async function* streamFailedRows(
  db: Db,
  chainId: string,
  jobId: string,
  storedFormat: unknown,
): AsyncGenerator<Uint8Array> {
  const format = readFormat(storedFormat);
  yield Buffer.from(headLine(format));
  const chunks = await listFailedChunks(db, chainId, jobId);
  const windows = Map.groupBy(chunks, (chunk) => Math.floor(chunk / 2));
  for (const together of windows.values()) {
    const lines = await Promise.all(together.map((chunk) => linesOf(db, chainId, jobId, chunk, format)));
    const sorted = lines.flat().toSorted((a, b) => a.line - b.line);
    yield Buffer.from(sorted.map(({ text }) => text).join(''));
  }
}

async function linesOf(db: Db, chainId: string, jobId: string, chunk: number, format: Format) {
  const stored = await decompress(await getChunk(db, chainId, jobId, fileRowsKind, chunk));
  const rows = JSON.parse(stored.toString('utf8')) as StoredRow[];
  return failedLines(format, rows, await listFailures(db, chainId, jobId, chunk));
}
