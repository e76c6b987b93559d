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
import { createChainLimit } from './chain-limit.ts';
import { failedLine, headLine, readFormat, skuFinder, type StoredRow, unknownFormat } from './rules/format.ts';
import { copyOf, createReasons } from './reasons.ts';
import { decodeRows } from './stored-rows.ts';

/**
 * Yields the failed rows in file order, with their original cells and an additional column for the reason. If part of
 * the file could not be read, the last row has only that reason. In between, empty pieces are yielded, so that reading
 * stops soon after the client has left. `storedFormat` is null if not even the names of the columns could be read.
 */
export async function* streamFailedRows(
  db: Db,
  chainId: string,
  { job_id: jobId, type, error, error_code: code }: Pick<JobRow, 'job_id' | 'type' | 'error' | 'error_code'>,
  storedFormat: unknown,
): AsyncGenerator<Uint8Array> {
  const leave = downloads.enter(chainId);
  try {
    const format = storedFormat === null ? unknownFormat : readFormat(storedFormat);
    const perGroup = type === 'CATALOG_UPDATE' ? rowReaders.chunksPerWindow : 1;
    const chunks = await listFailedChunks(db, chainId, jobId);
    const groups = Map.groupBy(chunks, (chunk) => chunk - (chunk % perGroup));
    const readRows = async (first: number) =>
      decodeRows(await getChunk(db, chainId, jobId, fileRowsKind, first), format);
    yield Buffer.from(headLine(format));
    const rejections = createRejections(skuFinder(format));
    if (type === 'PROMOTION') yield* rejections.read(db, chainId, jobId, groups.keys(), readRows);
    for (const [first, together] of groups) {
      const reasons = createReasons<number>();
      for (const chunk of together) {
        for await (const failures of readFailures(db, chainId, jobId, chunk)) {
          for (const { line, reason, vendorId } of failures) reasons.add(line, reason, vendorId);
          yield nothing;
        }
      }
      for await (const rows of await readRows(first)) {
        const lines = rows.map((row) => {
          const found = [reasons.find(row[0]), rejections.find(row)].filter((text) => text !== undefined);
          return found.length === 0 ? '' : failedLine(format, row[1], found.join(' '));
        });
        yield Buffer.from(lines.join(''));
      }
    }
    if (code === 'unreadable_file' && error !== null) yield Buffer.from(failedLine(format, [], error));
  } finally {
    leave();
  }
}

const nothing = Buffer.alloc(0);

/** Each of them uses memory for the reasons. */
const downloads = createChainLimit(2, 'is downloading failed rows');

type RowBatches = ReturnType<typeof decodeRows>;

/** Why stores rejected SKUs. The result file of a promotion has no line numbers, only vendors and SKUs. */
function createRejections(skuOf: (cells: string[]) => string) {
  const reasons = createReasons<string>();
  /** If a SKU is repeated, its last row was applied. */
  const lastLines = new Map<string, number>();
  return {
    async *read(
      db: Db,
      chainId: string,
      jobId: string,
      groups: Iterable<number>,
      readRows: (first: number) => Promise<RowBatches>,
    ): AsyncGenerator<Uint8Array> {
      for await (const piece of wholeRows(readPieces(db, chainId, jobId))) {
        for (const [vendorId = '', sku = '', code, reason = ''] of parseCsv(piece.toString('utf8'))) {
          if (vendorId !== '' && code !== 'not_in_promotion') reasons.add(sku, reason, vendorId);
        }
        yield nothing;
      }
      if (reasons.isEmpty()) return;
      for (const first of groups) {
        for await (const rows of await readRows(first)) {
          for (const [line, cells] of rows) if (reasons.has(skuOf(cells))) lastLines.set(copyOf(skuOf(cells)), line);
          yield nothing;
        }
      }
    },
    find([line, cells]: StoredRow): string | undefined {
      if (reasons.isEmpty()) return undefined;
      const sku = skuOf(cells);
      return lastLines.get(sku) === line ? reasons.find(sku) : undefined;
    },
  };
}
