import { maxFeedback } from '@aisle/contract/sizes';
import {
  addFeedback,
  addProgress,
  getChunk,
  type JobOf,
  type PayloadOf,
  recordFailures,
  writePart,
} from '../jobs/index.ts';
import { skipFlush, type Tx } from '../kernel/database/db.ts';
import { decompress } from '../kernel/bodies/chunk-compression.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import {
  canReturnOld,
  compareIncomingUpdates,
  createIncomingUpdates,
  fillIncomingUpdates,
  findIncomingRange,
  findIncomingSkus,
  type SkuRange,
} from './incoming-queries.ts';
import { fileWaitMs, type updateJob } from './jobs.ts';
import type { Diff } from './rules/diff.ts';
import { endPreview, previewChunk, storePreview } from './preview-update.ts';
import {
  countStates,
  fillStates,
  listStates,
  type PreparedLog,
  readPreparedLog,
  unknownFailure,
  unknownRows,
} from './rules/update-log.ts';
import { canWriteDifferences, writeDifferences, writeIncomingUpdates, type WriteTerms } from './update-queries.ts';

/**
 * How a bulk update is applied, from the request to the result file.
 *
 *   request   The body is parsed off the event loop (read-update.ts) into compressed chunks of COPY text. Errors in the
 *             document are reported immediately; errors in an item are written to its line in the log.
 *   accept    One transaction (accept-job.ts) locks the vendor's lane and inserts the job, chunks and tasks. The
 *             response is 202.
 *   slice     Each task run is one transaction (this file). The chunk is decompressed and streamed with COPY into a
 *             temporary table. One statement (update-queries.ts) updates the offers that differ; if it skips some, a
 *             second statement finds out why. If most items of the last chunk were unchanged, one statement compares
 *             all items first, and then updates only those that differ. The states are
 *             inserted into the prepared log (rules/update-log.ts), which is stored as a part of the file. The counts
 *             are added to the job, and the task moves on to its next chunk. All of this commits together, so a slice
 *             that is interrupted by a crash has no effect and can be repeated.
 *             In a preview, the second half of the slice is different: a statement compares the chunk with the
 *             catalog (preview-update.ts) instead of updating it.
 *   end       The last slice ends the job, deletes the chunks and records the event (end-job.ts).
 *
 * A large job runs as two tasks that share its chunks, so that the database works on one chunk while the next is being
 * prepared. Chunks have no SKUs in common, except chunks of a file: all rows for a SKU go to the same task, in file
 * order. The vendor's next job waits for both tasks, which are a batch in the queue. Tasks for other vendors and chains
 * can run between two slices. A slice holds its row locks only briefly, so a single update to the same SKU waits a few
 * milliseconds at most.
 *
 * Every slice except the last one commits without waiting for the WAL flush, so that a large job does not delay every
 * other commit. If the machine crashes, the queue still has the task in its earlier state.
 */
export async function applyUpdateSlice(
  tx: Tx,
  chainId: string,
  job: JobOf<typeof updateJob>,
  payload: UpdatePayload,
  isSharded: boolean,
): Promise<TaskResult<UpdatePayload>> {
  const result = await applyNextChunk(tx, chainId, job, payload, isSharded);
  if (result === 'done' && job.is_dry_run) await endPreview(tx, chainId, job, payload);
  return result;
}

async function applyNextChunk(
  tx: Tx,
  chainId: string,
  job: JobOf<typeof updateJob>,
  payload: UpdatePayload,
  isSharded: boolean,
): Promise<TaskResult<UpdatePayload>> {
  const { job_id: jobId, acceptance_no, details } = job;
  const { chunks, barcodes, is_open: isOpen = false } = details;
  const { vendor_id: vendorId, chunk, step, index = 0 } = payload;
  if (chunk >= chunks) return isOpen ? { again: payload, afterMs: fileWaitMs(details.vendors) } : 'done';
  const isLast = !isOpen && chunk + step >= chunks;
  if (!isLast) skipFlush(tx);

  const [stored, updates, returnsOld] = await Promise.all([
    getChunk(tx, chainId, jobId, 'log', chunk),
    getChunk(tx, chainId, jobId, 'updates', chunk),
    canReturnOld(tx),
    createIncomingUpdates(tx),
  ]);
  // The log is read while the database receives the items.
  const [prepared] = await Promise.all([
    decompress(stored).then((bytes) => readPreparedLog(bytes, vendorId)),
    decompress(updates).then((lines) => fillIncomingUpdates(tx, lines)),
  ]);
  const { head } = prepared;
  const terms = {
    jobId,
    acceptanceNo: acceptance_no,
    hasBarcodes: head.hasBarcodes ?? barcodes[chunk] ?? false,
    items: head.sound,
    isSharded,
    returnsOld,
  };
  const chunkNo = index * chunksPerVendor + chunk;
  let states = '';
  let diff = noDiff;
  if (head.sound > 0) {
    const range = head.range ? { low: head.range[0], high: head.range[1] } : await findIncomingRange(tx);
    if (job.is_dry_run) diff = await previewChunk(tx, chainId, vendorId, job, { range, ...terms });
    else states = await applyChunk(tx, chainId, payload, terms, range, prepared);
  }
  if (job.is_dry_run) states = diff.states;
  const isLogged = !job.is_dry_run || head.failed + head.superseded > 0 || states.includes('N');
  const log = isLogged ? fillStates(prepared, states) : noLog;
  if (job.is_dry_run) await storePreview(tx, chainId, job, { chunkNo, vendorId, diff, log, ...terms });
  else await writePart(tx, chainId, jobId, chunkNo, log);
  const rows = unknownRows(prepared, states, maxFeedback);
  const unknown = rows.length > 0 ? await findIncomingSkus(tx, rows) : [];
  const failures = [...head.failures, ...unknown.map(unknownFailure)].toSorted((a, b) => a.row_no - b.row_no);
  const feedback = failures.map((failure) => ({
    status: 'FAILED' as const,
    vendor_id: vendorId,
    code: null,
    ...failure,
  }));
  await addFeedback(tx, chainId, jobId, feedback);
  const counts = countStates(states, head);
  if (counts.failed > 0) await recordFailures(tx, chainId, job, { chunk, vendorId, log: log.toString('utf8') });
  addProgress(tx, chainId, jobId, counts);
  const isMostlyUnchanged = counts.unchanged > head.sound / 2;
  return isLast ? 'done' : { again: { ...payload, chunk: chunk + step, mostly_unchanged: isMostlyUnchanged } };
}

/** Each vendor has its own range of numbers, so that the file is sorted by vendor. */
const chunksPerVendor = 10_000_000;

const noLog = Buffer.alloc(0);
const noDiff: Diff = { text: '', states: '', stockChanges: 0, emptied: 0 };

type UpdatePayload = PayloadOf<typeof updateJob>;

/** Returns the states of the valid items, one letter each, in log order. */
async function applyChunk(
  tx: Tx,
  chainId: string,
  { vendor_id: vendorId, mostly_unchanged: isMostlyUnchanged }: UpdatePayload,
  terms: WriteTerms,
  range: SkuRange,
  prepared: PreparedLog,
): Promise<string> {
  const compare = () => compareIncomingUpdates(tx, chainId, vendorId, terms.acceptanceNo, range);
  if (isMostlyUnchanged && canWriteDifferences(terms)) {
    const { rows, changed, ...compared } = await writeDifferences(tx, chainId, vendorId, terms, range);
    if (rows === null) return 'U'.repeat(terms.items);
    return listStates(prepared, { ...(changed === rows.length ? compared : await compare()), written: rows });
  }
  const { rows } = await writeIncomingUpdates(tx, chainId, vendorId, terms, range);
  if (rows === null) return 'U'.repeat(terms.items);
  return listStates(prepared, { ...(await compare()), written: rows });
}
