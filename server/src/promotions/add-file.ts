import { quoteCell } from '@aisle/contract/csv';
import { addProgress, extendJob, insertChunk, insertFailures, writePart } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { VendorTarget } from './accept-promotion.ts';
import type { PromotionPlan } from './read-promotion.ts';
import type { FailedLine } from './read-rows.ts';

/**
 * Adds the header and chunks to a job that was accepted with a file. The job's tasks wait until then. Rows that are not
 * part of the plan are written to the result file without a vendor.
 */
export async function addPromotionFile(
  tx: Tx,
  chainId: string,
  jobId: string,
  plan: PromotionPlan | undefined,
  { known, unknown }: VendorTarget,
  failed: FailedLine[],
): Promise<void> {
  const chunks = plan?.chunks ?? [];
  for (const [no, { lines }] of chunks.entries()) {
    await insertChunk(tx, chainId, jobId, { kind: 'entries', no, bytes: lines });
  }
  const rows = failed.map(({ line, reason }): [number, string] => [line, reason]);
  await insertFailures(tx, chainId, jobId, { chunk: 0, vendorId: '', rows });
  const log = failed.map(({ sku, code, reason }) => `${['', sku, code, reason].map(quoteCell).join(',')}\n`).join('');
  if (log !== '') await writePart(tx, chainId, jobId, firstPart, log);
  const { vendors, ...header } = plan?.header ?? {};
  await extendJob(tx, chainId, jobId, {
    items: (plan?.total ?? 0) * known.length + failed.length,
    details: {
      is_open: false,
      ...(plan && { header, isForAll: vendors === '*', hasAdditions: plan.hasAdditions }),
      vendors: plan ? known : [],
      invalid_vendors: unknown,
      chunks: chunks.map((chunk) => chunk.skus),
    },
  });
  await addProgress(tx, chainId, jobId, { succeeded: 0, unchanged: 0, failed: failed.length });
}

/** Sorts before the parts written for the chunks. */
const firstPart = -1;
