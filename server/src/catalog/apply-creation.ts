import { addFeedback, addProgress, claimChunk, getChunk, getJob, writePart } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { decompress } from '../kernel/bodies/compress.ts';
import type { Task } from '../kernel/background/queue.ts';
import {
  fillIncomingOffers,
  fillIncomingProducts,
  insertIncomingOffers,
  insertIncomingProducts,
  refuseIncomingOffers,
} from './creation-queries.ts';
import { holdCategories } from './queries.ts';

/**
 * One chunk of products for one vendor (or for many that do not exist). The first vendor to reach a chunk also makes the
 * chain's products of it.
 */
export async function applyCreationSlice(
  tx: Tx,
  task: Task,
  maxFeedback: number,
): Promise<'finished' | { again: Record<string, unknown> }> {
  const { job_id, vendor_ids, known, index, chunk } = task.payload as CreationTask;
  const chainId = task.chain_id;
  const job = await getJob(tx, chainId, job_id);
  const { chunks, locale } = job.details as { chunks: number; locale: string };
  // Before the chunk, so that a change of the tree which waits for us cannot come between two vendors of this job.
  await holdCategories(tx, chainId);
  if (known && (await claimChunk(tx, chainId, job_id, 'products', chunk))) {
    await fillIncomingProducts(tx, await decompress(await getChunk(tx, chainId, job_id, 'products', chunk)));
    await insertIncomingProducts(tx, chainId, locale);
  }
  await fillIncomingOffers(tx, await decompress(await getChunk(tx, chainId, job_id, 'offers', chunk)));
  const outcome = known
    ? await insertIncomingOffers(tx, chainId, String(vendor_ids[0]), maxFeedback)
    : await refuseIncomingOffers(tx, vendor_ids, maxFeedback);
  await writePart(tx, chainId, job_id, index * partsPerTask + chunk, outcome.log);
  await addFeedback(tx, chainId, job_id, outcome.feedback, maxFeedback);
  await addProgress(tx, chainId, job_id, outcome);
  return chunk + 1 >= chunks ? 'finished' : { again: { ...task.payload, chunk: chunk + 1 } };
}

type CreationTask = { job_id: string; vendor_ids: string[]; known: boolean; index: number; chunk: number };

/** The file has one vendor after the other. */
const partsPerTask = 100_000;
