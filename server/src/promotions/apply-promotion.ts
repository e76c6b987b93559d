import { maxFeedback } from '@aisle/contract/sizes';
import { findVendors } from '../identity/index.ts';
import {
  addDetails,
  addFeedback,
  addProgress,
  getChunk,
  type JobError,
  lockJob,
  readJob,
  setError,
  setTotal,
  writePart,
} from '../jobs/index.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import { skipFlush, type Tx } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import { decompress } from '../kernel/bodies/chunk-compression.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import { applyChunk, recordEntries } from './apply-chunk.ts';
import type { PricedVendor } from './apply-queries.ts';
import { type PromotionDetails, type PromotionJob, type PromotionPayload, promotionJob } from './job.ts';
import { cancelByIdentity, openPromotion } from './open-promotion.ts';
import { countEntries, getPromotion } from './queries.ts';

/**
 * How a promotion is applied, from the request to the prices.
 *
 *   request   The body is parsed off the event loop (read-promotion.ts). Invalid fields are reported immediately. The SKUs
 *             are sorted and written as compressed chunks of COPY text.
 *   accept    One transaction (accept-promotion.ts) locks the chain's lane and inserts the job, chunks and tasks. The
 *             response is 202.
 *   open      The first task finds the promotion by its identity, or creates one that is not published yet. A cancellation
 *             ends here.
 *   slice     Each task run is one transaction: it applies a chunk of SKUs to as many vendors as fit into
 *             `pairsPerSlice`. For each vendor, one statement (apply-queries.ts) checks every SKU against the vendor's
 *             offer and writes the rows in promotion_offers. Rejected SKUs go into the job's feedback and file.
 *   end       The last slice publishes the promotion with the request's header (end-promotion.ts), so a new promotion
 *             appears with all of its SKUs at once, or is deleted if nothing was applied.
 *   effect    No further work is done when the promotion starts, ends or is cancelled: the catalog and new orders query
 *             the promotions that are running at that moment (running-queries.ts).
 *
 * The tasks in a job share its chunks, which have no SKUs in common. The chain's next job waits for all of these tasks.
 * As in catalog jobs, the effects of a slice commit together, and only the last slice waits for the WAL flush.
 */
export async function applyPromotionSlice(
  tx: Tx,
  chainId: string,
  { details }: PromotionJob,
  payload: PromotionPayload,
  isSharded: boolean,
): Promise<TaskResult<PromotionPayload>> {
  if (details.is_open) return { again: payload, afterMs: fileWaitMs };
  if (details.promotion_id === undefined) {
    await open(tx, chainId, payload.job_id);
    // Commits now, to release the lock on the job's row, which could block the other task.
    return { again: payload };
  }
  const skus = details.chunks[payload.chunk];
  if (details.promotion_id === null || skus === undefined) return 'done';
  const vendorsPerSlice = Math.max(1, Math.floor(pairsPerSlice / skus));
  const next = nextSlice(payload, details, vendorsPerSlice);
  if (next) skipFlush(tx);
  const isLastOfChunk = payload.vendor + vendorsPerSlice >= details.vendors.length;
  await applySlice(tx, chainId, payload, details.promotion_id, details, {
    vendorsPerSlice,
    isLastOfChunk,
    isSharded,
  });
  return next ? { again: next } : 'done';
}

/** How long a task waits if its file is still being read. The reader wakes it earlier. */
const fileWaitMs = 1000;

/** Large enough to amortize fixed costs, small enough to finish in less than a second. */
const pairsPerSlice = 50_000;

function nextSlice(payload: PromotionPayload, { chunks, vendors }: PromotionDetails, vendorsPerSlice: number) {
  const vendor = payload.vendor + vendorsPerSlice;
  if (vendor < vendors.length) return { ...payload, vendor };
  const chunk = payload.chunk + payload.step;
  return chunk < chunks.length ? { ...payload, chunk, vendor: 0 } : undefined;
}

type SliceOptions = { vendorsPerSlice: number; isLastOfChunk: boolean; isSharded: boolean };

async function applySlice(
  tx: Tx,
  chainId: string,
  { job_id: jobId, chunk, vendor }: PromotionPayload,
  promotionId: string,
  details: PromotionDetails,
  { vendorsPerSlice, isLastOfChunk, isSharded }: SliceOptions,
): Promise<void> {
  const target = { ...(await getPromotion(tx, chainId, promotionId)), isForAll: details.isForAll, isSharded };
  const lines = await decompress(await getChunk(tx, chainId, jobId, 'entries', chunk));
  const vendors = await findPricedVendors(tx, chainId, details.vendors.slice(vendor, vendor + vendorsPerSlice));
  const outcome = await applyChunk(tx, chainId, target, lines, vendors, maxFeedback);
  if (isLastOfChunk) await recordEntries(tx, chainId, target, details.vendors);
  if (outcome.log !== '') await writePart(tx, chainId, jobId, chunk * vendorsPerPart + vendor, outcome.log);
  await addFeedback(tx, chainId, jobId, outcome.feedback);
  addProgress(tx, chainId, jobId, {
    succeeded: outcome.applied,
    unchanged: outcome.absent,
    failed: outcome.rejected,
  });
}

/** A part's number is chunk × this + vendor, so that the file is sorted by chunk, then by vendor. */
const vendorsPerPart = 1_000_000;

export async function findPricedVendors(tx: Tx, chainId: string, vendorIds: string[]): Promise<PricedVendor[]> {
  const vendors = await findVendors(tx, chainId, vendorIds);
  return vendors.map(({ vendor_id, currency }) => ({ vendor_id, digits: minorDigits(currency) }));
}

/** Runs once per job. Stores the id of the job's promotion, or an error if there is no promotion. */
async function open(tx: Tx, chainId: string, jobId: string): Promise<void> {
  const { details } = readJob(promotionJob, await lockJob(tx, chainId, jobId));
  if (details.promotion_id !== undefined) return;
  const promotionId = details.header.active
    ? await openForEntries(tx, chainId, jobId, details)
    : await cancel(tx, chainId, jobId, details);
  await addDetails(tx, chainId, jobId, { promotion_id: promotionId ?? null });
}

async function openForEntries(tx: Tx, chainId: string, jobId: string, details: PromotionDetails) {
  if (details.vendors.length === 0) return undefined;
  const promotion = await openPromotion(tx, chainId, details, details.hasAdditions ? newId() : undefined);
  if (!promotion) await setError(tx, chainId, jobId, unknownPromotion);
  return promotion?.promotion_id;
}

async function cancel(tx: Tx, chainId: string, jobId: string, details: PromotionDetails) {
  const promotion = await cancelByIdentity(tx, chainId, details);
  if (!promotion) {
    await setError(tx, chainId, jobId, unknownPromotion);
    return undefined;
  }
  const skus = await countEntries(tx, chainId, promotion.promotion_id);
  await setTotal(tx, chainId, jobId, skus);
  addProgress(tx, chainId, jobId, { succeeded: skus, unchanged: 0, failed: 0 });
  return promotion.promotion_id;
}

const unknownPromotion: JobError = {
  code: 'promotion_not_found',
  message: 'No promotion in the chain has the given type, display_name, vendors, start_time and end_time.',
};
