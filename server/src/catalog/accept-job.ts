import { insertChunk, insertJob } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import { enqueue, lockLane } from '../kernel/background/queue.ts';
import { type CreationPlan, productsPerChunk } from './read-creation.ts';
import type { UpdatePlan } from './read-update.ts';

/** Jobs of one vendor run one after the other, in the order in which they were accepted. */
export function vendorLane(chainId: string, vendorId: string): string {
  return `vendor ${chainId} ${vendorId}`;
}

/** How many tasks share the chunks of a large update: one for each of two connections keeps a small database busy. */
const tasksPerUpdate = 2;

export async function acceptUpdate(
  tx: Tx,
  chainId: string,
  vendorId: string,
  plan: Extract<UpdatePlan, { kind: 'bulk' }>,
): Promise<string> {
  const lane = vendorLane(chainId, vendorId);
  // First the lane: jobs of a vendor get their acceptance numbers in the order in which they will run.
  await lockLane(tx, lane);
  const jobId = newId();
  const step = Math.min(tasksPerUpdate, plan.chunks.length);
  await insertJob(tx, chainId, {
    job_id: jobId,
    type: 'CATALOG_UPDATE',
    vendor_id: vendorId,
    vendor_ids: [vendorId],
    open_tasks: step,
    total: plan.total,
    details: { chunks: plan.chunks.length, barcodes: plan.chunks.map((chunk) => chunk.hasBarcodes) },
  });
  for (const [no, chunk] of plan.chunks.entries()) {
    await insertChunk(tx, chainId, jobId, { kind: 'updates', no, bytes: chunk.updates });
    await insertChunk(tx, chainId, jobId, { kind: 'log', no, bytes: chunk.log });
  }
  const tasks = Array.from({ length: step }, (_, first) => ({
    chainId,
    lane,
    batch: jobId,
    kind: 'catalog.update',
    payload: { job_id: jobId, vendor_id: vendorId, chunk: first, step },
  }));
  await enqueue(tx, tasks);
  return jobId;
}

export async function acceptExport(tx: Tx, chainId: string, vendorId: string): Promise<string> {
  const lane = vendorLane(chainId, vendorId);
  await lockLane(tx, lane);
  const jobId = newId();
  await insertJob(tx, chainId, {
    job_id: jobId,
    type: 'CATALOG_EXPORT',
    vendor_id: vendorId,
    vendor_ids: [vendorId],
    open_tasks: 1,
    total: 0,
    details: {},
  });
  await enqueue(tx, [
    { chainId, lane, batch: jobId, kind: 'catalog.export', payload: { job_id: jobId, vendor_id: vendorId } },
  ]);
  return jobId;
}

export type CreationTarget = {
  /** The one vendor of the path, for the job's record. */
  pathVendorId: string | null;
  known: { vendorId: string; locale: string }[];
  unknown: string[];
};

/** Vendors the chain does not have only fail their items, so that one task takes many of them. */
const refusalsPerSlice = 100_000;

/** One task for every vendor, each in that vendor's lane, so that creation keeps its place among the vendor's jobs. */
export async function acceptCreation(
  tx: Tx,
  chainId: string,
  target: CreationTarget,
  plan: CreationPlan,
): Promise<string> {
  const jobId = newId();
  const known = target.known.map(({ vendorId }) => vendorId);
  const vendorsPerTask = Math.ceil(refusalsPerSlice / Math.min(plan.total, productsPerChunk));
  const shares = [
    ...known.map((vendorId) => ({ lane: vendorLane(chainId, vendorId), vendor_ids: [vendorId], known: true })),
    ...inGroups(target.unknown, vendorsPerTask).map((vendor_ids, group) => ({
      lane: `job ${jobId} ${group}`,
      vendor_ids,
      known: false,
    })),
  ];
  const tasks = shares.map(({ lane, ...share }, index) => ({
    chainId,
    lane,
    batch: jobId,
    kind: 'catalog.creation',
    payload: { job_id: jobId, ...share, index, chunk: 0 },
  }));
  for (const lane of tasks.map((task) => task.lane).toSorted()) await lockLane(tx, lane);
  await insertJob(tx, chainId, {
    job_id: jobId,
    type: 'PRODUCT_CREATION',
    vendor_id: target.pathVendorId,
    vendor_ids: [...known, ...target.unknown],
    open_tasks: tasks.length,
    total: plan.total * (known.length + target.unknown.length),
    details: { chunks: plan.chunks.length, locale: target.known[0]?.locale ?? 'en_US' },
  });
  for (const [no, chunk] of plan.chunks.entries()) {
    await insertChunk(tx, chainId, jobId, { kind: 'products', no, bytes: chunk.products });
    await insertChunk(tx, chainId, jobId, { kind: 'offers', no, bytes: chunk.offers });
  }
  await enqueue(tx, tasks);
  return jobId;
}

function inGroups<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  );
}
