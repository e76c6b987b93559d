import { maxFeedback } from '@aisle/contract/sizes';
import { addFeedback, addProgress, getChunk, type JobOf, type PayloadOf, writePart } from '../jobs/index.ts';
import { skipFlush, type Tx } from '../kernel/database/db.ts';
import { decompress } from '../kernel/bodies/compress.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import type { updateJob } from './jobs.ts';
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
 *             with the document as a whole is reported at once; what is wrong with an item is noted in its line of the log.
 *   accept    One transaction (accept-job.ts): the vendor's lane is locked; job, chunks and tasks are written. 202.
 *   slice     One task run, one transaction (here): a chunk is decompressed and streamed by COPY, unchanged, into a
 *             temporary table; one statement (update-queries.ts) writes the offers that differ; a second one, needed only
 *             where not all did, says why. The states are filled into the prepared log (rules/update-log.ts), which is
 *             stored as a part of the file, the counts added to the job, the task set to its next chunk. All of it
 *             commits together, so a crash at any moment repeats at most a slice that had no effect.
 *   end       The last slice ends the job, deletes the chunks and records the event (end-job.ts).
 *
 * A large job runs as two tasks that share its chunks, so that the database works on one chunk while the next is being
 * prepared; its chunks have no SKU in common. The next job of the vendor waits for both (a batch of the queue). Between
 * two slices other vendors and chains get their turn. The row locks of a slice last as long as its statement, so a
 * single update of the same SKU waits for milliseconds at most.
 *
 * Slices other than the last commit without waiting for the disk: if the machine dies, the queue still holds the task as
 * it was before them. That keeps a large job from making every other commit wait for its log to be flushed.
 */
export async function applyUpdateSlice(
  tx: Tx,
  chainId: string,
  { job_id: jobId, acceptance_no, details: { chunks, barcodes } }: JobOf<typeof updateJob>,
  payload: UpdatePayload,
): Promise<TaskResult<UpdatePayload>> {
  const { vendor_id: vendorId, chunk, step } = payload;
  const isLast = chunk + step >= chunks;
  if (!isLast) await skipFlush(tx);

  const { head, pieces } = readPreparedLog(await decompress(await getChunk(tx, chainId, jobId, 'log', chunk)));
  const terms = { acceptanceNo: acceptance_no, hasBarcodes: barcodes[chunk] ?? false, items: head.sound };
  const states = head.sound > 0 ? await applyChunk(tx, chainId, payload, terms, pieces) : '';
  await writePart(tx, chainId, jobId, chunk, fillStates(pieces, states));
  const rows = unknownRows(pieces, states, maxFeedback);
  const unknown = rows.length > 0 ? await findIncomingSkus(tx, rows) : [];
  const failures = [...head.failures, ...unknown.map(unknownFailure)].toSorted((a, b) => a.row_no - b.row_no);
  const feedback = failures.map((failure) => ({ status: 'FAILED' as const, vendor_id: vendorId, ...failure }));
  await addFeedback(tx, chainId, jobId, feedback);
  await addProgress(tx, chainId, jobId, countStates(states, head));
  return isLast ? 'done' : { again: { ...payload, chunk: chunk + step } };
}

type UpdatePayload = PayloadOf<typeof updateJob>;

/** The states of the valid items, a letter each, in the order of the log. */
async function applyChunk(
  tx: Tx,
  chainId: string,
  { job_id: jobId, vendor_id: vendorId, chunk }: UpdatePayload,
  terms: WriteTerms,
  pieces: string[],
): Promise<string> {
  await fillIncomingUpdates(tx, await decompress(await getChunk(tx, chainId, jobId, 'updates', chunk)));
  const range = await findIncomingRange(tx);
  const written = await writeIncomingUpdates(tx, chainId, vendorId, terms, range);
  if (written.count === terms.items) return 'U'.repeat(terms.items);
  const found = await readIncomingStates(tx, chainId, vendorId, terms.acceptanceNo, range);
  return mergeStates(found, pieces, new Set(written.rows));
}
