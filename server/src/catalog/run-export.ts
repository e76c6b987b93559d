import { addProgress, setTotal, writePart } from '../jobs/index.ts';
import { copyOut } from '../kernel/database/copy.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import type { Task } from '../kernel/background/queue.ts';
import { exportQuery } from './queries.ts';

const partBytes = 1024 * 1024;
const newline = 0x0a;
const quote = 0x22;

/** Streams one snapshot of the assortment over a second connection, and stores it part by part. */
export async function runExport(tx: Tx, db: Database, task: Task): Promise<void> {
  const { job_id, vendor_id } = task.payload as { job_id: string; vendor_id: string };
  let rows = 0;
  let partNo = 0;
  for await (const { bytes, lines } of wholeLines(copyOut(db, exportQuery(task.chain_id, vendor_id)), partBytes)) {
    rows += lines;
    await writePart(tx, task.chain_id, job_id, partNo, bytes);
    partNo += 1;
  }
  await setTotal(tx, task.chain_id, job_id, rows);
  await addProgress(tx, task.chain_id, job_id, { succeeded: rows, unchanged: 0, failed: 0 });
}

/**
 * Parts of whole lines, each of at least so many bytes but the last. A line may arrive in pieces, and a SKU may hold a
 * line break, but then inside quotes. An empty export has one empty part.
 */
export async function* wholeLines(
  source: AsyncIterable<Buffer>,
  least: number,
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
    if (size < least || isQuoted || chunk.at(-1) !== newline) continue;
    yield { bytes: Buffer.concat(pending), lines };
    pending = [];
    size = 0;
    lines = 0;
  }
  yield { bytes: Buffer.concat(pending), lines };
}
