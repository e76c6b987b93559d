import { crc32 } from 'node:zlib';
import { acceptCreationFile, acceptUpdateFile, type FileTarget, type JobTerms } from '../catalog/index.ts';
import { findVendors, listAllVendors, type VendorRow } from '../identity/index.ts';
import { countStored, isReverted, listJobStates } from '../jobs/index.ts';
import { enqueue } from '../kernel/background/queue.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { Origin } from '../kernel/values/origin.ts';
import { acceptPromotionFile } from '../promotions/index.ts';
import { computeDigest } from './part-queries.ts';
import { deleteFile, type FileRow, findRepeated, lockName, markAccepted } from './queries.ts';
import { readTask, startOfFile } from './read-task.ts';
import { type Folder, parseFolder } from './rules/folder.ts';
import { checkName, checkSize, getUnfinished } from './upload-file.ts';

/** `fileId` is the earlier file if this one is a repeat. */
export type AcceptedFile = { fileId: string; jobIds: string[]; isRepeat: boolean };

/**
 * Turns an unfinished file into a job, in the caller's transaction. From then on, the job's tasks are in the lanes of
 * its stores, so the file is applied after all jobs that were accepted before it and before all later ones. The task
 * that reads the file has another lane, because reading can start at once.
 *
 * If the chain sent the same content under the same name in the last 24 hours, the new file is deleted, and the earlier
 * file and its job are returned. This does not apply if rows of the earlier file have failed, if its job was reverted, if
 * a different file with this name was sent in between, or if there are new stores that it has not changed. Previews and
 * scheduled files are never repeats.
 */
export async function acceptFile(
  tx: Tx,
  chainId: string,
  fileId: string,
  { finalName, isLimited = false, isDryRun = false, applyAt, writer = null, size }: AcceptTerms = {},
): Promise<AcceptedFile> {
  const unfinished = await getUnfinished(tx, chainId, fileId, writer);
  if (size !== undefined) checkSize(unfinished, size);
  const file = {
    ...unfinished,
    name: finalName ?? unfinished.name,
    is_limited: unfinished.is_limited || isLimited,
  };
  checkName(file.name);
  await lockName(tx, chainId, file);
  const digest = await computeDigest(tx, chainId, fileId);
  const vendors = await listTarget(tx, chainId, file);
  const repeated = isDryRun || applyAt ? undefined : await findRepeatedJob(tx, chainId, file, digest, vendors);
  if (repeated) {
    await deleteFile(tx, chainId, fileId);
    return { ...repeated, isRepeat: true };
  }
  const jobId = await acceptJobFor(tx, chainId, file, vendors, { origin: originOf(file), isDryRun, applyAt });
  await countStored(tx, chainId, file.size);
  await markAccepted(tx, chainId, fileId, { ...file, digest, jobId });
  const payload = { job_id: jobId, file_id: fileId, position: startOfFile };
  await enqueue(tx, readTask, [{ chainId, lane: readingLane(chainId, fileId), batch: jobId, payload }]);
  return { fileId, jobIds: [jobId], isRepeat: false };
}

/**
 * The name that replaces the one from the start of the upload, whether the uploader has been limited to some vendors since
 * then, whether and when the file is applied, the SFTP session that accepts it, and the number of bytes that the client
 * has sent.
 */
type AcceptTerms = {
  finalName?: string | undefined;
  isLimited?: boolean;
  isDryRun?: boolean;
  applyAt?: Date | undefined;
  writer?: string | null;
  size?: number;
};

function originOf({ actor, uploaded_by, channel, address }: FileRow): Origin {
  return { by: actor, name: uploaded_by, channel, address };
}

/** A chain's files are read in a few lanes, so that it cannot use all of the memory for open files. */
function readingLane(chainId: string, fileId: string): string {
  return `files ${chainId} ${crc32(fileId) % lanesPerChain}`;
}

const lanesPerChain = 4;
const repeatHours = 24;

async function listTarget(tx: Tx, chainId: string, file: FileRow): Promise<VendorRow[]> {
  const vendors = file.vendor_ids ? await findVendors(tx, chainId, file.vendor_ids) : await listAllVendors(tx, chainId);
  if (vendors.length === 0) throw new Failure('invalid_request', 'The chain has no vendors yet.');
  return vendors;
}

async function findRepeatedJob(tx: Tx, chainId: string, file: FileRow, digest: Buffer, vendors: VendorRow[]) {
  const earlier = await findRepeated(tx, chainId, file, digest, repeatHours);
  if (!earlier?.job_id) return undefined;
  const [job] = await listJobStates(tx, chainId, [earlier.job_id]);
  if (!job || job.is_dry_run || job.is_scheduled) return undefined;
  if (job.status === 'FAILED' || job.failed > 0 || (await isReverted(tx, chainId, earlier.job_id))) return undefined;
  // Stores are never deleted. A promotion names its stores, or applies to new ones too.
  if (job.type !== 'PROMOTION' && job.vendors < vendors.length) return undefined;
  return { fileId: earlier.file_id, jobIds: [earlier.job_id] };
}

async function acceptJobFor(
  tx: Tx,
  chainId: string,
  file: FileRow,
  vendors: VendorRow[],
  terms: JobTerms,
): Promise<string> {
  // The folder was valid when the upload started.
  const folder = parseFolder(file.folder) as Folder;
  const target: FileTarget = {
    pathVendorId: folder.kind === 'catalog' && folder.vendorId !== 'all' ? folder.vendorId : null,
    vendors: vendors.map(({ vendor_id, locale }) => ({ vendorId: vendor_id, locale })),
    fileName: file.name,
    isLimited: file.is_limited,
    terms,
  };
  if (folder.kind === 'catalog') return acceptUpdateFile(tx, chainId, target);
  if (folder.kind === 'products') return acceptCreationFile(tx, chainId, target);
  return acceptPromotionFile(tx, chainId, {
    fileName: file.name,
    vendorIds: target.vendors.map(({ vendorId }) => vendorId),
    origin: terms.origin,
  });
}
