import { maxFeedback } from '@aisle/contract/sizes';
import {
  addFeedback,
  addProgress,
  claimChunk,
  emptyChunk,
  getChunk,
  isChunkEmpty,
  type JobOf,
  type PayloadOf,
  recordFailures,
  writePart,
} from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { decompress } from '../kernel/bodies/chunk-compression.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import {
  fillIncomingOffers,
  fillIncomingProducts,
  insertIncomingOffers,
  insertIncomingProducts,
  rejectIncomingOffers,
} from './creation-queries.ts';
import { fileWaitMs, type creationJob } from './jobs.ts';
import { type CreationLimits, hasRoomForProducts, limitOffers } from './limit-creation.ts';
import { lockCategoriesShared } from './queries.ts';

/**
 * Creates one chunk of products at one vendor, or rejects the chunk for many unknown vendors at once. The first task to
 * claim a chunk also creates its products in the chain, unless the job's credential was limited to some vendors or the
 * chain would have too many products.
 */
export async function applyCreationSlice(
  tx: Tx,
  chainId: string,
  job: JobOf<typeof creationJob>,
  payload: PayloadOf<typeof creationJob>,
  { isSharded, limits }: { isSharded: boolean; limits: CreationLimits },
): Promise<TaskResult<PayloadOf<typeof creationJob>>> {
  const { job_id, details } = job;
  const { chunks, is_limited: isLimited = false, is_open: isOpen = false } = details;
  const { vendor_ids, known, index, chunk } = payload;
  if (chunk >= chunks) return isOpen ? { again: payload, afterMs: fileWaitMs(details.vendors) } : 'done';
  // Locked before the chunk, so that a pending change to the category tree cannot be applied between two vendors.
  await lockCategoriesShared(tx, chainId);
  await fillIncomingOffers(tx, await decompress(await getChunk(tx, chainId, job_id, 'offers', chunk)));
  const vendorId = String(vendor_ids[0]);
  const checked = known ? await limitOffers(tx, chainId, vendorId, limits.offers) : undefined;
  const needsProducts = checked && !isLimited && !checked.isRejected;
  const isCreated = !needsProducts || (await createProducts(tx, chainId, job, chunk, checked.offers, limits.products));
  const options = { isLimited, reachedMax: isCreated ? null : limits.products, maxFeedback, isSharded };
  const outcome = known
    ? await insertIncomingOffers(tx, chainId, vendorId, options)
    : await rejectIncomingOffers(tx, vendor_ids, maxFeedback);
  await writePart(tx, chainId, job_id, index * partsPerTask + chunk, outcome.log);
  await addFeedback(tx, chainId, job_id, outcome.feedback);
  if (outcome.failed > 0) {
    await recordFailures(tx, chainId, job, { chunk, vendorId, log: outcome.log });
  }
  addProgress(tx, chainId, job_id, outcome);
  return !isOpen && chunk + 1 >= chunks ? 'done' : { again: { ...payload, chunk: chunk + 1 } };
}

/**
 * Creates the products of the chunk in the chain, if no other task has done so. Returns false if there are too many. Then
 * the chunk is emptied, so that the tasks for the other vendors know.
 */
async function createProducts(
  tx: Tx,
  chainId: string,
  { job_id: jobId, details }: JobOf<typeof creationJob>,
  no: number,
  offers: number,
  maxProducts: number,
): Promise<boolean> {
  if (!(await claimChunk(tx, chainId, jobId, 'products', no))) {
    return !(await isChunkEmpty(tx, chainId, jobId, 'products', no));
  }
  await fillIncomingProducts(tx, await decompress(await getChunk(tx, chainId, jobId, 'products', no)));
  if (await hasRoomForProducts(tx, chainId, offers, maxProducts)) {
    await insertIncomingProducts(tx, chainId, details.locale);
    return true;
  }
  emptyChunk(tx, chainId, jobId, 'products', no);
  return false;
}

/** Each task has its own range of part numbers, so that the file is sorted by vendor. */
const partsPerTask = 100_000;
