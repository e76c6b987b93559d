import { parseCsv } from '@aisle/contract/csv';
import { rowReaders } from '../catalog/index.ts';
import {
  fileRowsKind,
  getChunk,
  type JobRow,
  listFailedChunks,
  listFailures,
  readPieces,
  wholeRows,
} from '../jobs/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { failedLines, failuresBySku, headLine, readFormat, type RejectedSku } from './rules/format.ts';
import { decodeRows } from './stored-rows.ts';

/** Yields the failed rows in file order, with their original cells and an additional column for the reason. */
export async function* streamFailedRows(
  db: Db,
  chainId: string,
  { job_id: jobId, type }: Pick<JobRow, 'job_id' | 'type'>,
  storedFormat: unknown,
): AsyncGenerator<Uint8Array> {
  const format = readFormat(storedFormat);
  const rejected = type === 'PROMOTION' ? await readRejections(db, chainId, jobId) : [];
  yield Buffer.from(headLine(format));
  const perWindow = type === 'CATALOG_UPDATE' ? rowReaders.chunksPerWindow : 1;
  const chunks = await listFailedChunks(db, chainId, jobId);
  for (const [first, together] of Map.groupBy(chunks, (chunk) => chunk - (chunk % perWindow))) {
    const rows = await decodeRows(await getChunk(db, chainId, jobId, fileRowsKind, first), format);
    const failures = await Promise.all(together.map((chunk) => listFailures(db, chainId, jobId, chunk)));
    const lines = failedLines(format, rows, [...failures.flat(), ...failuresBySku(format, rows, rejected)]);
    yield Buffer.from(lines.join(''));
  }
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
