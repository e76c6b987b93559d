import { parseCsv } from '@aisle/contract/csv';
import { rowReaders } from '../catalog/index.ts';
import {
  fileRowsKind,
  getChunk,
  type JobRow,
  listFailedChunks,
  readFailures,
  readPieces,
  wholeRows,
} from '../jobs/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { failedLine, type Format, headLine, readFormat, skuFinder } from './rules/format.ts';
import { createReasons, type Reasons } from './rules/reasons.ts';
import { decodeRows } from './stored-rows.ts';

/** Yields the failed rows in file order, with their original cells and an additional column for the reason. */
export async function* streamFailedRows(
  db: Db,
  chainId: string,
  { job_id: jobId, type }: Pick<JobRow, 'job_id' | 'type'>,
  storedFormat: unknown,
): AsyncGenerator<Uint8Array> {
  const format = readFormat(storedFormat);
  yield Buffer.from(headLine(format));
  const perGroup = type === 'CATALOG_UPDATE' ? rowReaders.chunksPerWindow : 1;
  const chunks = await listFailedChunks(db, chainId, jobId);
  const groups = Map.groupBy(chunks, (chunk) => chunk - (chunk % perGroup));
  const readRows = async (first: number) => decodeRows(await getChunk(db, chainId, jobId, fileRowsKind, first), format);
  const rejected = type === 'PROMOTION' ? await readRejections(db, chainId, jobId) : createReasons<string>();
  const lastLines = rejected.isEmpty()
    ? new Map()
    : await findLastLines(format, rejected, [...groups.keys()], readRows);
  const skuOf = skuFinder(format);
  for (const [first, together] of groups) {
    const reasons = createReasons<number>();
    for (const chunk of together) {
      for await (const failures of readFailures(db, chainId, jobId, chunk)) {
        for (const { line, reason, vendorId } of failures) reasons.add(line, reason, vendorId);
      }
    }
    for await (const rows of await readRows(first)) {
      const lines = rows.map(([line, cells]) => {
        const sku = skuOf(cells);
        const found = lastLines.get(sku) === line ? rejected.find(sku) : undefined;
        const reason = [reasons.find(line), found].filter((text) => text !== undefined).join(' ');
        return reason === '' ? '' : failedLine(format, cells, reason);
      });
      yield Buffer.from(lines.join(''));
    }
  }
}

/** Why stores rejected SKUs. The result file of a promotion has no line numbers, only vendors and SKUs. */
async function readRejections(db: Db, chainId: string, jobId: string): Promise<Reasons<string>> {
  const rejected = createReasons<string>();
  for await (const piece of wholeRows(readPieces(db, chainId, jobId))) {
    for (const [vendorId = '', sku = '', code, reason = ''] of parseCsv(piece.toString('utf8'))) {
      if (vendorId !== '' && code !== 'not_in_promotion') rejected.add(sku, reason, vendorId);
    }
  }
  return rejected;
}

/** If a SKU is repeated, its last row was applied. */
async function findLastLines(
  format: Format,
  rejected: Reasons<string>,
  groups: number[],
  readRows: (first: number) => Promise<ReturnType<typeof decodeRows>>,
): Promise<Map<string, number>> {
  const skuOf = skuFinder(format);
  const lines = new Map<string, number>();
  if (rejected.isEmpty()) return lines;
  for (const first of groups) {
    for await (const rows of await readRows(first)) {
      for (const [line, cells] of rows) if (rejected.has(skuOf(cells))) lines.set(skuOf(cells), line);
    }
  }
  return lines;
}
