import { addProgress, setTotal, writePart } from '../jobs/index.ts';
import { copyOut } from '../kernel/copy.ts';
import type { Database, Tx } from '../kernel/db.ts';
import type { Task } from '../kernel/queue.ts';
import { exportQuery } from './queries.ts';

const partBytes = 1024 * 1024;
const newline = 0x0a;

/** Streams one snapshot of the assortment over a second connection, and stores it part by part. */
export async function runExport(tx: Tx, db: Database, task: Task): Promise<void> {
  const { job_id, vendor_id } = task.payload as { job_id: string; vendor_id: string };
  let rows = 0;
  let partNo = 0;
  for await (const part of wholeLines(copyOut(db, exportQuery(task.chain_id, vendor_id)))) {
    rows += countLines(part);
    await writePart(tx, task.chain_id, job_id, partNo, part);
    partNo += 1;
  }
  await setTotal(tx, task.chain_id, job_id, rows);
  await addProgress(tx, task.chain_id, job_id, { succeeded: rows, unchanged: 0, failed: 0 });
}

/** PostgreSQL sends a row at a time, so a part of whole messages has whole lines. An empty export has one empty part. */
async function* wholeLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    pending.push(chunk);
    size += chunk.length;
    if (size < partBytes || chunk.at(-1) !== newline) continue;
    yield Buffer.concat(pending);
    pending = [];
    size = 0;
  }
  yield Buffer.concat(pending);
}

/** A SKU may hold a line break, but then inside quotes. */
function countLines(part: Buffer): number {
  let lines = 0;
  let isQuoted = false;
  for (const byte of part) {
    if (byte === 0x22) isQuoted = !isQuoted;
    else if (byte === newline && !isQuoted) lines += 1;
  }
  return lines;
}
