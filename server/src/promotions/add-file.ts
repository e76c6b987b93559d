import { addProgress, extendJob, insertChunk, insertFailures, writePart } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { VendorTarget } from './accept-promotion.ts';
import type { PromotionPlan } from './read-promotion.ts';
import type { FailedRows } from './read-rows.ts';

/**
 * Adds the header and chunks to a job that was accepted with a file. The job's tasks wait until then. Rows that are not
 * part of the plan are written to the result file without a vendor. `failed` has an entry for every group of rows that
 * is stored together, even if none of them failed.
 */
export async function addPromotionFile(
  tx: Tx,
  chainId: string,
  jobId: string,
  plan: PromotionPlan | undefined,
  { known, unknown }: VendorTarget,
  failed: FailedRows[],
): Promise<void> {
  const chunks = plan?.chunks ?? [];
  for (const [no, { lines }] of chunks.entries()) {
    insertChunk(tx, chainId, jobId, { kind: 'entries', no, bytes: lines });
  }
  for (const [chunk, { rows, log }] of failed.entries()) {
    await insertFailures(tx, chainId, jobId, { chunk, vendorId: '', rows });
    // These parts sort before those written for the chunks, whose numbers start with 0.
    if (log !== '') await writePart(tx, chainId, jobId, chunk - failed.length, log);
  }
  const failedCount = failed.reduce((sum, { count }) => sum + count, 0);
  const { vendors, ...header } = plan?.header ?? {};
  await extendJob(tx, chainId, jobId, {
    items: (plan?.total ?? 0) * known.length + failedCount,
    details: {
      is_open: false,
      ...(plan && { header, isForAll: vendors === '*', hasAdditions: plan.hasAdditions }),
      vendors: plan ? known : [],
      invalid_vendors: unknown,
      chunks: chunks.map((chunk) => chunk.skus),
    },
  });
  addProgress(tx, chainId, jobId, { succeeded: 0, unchanged: 0, failed: failedCount });
}
