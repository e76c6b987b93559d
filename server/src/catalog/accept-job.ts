import { acceptJob, insertChunk, type JobOf, moveChunks, shareChunks } from '../jobs/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Origin } from '../kernel/values/origin.ts';
import { newId } from '../kernel/values/ids.ts';
import { creationFileJob, creationJob, exportJob, previewJob, updateFileJob, updateJob } from './jobs.ts';
import { type CreationPlan, productsPerChunk } from './read-creation.ts';
import { chunksPerWindow, type FileChunk } from './read-rows.ts';
import type { UpdatePlan } from './read-update.ts';

/** Who creates a job, whether it only checks its items, and when it is applied. */
export type JobTerms = { origin: Origin; isDryRun?: boolean | undefined; applyAt?: Date | undefined };

export async function acceptUpdate(
  tx: Tx,
  chainId: string,
  vendorId: string,
  { total, chunks }: Extract<UpdatePlan, { kind: 'bulk' }>,
  terms: JobTerms,
): Promise<string> {
  const jobId = newId();
  const lane = updateLane(chainId, vendorId, terms);
  return acceptJob(tx, chainId, terms.isDryRun ? previewJob : updateJob, {
    jobId,
    vendorId,
    vendorIds: [vendorId],
    total,
    ...terms,
    details: { chunks: chunks.length, barcodes: chunks.map((chunk) => chunk.hasBarcodes) },
    chunks: chunks.flatMap(({ updates, log }, no) => [
      { kind: 'updates', no, bytes: updates },
      { kind: 'log', no, bytes: log },
    ]),
    tasks: requestTasks(jobId, vendorId, chunks.length, () => lane),
  });
}

/** The stores that a file changes. `pathVendorId` is set if the file's folder is for a single store. */
export type FileTarget = {
  pathVendorId: string | null;
  vendors: { vendorId: string; locale: string }[];
  fileName: string;
  isLimited: boolean;
  terms: JobTerms;
};

/**
 * Accepts an update whose chunks are added while its file is read (`addFileChunk`). For a single store, one task
 * applies the even chunks and another applies the odd ones, which contain different SKUs. With several stores, each
 * store has one task.
 */
export async function acceptUpdateFile(tx: Tx, chainId: string, target: FileTarget): Promise<string> {
  const { pathVendorId, vendors, fileName, terms } = target;
  const jobId = newId();
  return acceptJob(tx, chainId, terms.isDryRun ? previewJob : updateFileJob, {
    jobId,
    vendorId: pathVendorId,
    vendorIds: vendors.map(({ vendorId }) => vendorId),
    total: 0,
    fileName,
    ...terms,
    details: { chunks: 0, barcodes: [], is_open: true, vendors: vendors.length },
    chunks: [],
    tasks: fileTasks(
      jobId,
      vendors.map(({ vendorId }) => vendorId),
      (vendorId) => updateLane(chainId, vendorId, terms),
    ),
  });
}

/**
 * Accepts a job that applies a preview. The preview's chunks are moved to the new job, so a preview can be applied only
 * once. The caller has locked the preview.
 */
export async function acceptPreview(
  tx: Tx,
  chainId: string,
  preview: JobOf<typeof updateJob>,
  terms: JobTerms,
): Promise<string> {
  const jobId = newId();
  const { vendor_ids: vendorIds, details } = preview;
  const lane = (vendorId: string) => vendorLane(chainId, vendorId);
  const isFile = details.vendors !== undefined;
  await acceptJob(tx, chainId, isFile ? updateFileJob : updateJob, {
    jobId,
    vendorId: preview.vendor_id,
    vendorIds,
    total: preview.total,
    fileName: preview.file_name ?? undefined,
    ...terms,
    details,
    chunks: [],
    tasks: isFile
      ? fileTasks(jobId, vendorIds, lane)
      : requestTasks(jobId, preview.vendor_id ?? '', details.chunks, lane),
  });
  await moveChunks(tx, chainId, preview.job_id, jobId);
  return jobId;
}

/** Accepts a creation whose chunks are added while its file is read. */
export async function acceptCreationFile(tx: Tx, chainId: string, target: FileTarget): Promise<string> {
  const { pathVendorId, vendors, fileName, isLimited, terms } = target;
  const jobId = newId();
  return acceptJob(tx, chainId, creationFileJob, {
    jobId,
    vendorId: pathVendorId,
    vendorIds: vendors.map(({ vendorId }) => vendorId),
    total: 0,
    fileName,
    ...terms,
    details: {
      chunks: 0,
      locale: vendors[0]?.locale ?? 'en_US',
      is_limited: isLimited,
      is_open: true,
      vendors: vendors.length,
    },
    chunks: [],
    tasks: vendors.map(({ vendorId }, index) => ({
      lane: vendorLane(chainId, vendorId),
      payload: { job_id: jobId, vendor_ids: [vendorId], known: true, index, chunk: 0 },
    })),
  });
}

/** Adds a chunk to a job that was created from a file. The caller also increments `chunks` in the job's details. */
export function addFileChunk(tx: Tx, chainId: string, jobId: string, no: number, chunk: FileChunk) {
  const { hasBarcodes: _stored, ...kinds } = { hasBarcodes: false, ...chunk };
  for (const [kind, bytes] of Object.entries(kinds)) insertChunk(tx, chainId, jobId, { kind, no, bytes });
}

export async function acceptExport(tx: Tx, chainId: string, vendorId: string, origin: Origin): Promise<string> {
  const jobId = newId();
  return acceptJob(tx, chainId, exportJob, {
    jobId,
    vendorId,
    vendorIds: [vendorId],
    total: 0,
    origin,
    details: {},
    chunks: [],
    tasks: [{ lane: vendorLane(chainId, vendorId), payload: { job_id: jobId, vendor_id: vendorId } }],
  });
}

export type CreationTarget = {
  /** The vendor in the request path, if there is one. */
  pathVendorId: string | null;
  known: { vendorId: string; locale: string }[];
  unknown: string[];
  /** Whether the credential is limited to some vendors and therefore cannot create products in the chain. */
  isLimited: boolean;
};

/**
 * Enqueues one task per vendor, in the vendor's lane, so that the creation runs in sequence with the vendor's other
 * jobs.
 */
export async function acceptCreation(
  tx: Tx,
  chainId: string,
  { pathVendorId, known, unknown, isLimited }: CreationTarget,
  { total, chunks }: CreationPlan,
  origin: Origin,
): Promise<string> {
  const jobId = newId();
  const vendorIds = known.map(({ vendorId }) => vendorId);
  const vendorsPerTask = Math.ceil(rejectionsPerSlice / Math.min(total, productsPerChunk));
  const shares = [
    ...vendorIds.map((vendorId) => ({ lane: vendorLane(chainId, vendorId), vendor_ids: [vendorId], known: true })),
    ...inGroups(unknown, vendorsPerTask).map((group, index) => ({
      lane: `job ${jobId} ${index}`,
      vendor_ids: group,
      known: false,
    })),
  ];
  return acceptJob(tx, chainId, creationJob, {
    jobId,
    vendorId: pathVendorId,
    vendorIds: [...vendorIds, ...unknown],
    total: total * (vendorIds.length + unknown.length),
    origin,
    details: { chunks: chunks.length, locale: known[0]?.locale ?? 'en_US', is_limited: isLimited },
    chunks: chunks.flatMap(({ products, offers }, no) => [
      { kind: 'products', no, bytes: products },
      { kind: 'offers', no, bytes: offers },
    ]),
    tasks: shares.map(({ lane, ...share }, index) => ({
      lane,
      payload: { job_id: jobId, ...share, index, chunk: 0 },
    })),
  });
}

/** All items for an unknown vendor fail without further work, so one task handles many unknown vendors. */
const rejectionsPerSlice = 100_000;

type Lane = (vendorId: string) => string;

function requestTasks(jobId: string, vendorId: string, chunks: number, lane: Lane) {
  return shareChunks(chunks).map((share) => ({
    lane: lane(vendorId),
    payload: { job_id: jobId, vendor_id: vendorId, ...share },
  }));
}

function fileTasks(jobId: string, vendorIds: string[], lane: Lane) {
  const step = vendorIds.length === 1 ? chunksPerWindow : 1;
  return vendorIds.flatMap((vendorId, index) =>
    Array.from({ length: step }, (_, chunk) => ({
      lane: lane(vendorId),
      payload: { job_id: jobId, vendor_id: vendorId, chunk, step, index },
    })),
  );
}

/** A preview changes nothing, so it does not wait for the vendor's jobs and they do not wait for it. */
function updateLane(chainId: string, vendorId: string, { isDryRun = false }: JobTerms): string {
  return isDryRun ? `preview ${chainId} ${vendorId}` : vendorLane(chainId, vendorId);
}

/** A vendor's jobs run one at a time, in the order they were accepted. */
export function vendorLane(chainId: string, vendorId: string): string {
  return `vendor ${chainId} ${vendorId}`;
}

function inGroups<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  );
}
