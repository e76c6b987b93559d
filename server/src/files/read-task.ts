import Type, { type Static } from 'typebox';
import { jobPayload } from '../jobs/index.ts';
import { defineTask } from '../kernel/background/queue.ts';

/**
 * Where the next slice continues. Everything before it is in the job's chunks. A slice starts at the first byte of a
 * row, so the rows before it do not have to be read again.
 */
const Position = Type.Object({
  /** The offset in the decompressed content. */
  byte: Type.Integer(),
  /** The number of the next line. */
  line: Type.Integer(),
  /** The number of rows read and of chunks written so far. */
  rows: Type.Integer(),
  chunks: Type.Integer(),
});
export type Position = Static<typeof Position>;

export const startOfFile: Position = { byte: 0, line: 1, rows: 0, chunks: 0 };

/** Reads a file into the chunks of its job. */
export const readTask = defineTask('files.read', { ...jobPayload, file_id: Type.String(), position: Position });
export type ReadPayload = ReturnType<typeof readTask.readPayload>;
