import { addFeedback, addProgress, getChunk, type JobOf, type PayloadOf, writePart } from '../jobs/index.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import { decompress } from '../kernel/bodies/chunk-compression.ts';
import { skipFlush, type Tx } from '../kernel/database/db.ts';
import type { revertJob } from './jobs.ts';
import {
  fillRevertedBarcodes,
  fillRevertedOffers,
  fillReverting,
  findChangeBefore,
  type JobChange,
  type RevertRow,
} from './revert-queries.ts';
import { countOutcomes, type Outcome, outcomeOf, requiresAllVendors, writeRevertLog } from './rules/revert-log.ts';
import { createIncomingUpdates, findIncomingRange, writeIncomingUpdates } from './update-queries.ts';

type RevertJob = JobOf<typeof revertJob>;
type RevertPayload = PayloadOf<typeof revertJob>;

/**
 * How a job is reverted. Every slice of an update has recorded the old and new values of the rows that it changed
 * (`job_changes`, written by writeIncomingUpdates). A revert goes through these changes from the last to the first, one
 * per slice. It locks the offers, decides which values have not changed since (revert-queries.ts), and writes their old
 * values with the same statement as an update. So the revert records its own changes too, and can be reverted. A slice
 * commits together with its position in the task, so a revert that is interrupted by a crash continues where it was.
 */
export async function revertSlice(
  tx: Tx,
  chainId: string,
  job: RevertJob,
  payload: RevertPayload,
): Promise<TaskResult<RevertPayload>> {
  const { vendor_id: vendorId, index, part, rows, before } = payload;
  const { reverts: revertedId } = job.details;
  const change = await findChangeBefore(tx, chainId, vendorId, revertedId, before);
  if (!change) return 'done';
  await skipFlush(tx);
  const skus = await findSkus(tx, chainId, job);
  const terms = { jobId: revertedId, changeNo: change.change_no, skus, rowsBefore: rows };
  await fillReverting(tx, chainId, vendorId, terms);
  const outcomes = await revertChange(tx, chainId, vendorId, job, change);
  const log = writeRevertLog(outcomes, job.vendor_id === null ? vendorId : undefined);
  await writePart(tx, chainId, job.job_id, index * partsPerVendor + part, log);
  await addFeedback(
    tx,
    chainId,
    job.job_id,
    outcomes.flatMap((outcome) => feedbackOf(outcome, vendorId)),
  );
  await addProgress(tx, chainId, job.job_id, countOutcomes(outcomes));
  return { again: { ...payload, part: part + 1, rows: rows + outcomes.length, before: change.change_no } };
}

/** Each vendor has its own range of part numbers, so that the file is sorted by vendor. */
const partsPerVendor = 10_000_000;

async function findSkus(tx: Tx, chainId: string, job: RevertJob): Promise<string[] | undefined> {
  if (!job.details.has_skus) return undefined;
  return JSON.parse((await decompress(await getChunk(tx, chainId, job.job_id, 'skus', 0))).toString('utf8'));
}

async function revertChange(
  tx: Tx,
  chainId: string,
  vendorId: string,
  job: RevertJob,
  { change_no: changeNo, has_barcodes: hasBarcodes }: JobChange,
): Promise<Outcome[]> {
  await createIncomingUpdates(tx);
  const check = { jobId: job.job_id, revertedId: job.details.reverts, changeNo };
  const fill = hasBarcodes ? fillRevertedBarcodes : fillRevertedOffers;
  const rows = await fill(tx, chainId, vendorId, check);
  if (hasBarcodes && job.details.is_limited) return rows.map(requiresAllVendors);
  const items = rows.filter(({ is_filled }) => is_filled).length;
  if (items === 0) return rows.map((row) => outcomeOf(row, false));
  const terms = { jobId: job.job_id, acceptanceNo: job.acceptance_no, hasBarcodes, items };
  const written = await writeIncomingUpdates(tx, chainId, vendorId, terms, await findIncomingRange(tx));
  const writtenRows = written.rows && new Set(written.rows);
  return rows.map((row: RevertRow) => outcomeOf(row, writtenRows?.has(row.row_no) ?? row.is_filled));
}

function feedbackOf({ row_no, sku, state, code, message }: Outcome, vendorId: string) {
  if (state === 'UPDATED' || code === null) return [];
  return [{ status: state, row_no, vendor_id: vendorId, sku, code, rejected_data: sku, rejected_reason: message }];
}
