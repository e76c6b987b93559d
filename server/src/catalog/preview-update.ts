import { previewClasses } from '@aisle/contract/preview-row';
import { findVendors } from '../identity/index.ts';
import { type JobOf, writePart } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { updateJob } from './jobs.ts';
import { readDiff } from './preview-queries.ts';
import type { Diff } from './rules/diff.ts';
import { type PreviewClass, writePreview } from './rules/preview-rows.ts';
import type { SkuRange } from './update-queries.ts';

type UpdateJob = JobOf<typeof updateJob>;

/** Compares the chunk in incoming_updates with the catalog. Nothing is written, except the SKUs of a large file. */
export async function previewChunk(
  tx: Tx,
  chainId: string,
  vendorId: string,
  job: UpdateJob,
  { range, hasBarcodes }: { range: SkuRange; hasBarcodes: boolean },
): Promise<Diff> {
  const [vendor] = await findVendors(tx, chainId, [vendorId]);
  const { is_open: isOpen = false, chunks } = job.details;
  // The rows of a request are compared with each other when it is read, and so are those of a window of a file.
  const findsRepeats = job.file_name !== null && (isOpen || chunks > 2);
  const terms = { jobId: job.job_id, locale: vendor?.locale ?? '', findsRepeats, hasBarcodes };
  return readDiff(tx, chainId, vendorId, range, terms);
}

/**
 * Stores the preview of a chunk as one part of the job's file per class. The parts of a class come before those of the
 * next one, so the file starts with the errors.
 */
export async function storePreview(
  tx: Tx,
  chainId: string,
  job: UpdateJob,
  chunk: { partNo: number; vendorId: string; diff: Diff; log: string },
): Promise<void> {
  const { partNo, vendorId, diff, log } = chunk;
  for (const [of, { lines, rowCount }] of writePreview(vendorId, diff, log)) {
    await writePart(tx, chainId, job.job_id, firstPartOf(of) + partNo, lines, rowCount);
  }
}

/** The class of a part. */
export function classOfPart(partNo: number): PreviewClass {
  return previewClasses[Math.floor(partNo / partsPerClass)] ?? 'UNCHANGED';
}

/** Larger than the part numbers of all chunks of all vendors. */
const partsPerClass = 100_000_000_000_000;

function firstPartOf(of: PreviewClass): number {
  return previewClasses.indexOf(of) * partsPerClass;
}
