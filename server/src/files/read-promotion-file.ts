import { describeFault } from '@aisle/contract/file-faults';
import { findVendors, listAllVendors } from '../identity/index.ts';
import { extendJob, fileRowsKind, insertChunk, setError } from '../jobs/index.ts';
import { OutOfMemoryError } from '../kernel/bodies/thread-pool.ts';
import { wakeBatch } from '../kernel/background/queue.ts';
import type { Tx } from '../kernel/database/db.ts';
import { addPromotionFile, promotionReaderModule, type VendorTarget } from '../promotions/index.ts';
import { UnreadableError } from './content.ts';
import { deleteParts } from './part-queries.ts';
import { updateFormat } from './queries.ts';
import { rejectFile } from './reject-file.ts';
import { copyOf, type Reading } from './read-next.ts';
import type { PromotionContent, readPromotion } from './read-promotion.ts';
import type { WindowError } from './read-window.ts';
import { encodeRows } from './stored-rows.ts';

/**
 * Reads a whole file as one promotion, in one slice. A promotion is applied as a whole, so the size of the file is
 * limited like that of a request.
 */
export async function readPromotionFile(reading: Reading): Promise<'done'> {
  const { tx, chainId, file, job } = reading;
  const own = file.vendor_ids ? await findVendors(tx, chainId, file.vendor_ids) : await listAllVendors(tx, chainId);
  const bytes = await readContent(reading);
  const read = Buffer.isBuffer(bytes) ? await readInThread(reading, bytes, own[0]?.locale ?? 'en_US') : bytes;
  const ownIds = own.map((vendor) => vendor.vendor_id).toSorted();
  const error = 'error' in read ? read.error : await addPromotion(reading, read, ownIds);
  if (Buffer.isBuffer(bytes) && !('error' in read)) {
    await updateFormat(tx, chainId, file.file_id, read.format);
    for (const [no, { line, from, to }] of read.groups.entries()) {
      const rows = await encodeRows({ line, bytes: bytes.subarray(from, to) });
      insertChunk(tx, chainId, job.job_id, { kind: fileRowsKind, no, bytes: rows });
    }
  }
  if (error) {
    await rejectFile(tx, chainId, job, error);
    await extendJob(tx, chainId, job.job_id, { items: 0, details: { is_open: false } });
  }
  await deleteParts(tx, chainId, file.file_id);
  await wakeBatch(tx, chainId, job.job_id);
  return 'done';
}

const maxRows = 500_000;

async function readContent({ content, options }: Reading): Promise<Buffer | { error: WindowError }> {
  const max = options.maxPromotionBytes;
  try {
    const { bytes, isLast } = await content.peek(max);
    return isLast ? bytes : unusable(describeFault('large_promotion', { max }));
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return unusable(error.message);
  }
}

async function readInThread({ chainId, options }: Reading, bytes: Buffer, locale: string) {
  const promotion = copyOf({ bytes, maxRows, now: Date.now(), locale });
  try {
    const result = await options.threads.run(chainId, { promotion, module: promotionReaderModule }, []);
    return result as ReturnType<typeof readPromotion>;
  } catch (error) {
    if (!(error instanceof OutOfMemoryError)) throw error;
    return unusable(describeFault('too_much_memory'));
  }
}

function unusable(reason: string): { error: WindowError } {
  return { error: { line: 1, column: 1, reason } };
}

/** Adds the rows to the job. Returns an error if they are not a promotion that the uploader can change. */
async function addPromotion(
  { tx, chainId, file, job, options }: Reading,
  { plan, groups, line }: PromotionContent,
  ownIds: string[],
): Promise<WindowError | undefined> {
  const at = { line, column: 1 };
  if (!plan) {
    const message = 'All rows failed; the result file has the reasons.';
    await setError(tx, chainId, job.job_id, { code: 'nothing_applied', message });
  }
  // If the uploader is limited to some vendors, `*` means those vendors.
  if (plan?.header.vendors === '*' && file.vendor_ids) plan.header.vendors = file.vendor_ids;
  const target = await findTarget(tx, chainId, plan?.header.vendors ?? [], ownIds);
  const own = new Set(ownIds);
  const foreign = file.vendor_ids === null ? [] : [...target.unknown, ...target.known.filter((id) => !own.has(id))];
  if (foreign.length > 0) return { ...at, reason: describeFault('foreign_stores', { stores: foreign.join(', ') }) };
  const pairs = (plan?.total ?? 0) * target.known.length;
  if (pairs > options.maxPromotionPairs)
    return { ...at, reason: describeFault('too_many_skus', { max: options.maxPromotionPairs }) };
  const failed = groups.map((group) => group.failed);
  await addPromotionFile(tx, chainId, job.job_id, plan, target, failed);
  return undefined;
}

async function findTarget(tx: Tx, chainId: string, ids: string[] | '*', own: string[]): Promise<VendorTarget> {
  if (ids === '*') return { known: own, unknown: [] };
  const found = new Map((await findVendors(tx, chainId, ids)).map((vendor) => [vendor.requested_id, vendor.vendor_id]));
  return { known: [...new Set(found.values())].toSorted(), unknown: ids.filter((id) => !found.has(id)) };
}
