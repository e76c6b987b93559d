import { parseCsv } from '@aisle/contract/csv';
import {
  fileRowsKind,
  getChunk,
  type JobRow,
  listFailedChunks,
  listFailures,
  readPieces,
  wholeRows,
} from '../jobs/index.ts';
import { decompress } from '../kernel/bodies/chunk-compression.ts';
import type { Db } from '../kernel/database/db.ts';
import {
  failedLines,
  failuresBySku,
  type Format,
  headLine,
  readFormat,
  type RejectedSku,
  type StoredRow,
} from './rules/format.ts';

/**
 * Yields the failed rows with their original cells and an additional column for the reason. Chunks that were read
 * together are merged, so that the rows are in file order.
 */
export async function* streamFailedRows(
  db: Db,
  chainId: string,
  { job_id: jobId, type }: Pick<JobRow, 'job_id' | 'type'>,
  storedFormat: unknown,
): AsyncGenerator<Uint8Array> {
  const format = readFormat(storedFormat);
  const rejected = type === 'PROMOTION' ? await readRejections(db, chainId, jobId) : [];
  yield Buffer.from(headLine(format));
  const chunks = await listFailedChunks(db, chainId, jobId);
  const windows = Map.groupBy(chunks, (chunk) => Math.floor(chunk / 2));
  for (const together of windows.values()) {
    const lines = await Promise.all(together.map((chunk) => linesOf(db, chainId, jobId, chunk, format, rejected)));
    const sorted = lines.flat().toSorted((a, b) => a.line - b.line);
    yield Buffer.from(sorted.map(({ text }) => text).join(''));
  }
}

async function linesOf(db: Db, chainId: string, jobId: string, chunk: number, format: Format, rejected: RejectedSku[]) {
  const stored = await decompress(await getChunk(db, chainId, jobId, fileRowsKind, chunk));
  const rows = JSON.parse(stored.toString('utf8')) as StoredRow[];
  const failures = await listFailures(db, chainId, jobId, chunk);
  return failedLines(format, rows, [...failures, ...failuresBySku(format, rows, rejected)]);
}

/** The SKUs that a store rejected. The result file of a promotion has no line numbers, only vendors and SKUs. */
async function readRejections(db: Db, chainId: string, jobId: string): Promise<RejectedSku[]> {
  const found: RejectedSku[] = [];
  for await (const piece of wholeRows(readPieces(db, chainId, jobId))) {
    for (const [vendorId = '', sku = '', code, reason = ''] of parseCsv(piece.toString('utf8'))) {
      if (vendorId !== '' && code !== 'not_in_promotion') found.push({ vendorId, sku, reason });
    }
  }
  return found;
}
