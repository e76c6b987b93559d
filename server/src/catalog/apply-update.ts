import { addFeedback, addProgress, getChunk, getJob, writePart } from '../jobs/index.ts';
import { skipFlush, type Tx } from '../kernel/database/db.ts';
import { decompress } from '../kernel/bodies/compress.ts';
import type { Task } from '../kernel/background/queue.ts';
import {
  countStates,
  fillStates,
  mergeStates,
  readPreparedLog,
  unknownFailure,
  unknownRows,
} from './rules/update-log.ts';
import {
  fillIncomingUpdates,
  findIncomingRange,
  findIncomingSkus,
  readIncomingStates,
  type WriteTerms,
  writeIncomingUpdates,
} from './update-queries.ts';

/**
 * The bulk update, from the request to the last line of its log.
 *
 *   request   The body is read off the event loop (read-update.ts) into chunks of COPY text, compressed. What is wrong
 *             with the document as a whole is answered at once; what is wrong with an item is noted in its line.
 *   accept    One transaction (accept-job.ts): the vendor's lane is locked, job, chunks and task are written. 202.
 *   slice     One task run, one transaction (here): a chunk is unpacked and streamed by COPY, untouched, into a
 *             temporary table; one statement (update-queries.ts) writes the offers that differ; a second one, needed only
 *             where not all did, says why. The states are filled into the prepared log (rules/update-log.ts), which is
 *             stored as a part of the file, the counts added to the job, the task set to its next chunk. All of it
 *             commits together, so a crash at any moment repeats at most a slice that had no effect.
 *   end       The last slice ends the job, drops the payload and records the event (end-job.ts).
 *
 * A large job runs as two tasks that share its chunks, so that one is at work in the database while the other is being
 * prepared; its chunks have no SKU in common. The next job of the vendor waits for both (a batch of the queue). Between
 * two slices other vendors and chains have their turn. The row locks of a slice last as long as its statement, so a
 * single update of the same SKU waits for a blink at most.
 *
 * Slices other than the last commit without waiting for the disk: if the machine dies, the queue still holds the task as
 * it was before them. That keeps a large job from making every other commit wait for its log to be flushed.
 */
export type UpdateTask = { job_id: string; vendor_id: string; chunk: number; step: number };

export async function applyUpdateSlice(
  tx: Tx,
  task: Task,
  maxFeedback: number,
): Promise<'finished' | { again: Record<string, unknown> }> {
  const { chain_id: chainId } = task;
  const { job_id: jobId, vendor_id: vendorId, chunk, step } = task.payload as UpdateTask;
  const job = await getJob(tx, chainId, jobId);
  const { chunks, barcodes } = job.details as { chunks: number; barcodes: boolean[] };
  const isLast = chunk + step >= chunks;
  if (!isLast) await skipFlush(tx);

  const { head, pieces } = readPreparedLog(await decompress(await getChunk(tx, chainId, jobId, 'log', chunk)));
  const terms = { acceptanceNo: job.acceptance_no, hasBarcodes: barcodes[chunk] ?? false, items: head.sound };
  const states = head.sound > 0 ? await applyChunk(tx, task, terms, pieces) : '';
  await writePart(tx, chainId, jobId, chunk, fillStates(pieces, states));
  const rows = unknownRows(pieces, states, maxFeedback);
  const unknown = rows.length > 0 ? await findIncomingSkus(tx, rows) : [];
  const failures = [...head.failures, ...unknown.map(unknownFailure)].toSorted((a, b) => a.row_no - b.row_no);
  const feedback = failures.map((failure) => ({ status: 'FAILED' as const, vendor_id: vendorId, ...failure }));
  await addFeedback(tx, chainId, jobId, feedback, maxFeedback);
  await addProgress(tx, chainId, jobId, countStates(states, head));
  return isLast ? 'finished' : { again: { ...task.payload, chunk: chunk + step } };
}

/** The states of the sound items, a letter each, in the order of the log. */
async function applyChunk(tx: Tx, task: Task, terms: WriteTerms, pieces: string[]): Promise<string> {
  const { job_id: jobId, vendor_id: vendorId, chunk } = task.payload as UpdateTask;
  await fillIncomingUpdates(tx, await decompress(await getChunk(tx, task.chain_id, jobId, 'updates', chunk)));
  const range = await findIncomingRange(tx);
  const written = await writeIncomingUpdates(tx, task.chain_id, vendorId, terms, range);
  if (written.count === terms.items) return 'U'.repeat(terms.items);
  const found = await readIncomingStates(tx, task.chain_id, vendorId, terms.acceptanceNo, range);
  return mergeStates(found, pieces, new Set(written.rows));
}
