import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { addFeedback, addProgress, findChunk, getJob, writePart } from '../jobs/index.ts';
import type { Tx } from '../kernel/db.ts';
import type { Task } from '../kernel/queue.ts';
import { applyIncomingUpdates, fillIncomingUpdates } from './update-queries.ts';

/**
 * The bulk update, from the request to the last line of its log.
 *
 *   request   The body is read off the event loop (read-update.ts) into chunks of COPY text, compressed. What is wrong
 *             with the document as a whole is answered at once; what is wrong with an item is noted in its line.
 *   accept    One transaction (accept-job.ts): the vendor's lane is locked, job, chunks and task are written. 202.
 *   slice     One task run, one transaction (here): a chunk is unpacked and streamed by COPY, untouched, into a
 *             temporary table; one statement (update-queries.ts) writes the offers that differ and returns the counts,
 *             the first failures and the finished lines of the log; the lines are compressed and stored as a part of the
 *             file, the counts added to the job, the task set to the next chunk. All of it commits together, so a
 *             crash at any moment repeats at most a slice that had no effect.
 *   end       The last slice ends the job, drops the payload and records the event (end-job.ts).
 *
 * No row is ever touched by JavaScript between the request's JSON and the log: the database does the work, the
 * process moves bytes. Between two slices other vendors and chains have their turn. The row locks of a slice last as
 * long as its statement, so a single update of the same SKU waits for a blink at most.
 *
 * Slices other than the last commit without waiting for the disk: if the machine dies, the queue still holds the task as
 * it was before them. That keeps a large job from making every other commit wait for its log to be flushed.
 */
const unpack = promisify(zstdDecompress);

export async function applyUpdateSlice(
  tx: Tx,
  task: Task,
  mostFeedback: number,
): Promise<'finished' | { again: Record<string, unknown> }> {
  const { job_id, vendor_id, chunk } = task.payload as { job_id: string; vendor_id: string; chunk: number };
  const job = await getJob(tx, task.chain_id, job_id);
  const { chunks, barcodes } = job.details as { chunks: number; barcodes: boolean[] };
  const isLast = chunk + 1 >= chunks;
  if (!isLast) await tx.client.query('set local synchronous_commit = off');

  await fillIncomingUpdates(tx, await unpack(await findChunk(tx, task.chain_id, job_id, 'updates', chunk)));
  const outcome = await applyIncomingUpdates(tx, task.chain_id, vendor_id, {
    acceptanceNo: job.acceptance_no,
    hasBarcodes: barcodes[chunk] ?? false,
    mostFeedback,
  });
  await writePart(tx, task.chain_id, job_id, chunk, outcome.log);
  await addFeedback(tx, task.chain_id, job_id, outcome.feedback, mostFeedback);
  await addProgress(tx, task.chain_id, job_id, outcome);
  return isLast ? 'finished' : { again: { ...task.payload, chunk: chunk + 1 } };
}
