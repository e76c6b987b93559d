import { type CreationPlan, readCreationRows } from './read-creation.ts';
import { collectUpdateRows, type FileItem, type RowCollector, type UpdateChunk } from './read-update.ts';

/** A chunk of an update or creation file. */
export type FileChunk = UpdateChunk | CreationPlan['chunks'][number];

/** Rows that are read from an update file together are divided by SKU into this many chunks. */
export const chunksPerWindow = 2;

/** How the rows of a file become chunks of its job. Threads load this module on its own, because it is small. */
export const rowReaders = {
  chunksPerWindow,
  catalog: (options: { isLimited: boolean; hasVendors: boolean }): RowCollector<FileChunk> =>
    collectUpdateRows(options),
  products: (rows: FileItem[]): FileChunk => readCreationRows(rows),
};
export type RowReaders = typeof rowReaders;
