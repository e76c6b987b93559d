import { addProgress, type PayloadOf, setTotal, writePart } from '../jobs/index.ts';
import { copyOut } from '../kernel/database/copy.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import type { exportJob } from './jobs.ts';
import { exportQuery } from './queries.ts';

const partBytes = 1024 * 1024;
const newline = 0x0a;
const quote = 0x22;

/** Streams a snapshot of the catalog over a second connection and stores it in parts. */
export async function runExport(
  tx: Tx,
  db: Database,
  chainId: string,
  { job_id: jobId, vendor_id: vendorId }: PayloadOf<typeof exportJob>,
): Promise<'done'> {
  let rows = 0;
  let partNo = 0;
  for await (const { bytes, lines } of wholeLines(catalogLines(db, chainId, vendorId), partBytes)) {
    rows += lines;
    await writePart(tx, chainId, jobId, partNo, bytes);
    partNo += 1;
  }
  await setTotal(tx, chainId, jobId, rows);
  addProgress(tx, chainId, jobId, { succeeded: rows, unchanged: 0, failed: 0 });
  return 'done';
}

/** A snapshot of the vendor's catalog as CSV lines, without the header. */
export function catalogLines(db: Database, chainId: string, vendorId: string): AsyncIterable<Buffer> {
  return copyOut(db, exportQuery(chainId, vendorId));
}

/**
 * Splits the source into parts of complete lines, each with at least `minBytes` except the last. A line can arrive in
 * pieces, and a SKU can contain a line break inside quotes. An empty export has one empty part.
 */
export async function* wholeLines(
  source: AsyncIterable<Buffer>,
  minBytes: number,
): AsyncGenerator<{ bytes: Buffer; lines: number }> {
  let pending: Buffer[] = [];
  let size = 0;
  let lines = 0;
  let isQuoted = false;
  for await (const chunk of source) {
    pending.push(chunk);
    size += chunk.length;
    for (let at = 0; at < chunk.length; at++) {
      if (chunk[at] === quote) isQuoted = !isQuoted;
      else if (chunk[at] === newline && !isQuoted) lines += 1;
    }
    if (size < minBytes || isQuoted || chunk.at(-1) !== newline) continue;
    yield { bytes: Buffer.concat(pending), lines };
    pending = [];
    size = 0;
    lines = 0;
  }
  yield { bytes: Buffer.concat(pending), lines };
}
