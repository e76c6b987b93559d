import { maxFeedback } from '@aisle/contract/sizes';
import {
  addFeedback,
  addProgress,
  claimChunk,
  getChunk,
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
import { lockCategoriesShared } from './queries.ts';

/**
 * Creates one chunk of products at one vendor, or rejects the chunk for many unknown vendors at once. The first task to
 * claim a chunk also creates its products in the chain, unless the job's credential was limited to some vendors.
 */
export async function applyCreationSlice(
  tx: Tx,
  chainId: string,
  job: JobOf<typeof creationJob>,
  payload: PayloadOf<typeof creationJob>,
  isSharded: boolean,
): Promise<TaskResult<PayloadOf<typeof creationJob>>> {
  const { job_id, details } = job;
  const { chunks, locale, is_limited: isLimited = false, is_open: isOpen = false } = details;
  const { vendor_ids, known, index, chunk } = payload;
  if (chunk >= chunks) return isOpen ? { again: payload, afterMs: fileWaitMs(details.vendors) } : 'done';
  // Locked before the chunk, so that a pending change to the category tree cannot be applied between two vendors.
  await lockCategoriesShared(tx, chainId);
  if (known && !isLimited && (await claimChunk(tx, chainId, job_id, 'products', chunk))) {
    await fillIncomingProducts(tx, await decompress(await getChunk(tx, chainId, job_id, 'products', chunk)));
    await insertIncomingProducts(tx, chainId, locale);
  }
  await fillIncomingOffers(tx, await decompress(await getChunk(tx, chainId, job_id, 'offers', chunk)));
  const outcome = known
    ? await insertIncomingOffers(tx, chainId, String(vendor_ids[0]), { isLimited, maxFeedback, isSharded })
    : await rejectIncomingOffers(tx, vendor_ids, maxFeedback);
  await writePart(tx, chainId, job_id, index * partsPerTask + chunk, outcome.log);
  await addFeedback(tx, chainId, job_id, outcome.feedback);
  if (outcome.failed > 0) {
    await recordFailures(tx, chainId, job, { chunk, vendorId: String(vendor_ids[0]), log: outcome.log });
  }
  addProgress(tx, chainId, job_id, outcome);
  return !isOpen && chunk + 1 >= chunks ? 'done' : { again: { ...payload, chunk: chunk + 1 } };
}

/** Each task has its own range of part numbers, so that the file is sorted by vendor. */
const partsPerTask = 100_000;
