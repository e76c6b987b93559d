import { acceptJob, shareChunks } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Origin } from '../kernel/values/origin.ts';
import { newId } from '../kernel/values/ids.ts';
import { promotionJob } from './job.ts';
import type { PromotionPlan } from './read-promotion.ts';
import type { Header } from './rules/header.ts';

/** The vendor ids in a request: those of the chain's vendors, and unknown ones. */
export type VendorTarget = { known: string[]; unknown: string[] };

/** A chain's promotion jobs run one at a time, in the order they were accepted. */
export async function acceptPromotion(
  tx: Tx,
  chainId: string,
  { header: { vendors, ...header }, total, hasAdditions, chunks }: PromotionPlan,
  { known, unknown }: VendorTarget,
  origin: Origin,
): Promise<string> {
  const jobId = newId();
  return acceptJob(tx, chainId, promotionJob, {
    jobId,
    vendorId: null,
    vendorIds: [...known, ...unknown],
    total: total * known.length,
    origin,
    isRemoval: !hasAdditions,
    details: {
      header,
      isForAll: vendors === '*',
      vendors: known,
      invalid_vendors: unknown,
      hasAdditions,
      chunks: chunks.map((chunk) => chunk.skus),
    },
    chunks: chunks.map(({ lines }, no) => ({ kind: 'entries', no, bytes: lines })),
    tasks: shareChunks(chunks.length).map((share) => ({
      lane: promotionLane(chainId),
      payload: { job_id: jobId, ...share, vendor: 0 },
    })),
  });
}

/** Accepts a promotion whose header and chunks are added after its file has been read (`addPromotionFile`). */
export async function acceptPromotionFile(
  tx: Tx,
  chainId: string,
  { fileName, vendorIds, origin }: { fileName: string; vendorIds: string[]; origin: Origin },
): Promise<string> {
  const jobId = newId();
  return acceptJob(tx, chainId, promotionJob, {
    jobId,
    vendorId: null,
    vendorIds,
    total: 0,
    fileName,
    origin,
    details: {
      is_open: true,
      header: unreadHeader,
      isForAll: false,
      vendors: [],
      invalid_vendors: [],
      hasAdditions: false,
      chunks: [],
    },
    chunks: [],
    tasks: shareChunks(maxFileTasks).map((share) => ({
      lane: promotionLane(chainId),
      payload: { job_id: jobId, ...share, vendor: 0 },
    })),
  });
}

/** Fixed, because the number of chunks is not known until the file has been read. */
const maxFileTasks = 2;

/** A placeholder until the file has been read. It has no effect, because the job has no vendors until then. */
const unreadHeader: Omit<Header, 'vendors'> = {
  type: 'STRIKETHROUGH',
  active: true,
  reason: null,
  display_name: {},
  start_time: '',
  end_time: '',
  purchased_quantity: null,
  discounted_quantity: null,
  limits: null,
};

function promotionLane(chainId: string): string {
  return `promotions ${chainId}`;
}
