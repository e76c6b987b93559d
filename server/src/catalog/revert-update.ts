import { addFeedback, addProgress, getChunk, type JobOf, type PayloadOf, writePart } from '../jobs/index.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import { decompress } from '../kernel/bodies/chunk-compression.ts';
import { skipFlush, type Tx } from '../kernel/database/db.ts';
import type { revertJob } from './jobs.ts';
import { markNewerBarcodes, markNewerJobs, markNewerSingles, type NewerTerms } from './newer-queries.ts';
import {
  fillRevertedBarcodes,
  fillRevertedOffers,
  fillReverting,
  findChangeBefore,
  type JobChange,
  listOffersSince,
  listProductsSince,
  lockRevertedOffers,
  lockRevertedProducts,
  type RevertRow,
  seeOffers,
  seeProducts,
} from './revert-queries.ts';
import { countOutcomes, type Outcome, outcomeOf, requiresAllVendors, writeRevertLog } from './rules/revert-log.ts';
import { canReturnOld, createIncomingUpdates, findIncomingRange } from './incoming-queries.ts';
import { writeIncomingUpdates } from './update-queries.ts';

type RevertJob = JobOf<typeof revertJob>;
type RevertPayload = PayloadOf<typeof revertJob>;

/**
 * How a job is reverted. Every slice of an update has recorded the old and new values of the rows that it changed
 * (`job_changes`, written by writeIncomingUpdates). A revert goes through these changes from the last to the first, up
 * to 2,000 rows per slice. It finds out which values have changed since (newer-queries.ts), which can take long if the
 * store has had many jobs since then, so that orders and single updates must be able to run at the same time. Only then
 * does it lock the offers, look again at those that have changed in between, and write the old values with the same
 * statement as an update. So the revert records its own changes too, and can be reverted. A slice commits together with
 * its position in the task, so a revert that is interrupted by a crash continues where it was.
 */
export async function revertSlice(
  tx: Tx,
  chainId: string,
  job: RevertJob,
  payload: RevertPayload,
  isSharded: boolean,
): Promise<TaskResult<RevertPayload>> {
  const { vendor_id: vendorId, index, part, rows, before, after, ...task } = payload;
  const { reverts: revertedId } = job.details;
  const change = await findChangeBefore(tx, chainId, vendorId, revertedId, before);
  if (!change) return 'done';
  skipFlush(tx);
  const skus = await findSkus(tx, chainId, job);
  const slice = { jobId: revertedId, changeNo: change.change_no, skus, after, limit: rowsPerSlice, rowsBefore: rows };
  await fillReverting(tx, chainId, slice);
  const outcomes = await revertChange(tx, chainId, vendorId, job, { ...change, isSharded });
  const log = writeRevertLog(outcomes, job.vendor_id === null ? vendorId : undefined);
  await writePart(tx, chainId, job.job_id, index * partsPerVendor + part, log);
  await addFeedback(
    tx,
    chainId,
    job.job_id,
    outcomes.flatMap((outcome) => feedbackOf(outcome, vendorId)),
  );
  addProgress(tx, chainId, job.job_id, countOutcomes(outcomes));
  const done = { ...task, vendor_id: vendorId, index, part: part + 1, rows: rows + outcomes.length };
  const last = outcomes.length < rowsPerSlice ? undefined : outcomes.at(-1)?.sku;
  if (last === undefined) return { again: { ...done, before: change.change_no } };
  return { again: { ...done, ...(before !== undefined && { before }), after: last } };
}

/** Orders and single updates of these SKUs wait while a slice writes them. */
const rowsPerSlice = 2000;

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
  { changed_at: changedAt, has_barcodes: hasBarcodes, isSharded }: JobChange & { isSharded: boolean },
): Promise<Outcome[]> {
  await createIncomingUpdates(tx);
  const newer = { changedAt, ownJobs: [job.job_id, job.details.reverts] };
  if (hasBarcodes && job.details.is_limited) return (await fillRevertedBarcodes(tx, chainId)).map(requiresAllVendors);
  const rows = hasBarcodes
    ? await fillBarcodes(tx, chainId, vendorId, newer)
    : await fillOffers(tx, chainId, vendorId, newer);
  const items = rows.filter(({ is_filled }) => is_filled).length;
  if (items === 0) return rows.map((row) => outcomeOf(row, false));
  const [range, returnsOld] = await Promise.all([findIncomingRange(tx), canReturnOld(tx)]);
  const terms = { jobId: job.job_id, acceptanceNo: job.acceptance_no, hasBarcodes, items, isSharded, returnsOld };
  const written = await writeIncomingUpdates(tx, chainId, vendorId, terms, range);
  const writtenRows = written.rows && new Set(written.rows);
  return rows.map((row: RevertRow) => outcomeOf(row, writtenRows?.has(row.row_no) ?? row.is_filled));
}

/**
 * The store's jobs do not run at the same time as the revert, so only single updates and orders can change an offer
 * before it is locked.
 */
async function fillOffers(tx: Tx, chainId: string, vendorId: string, newer: NewerTerms): Promise<RevertRow[]> {
  const touched = await seeOffers(tx, chainId, vendorId, newer.changedAt);
  if (touched.length > 0) {
    await markNewerSingles(tx, chainId, vendorId, newer, touched);
    let position = await markNewerJobs(tx, chainId, vendorId, newer, undefined);
    while (position) position = await markNewerJobs(tx, chainId, vendorId, newer, position);
  }
  await lockRevertedOffers(tx, chainId, vendorId);
  const since = await listOffersSince(tx, chainId, vendorId);
  if (since.length > 0) await markNewerSingles(tx, chainId, vendorId, newer, since);
  return fillRevertedOffers(tx, chainId, vendorId);
}

async function fillBarcodes(tx: Tx, chainId: string, vendorId: string, newer: NewerTerms): Promise<RevertRow[]> {
  const touched = await seeProducts(tx, chainId, newer.changedAt);
  if (touched.length > 0) await markNewerBarcodes(tx, chainId, newer, touched);
  await lockRevertedOffers(tx, chainId, vendorId);
  await lockRevertedProducts(tx, chainId);
  const since = await listProductsSince(tx, chainId);
  if (since.length > 0) await markNewerBarcodes(tx, chainId, newer, since);
  return fillRevertedBarcodes(tx, chainId);
}

function feedbackOf({ row_no, sku, state, code, message }: Outcome, vendorId: string) {
  if (state === 'UPDATED' || code === null) return [];
  return [{ status: state, row_no, vendor_id: vendorId, sku, code, rejected_data: sku, rejected_reason: message }];
}
