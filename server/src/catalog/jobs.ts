import Type from 'typebox';
import { defineJob, jobPayload, renameTask } from '../jobs/index.ts';

/** Absent in jobs that were created by a request, which has been read completely when the job is accepted. */
const fileDetails = {
  /** Whether the file is still being read, so more chunks may be added. */
  is_open: Type.Optional(Type.Boolean()),
  /** The number of vendors in the job. */
  vendors: Type.Optional(Type.Integer()),
};

export const updateJob = defineJob({
  type: 'CATALOG_UPDATE',
  task: 'catalog.update',
  /** The next chunk. Each task in a job processes every `step`th chunk. */
  payload: {
    ...jobPayload,
    vendor_id: Type.String(),
    chunk: Type.Integer(),
    step: Type.Integer(),
    /** The position of the vendor in a job for several vendors. */
    index: Type.Optional(Type.Integer()),
    /** Whether most items in the task's last chunk were unchanged. Then this is expected of the next one. */
    mostly_unchanged: Type.Optional(Type.Boolean()),
  },
  details: {
    ...fileDetails,
    chunks: Type.Integer(),
    /** For each chunk, whether it has barcodes. */
    barcodes: Type.Array(Type.Boolean()),
    /** Set by a preview if any of its valid items has a barcode. */
    has_barcodes: Type.Optional(Type.Boolean()),
  },
});

export const previewJob = renameTask(updateJob, 'catalog.preview');
export const updateFileJob = renameTask(updateJob, 'catalog.update_file');

/** Restores what another update has changed. */
export const revertJob = defineJob({
  type: 'CATALOG_UPDATE',
  task: 'catalog.revert',
  payload: {
    ...jobPayload,
    vendor_id: Type.String(),
    /** The position of the vendor in the job. */
    index: Type.Integer(),
    /** The number of slices so far, and of their rows. */
    part: Type.Integer(),
    rows: Type.Integer(),
    /** The change that was reverted last. */
    before: Type.Optional(Type.String()),
    /** The last SKU of the next change that has been reverted already. */
    after: Type.Optional(Type.String()),
  },
  details: {
    reverts: Type.String(),
    is_limited: Type.Boolean(),
    /** Whether only some SKUs are reverted. They are in a chunk of the kind `skus`. */
    has_skus: Type.Boolean(),
  },
});

export const creationJob = defineJob({
  type: 'PRODUCT_CREATION',
  task: 'catalog.creation',
  payload: {
    ...jobPayload,
    /** The id of one of the chain's vendors or, if `known` is false, ids that match none of them. */
    vendor_ids: Type.Array(Type.String()),
    known: Type.Boolean(),
    /** The position of the task within its job. */
    index: Type.Integer(),
    chunk: Type.Integer(),
  },
  details: {
    ...fileDetails,
    chunks: Type.Integer(),
    locale: Type.String(),
    /** Whether the job can create only offers, not products. Absent in jobs that were queued by an earlier version. */
    is_limited: Type.Optional(Type.Boolean()),
  },
});

export const creationFileJob = renameTask(creationJob, 'catalog.creation_file');

export const exportJob = defineJob({
  type: 'CATALOG_EXPORT',
  task: 'catalog.export',
  payload: { ...jobPayload, vendor_id: Type.String() },
  details: {},
});

/**
 * How long a task waits before it checks for the next chunk of a file, unless a new chunk wakes it. The wait is longer
 * with many vendors, so that polling does not keep the workers busy.
 */
export function fileWaitMs(vendors = 1): number {
  return Math.min(5000, 500 + 10 * vendors);
}
