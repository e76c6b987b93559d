import { insertChunk, insertJob } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import { enqueue, lockLane } from '../kernel/background/queue.ts';
import type { PromotionPlan } from './read-promotion.ts';
import type { Header } from './rules/header.ts';

/** Whom a request concerns: vendors of the chain, and what is none. */
export type VendorTarget = { known: string[]; unknown: string[] };

/** What a promotion job has to do, as its row keeps it. */
export type JobDetails = {
  header: Omit<Header, 'vendors'>;
  isForAll: boolean;
  vendors: string[];
  invalid_vendors: string[];
  /** Whether it puts anything in: taking out needs a promotion that is there. */
  hasAdditions: boolean;
  /** How many SKUs each chunk has. */
  chunks: number[];
  /** Once the first task has looked: the promotion, or null where there is none to work on. */
  promotion_id?: string | null;
};

/** Whose turn it is: the vendors from `vendor` on, with the SKUs of a chunk. Tasks of a job take every `step`th chunk. */
export type PromotionTask = { job_id: string; chunk: number; step: number; vendor: number };

/** How many tasks share the chunks of a job: one for each of two connections keeps a small database busy. */
const tasksPerJob = 2;

/** Promotion jobs of a chain run one after the other, in the order in which they were accepted. */
export async function acceptPromotion(
  tx: Tx,
  chainId: string,
  plan: PromotionPlan,
  { known, unknown }: VendorTarget,
): Promise<string> {
  const lane = `promotions ${chainId}`;
  await lockLane(tx, lane);
  const jobId = newId();
  const { vendors, ...header } = plan.header;
  const details: JobDetails = {
    header,
    isForAll: vendors === '*',
    vendors: known,
    invalid_vendors: unknown,
    hasAdditions: plan.hasAdditions,
    chunks: plan.chunks.map((chunk) => chunk.skus),
  };
  const step = Math.max(1, Math.min(tasksPerJob, plan.chunks.length));
  await insertJob(tx, chainId, {
    job_id: jobId,
    type: 'PROMOTION',
    vendor_id: null,
    vendor_ids: [...known, ...unknown],
    open_tasks: step,
    total: plan.total * known.length,
    details,
  });
  for (const [no, chunk] of plan.chunks.entries()) {
    await insertChunk(tx, chainId, jobId, { kind: 'entries', no, bytes: chunk.lines });
  }
  const tasks = Array.from({ length: step }, (_, first) => ({
    chainId,
    lane,
    batch: jobId,
    kind: 'promotions.apply',
    payload: { job_id: jobId, chunk: first, step, vendor: 0 } satisfies PromotionTask,
  }));
  await enqueue(tx, tasks);
  return jobId;
}
