import { setImmediate as nextTurn } from 'node:timers/promises';
import { previewClasses } from '@aisle/contract/preview-row';
import { findVendors } from '../identity/index.ts';
import { addDetails, type JobOf, type PayloadOf, writePart } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { updateJob } from './jobs.ts';
import { deletePreviewSkus, readDiff } from './preview-queries.ts';
import type { Diff } from './rules/diff.ts';
import { type PreviewClass, writePreview } from './rules/preview-rows.ts';
import type { SkuRange } from './incoming-queries.ts';

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
 * Stores the preview of a chunk as parts of the job's file, each with rows of one class. The parts of a class come
 * before those of the next one, so the file starts with the errors. A page of the preview is read from whole parts, so
 * they are small, and other events are handled while they are written.
 */
export async function storePreview(
  tx: Tx,
  chainId: string,
  job: UpdateJob,
  chunk: { chunkNo: number; vendorId: string; diff: Diff; log: Buffer; hasBarcodes: boolean },
): Promise<void> {
  const { chunkNo, vendorId, diff, log } = chunk;
  const parts = new Map<PreviewClass, { no: number; lines: string; rowCount: number }>();
  const store = (of: PreviewClass, { no, lines, rowCount }: { no: number; lines: string; rowCount: number }) =>
    writePart(tx, chainId, job.job_id, partRangeOf(of).from + chunkNo * partsPerChunk + no, lines, rowCount);
  let rows = 0;
  for (const { of, line } of writePreview(vendorId, diff, log.toString('utf8'))) {
    const part = parts.get(of) ?? { no: 0, lines: '', rowCount: 0 };
    const isFull = part.rowCount === maxPartRows || part.lines.length + line.length > maxPartLength;
    if (isFull) await store(of, part);
    const next = isFull ? { no: part.no + 1, lines: '', rowCount: 0 } : part;
    parts.set(of, { no: next.no, lines: next.lines + line, rowCount: next.rowCount + 1 });
    rows += 1;
    if (rows % rowsPerTurn === 0) await nextTurn();
  }
  for (const [of, part] of parts) await store(of, part);
  if (chunk.hasBarcodes) await addDetails(tx, chainId, job.job_id, { has_barcodes: true });
}

/**
 * Called when a task has compared its last chunk. In a job for several vendors, each vendor has one task. With two tasks
 * for one vendor, the SKUs are deleted when the job ends.
 */
export async function endPreview(
  tx: Tx,
  chainId: string,
  job: UpdateJob,
  { vendor_id: vendorId, step }: PayloadOf<typeof updateJob>,
): Promise<void> {
  if (step === 1) await deletePreviewSkus(tx, chainId, job.job_id, vendorId);
}

/** The numbers of the parts with items of this class: from `from` to before `to`. */
export function partRangeOf(of: PreviewClass): { from: number; to: number } {
  const index = previewClasses.indexOf(of);
  return { from: index * partsPerClass, to: (index + 1) * partsPerClass };
}

const maxPartRows = 1000;
/** A UTF-16 code unit takes up to 3 bytes, so a part is smaller than a megabyte. */
const maxPartLength = 256 * 1024;
const rowsPerTurn = 500;

/** A chunk has at most 20,000 rows, and 100 rows of the maximum length fit into a part. */
const partsPerChunk = 1000;
/** Larger than the part numbers of all chunks of all vendors. */
export const partsPerClass = 1_000_000_000_000_000;
