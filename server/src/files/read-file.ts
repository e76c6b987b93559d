import { describeFault } from '@aisle/contract/file-faults';
import { fileKinds, type FileKind } from '@aisle/contract/file-kinds';
import { maxInteger } from '@aisle/contract/sizes';
import { addFileChunk } from '../catalog/index.ts';
import { deleteChunks, extendJob, fileRowsKind, getJob, insertChunk, type JobRow } from '../jobs/index.ts';
import { wakeBatch } from '../kernel/background/queue.ts';
import type { TaskResult } from '../kernel/background/worker.ts';
import { type Db, skipFlush, type Tx } from '../kernel/database/db.ts';
import { type Content, openContent } from './content.ts';
import { rejectFile } from './reject-file.ts';
import { deleteParts } from './part-queries.ts';
import { type FileRow, findFile, findFormat, updateFormat } from './queries.ts';
import { type Reading, type ReadOptions, readNext } from './read-next.ts';
import type { Window, WindowError } from './read-window.ts';
import type { Position, ReadPayload } from './read-task.ts';
import { readPromotionFile } from './read-promotion-file.ts';
import { readFormat } from './rules/format.ts';
import { encodeRows, type UploadedRows } from './stored-rows.ts';

export type FileReader = {
  slice(tx: Tx, chainId: string, payload: ReadPayload): Promise<TaskResult<ReadPayload>>;
  close(): Promise<void>;
};

/**
 * How a file is read into a job: its bytes become the same chunks as the body of an API request.
 *
 *   accept    One transaction (accept-file.ts) creates the job, its tasks in the lanes of the stores, and the task that
 *             reads the file, in another lane.
 *   slice     Each run of that task is one transaction (this file). It reads a few windows of the content (each at most
 *             1 MiB or 20,000 rows). A thread (read-window.ts) splits each window into rows, converts them to items and
 *             validates them with the API's own code. The resulting chunks and the position are stored together, so a
 *             slice that is interrupted by a crash has no effect and can be repeated.
 *   apply     The job's tasks apply the chunks in order while the file is still being read. They wait for more chunks
 *             as long as the job is open.
 *   end       The last slice closes the job and deletes the content. If part of the file cannot be read, the job ends
 *             as FAILED, and its result file contains the line number and the reason (reject-file.ts).
 *
 * If a SKU is repeated in a later window, that row is applied later, so the last row for a SKU takes precedence. The
 * two chunks of a window have no SKUs in common, and all rows for a SKU are in chunks of the same task.
 *
 * The next slice usually runs in the same process and continues with the open content. Otherwise the content is opened
 * again at the stored position.
 */
export function createFileReader(options: ReadOptions): FileReader {
  const open = createOpenContents(options);
  return {
    async slice(tx, chainId, payload) {
      const file = await findFile(tx, chainId, null, payload.file_id);
      const job = await getJob(tx, chainId, payload.job_id);
      if (!file) return 'done';
      if (!isOpen(job)) {
        // The job was cancelled or stopped before the file was read to its end.
        await deleteParts(tx, chainId, file.file_id);
        return 'done';
      }
      const content = await open.take(tx, chainId, file, payload.position.byte);
      const reading = { tx, chainId, file, job, content, options };
      try {
        const result = await readSlice(reading, payload);
        if (result !== 'done') open.keep(file.file_id, content);
        return result;
      } catch (error) {
        await content?.close();
        throw error;
      } finally {
        open.leave(file.file_id);
      }
    },
    close: open.close,
  };
}

/** Several windows are stored together, except the first, so that the job's tasks can start early. */
const windowsPerSlice = 4;

async function readSlice(reading: Reading, payload: ReadPayload): Promise<TaskResult<ReadPayload>> {
  const { tx, chainId, file, job } = reading;
  const kind = kindOf(file);
  if (kind === 'promotions') return readPromotionFile(reading);
  let { position } = payload;
  const stored = await findFormat(tx, chainId, file.file_id);
  let format = stored === null ? null : readFormat(stored);
  const finish = async (error?: WindowError): Promise<'done'> => {
    if (format) await updateFormat(tx, chainId, file.file_id, format);
    if (error) await rejectFile(tx, chainId, job, error);
    await store(reading, payload.position, position, false);
    await deleteParts(tx, chainId, file.file_id);
    return 'done';
  };
  const windows = position.byte === 0 ? 1 : windowsPerSlice;
  for (let count = 0; count < windows; count++) {
    const next = await readNext(reading, kind, position, format);
    if ('error' in next) return finish(next.error);
    if ((position.rows + next.window.rows) * vendorsOf(job) > maxInteger) return finish(tooManyRows(position.line));
    format = next.window.format;
    position = await storeWindow(reading, position, next);
    if (next.isEnd) return finish(position.rows === 0 ? noRows(position.line) : undefined);
  }
  skipFlush(tx);
  if (stored === null && format) await updateFormat(tx, chainId, file.file_id, format);
  if (await store(reading, payload.position, position, true)) return { again: { ...payload, position } };
  await deleteParts(tx, chainId, file.file_id);
  return 'done';
}

/** The rows as they were uploaded are stored with the number of the window's first chunk. */
async function storeWindow(
  { tx, chainId, job }: Reading,
  position: Position,
  { window, rows }: { window: Window; rows: UploadedRows },
): Promise<Position> {
  const bytes = await encodeRows(rows);
  insertChunk(tx, chainId, job.job_id, { kind: fileRowsKind, no: position.chunks, bytes });
  for (const [index, part] of window.chunks.entries()) {
    if ('chunk' in part) addFileChunk(tx, chainId, job.job_id, position.chunks + index, part.chunk);
  }
  return {
    byte: position.byte + window.bytes,
    line: window.line,
    rows: position.rows + window.rows,
    chunks: position.chunks + window.chunks.length,
  };
}

/**
 * Makes the new chunks visible to the job's tasks. This locks the job's row, so it is done last. Deletes the chunks and
 * returns false if the job was cancelled in the meantime.
 */
async function store(
  { tx, chainId, job }: Reading,
  from: Position,
  to: Position,
  isStillOpen: boolean,
): Promise<boolean> {
  await wakeBatch(tx, chainId, job.job_id);
  const isExtended = await extendJob(tx, chainId, job.job_id, {
    items: (to.rows - from.rows) * vendorsOf(job),
    details: { chunks: to.chunks, is_open: isStillOpen },
  });
  if (!isExtended) await deleteChunks(tx, chainId, job.job_id);
  return isExtended;
}

function kindOf({ folder }: FileRow): FileKind {
  return fileKinds.find((kind) => folder.startsWith(`/${kind}`)) ?? 'catalog';
}

function isOpen(job: JobRow): boolean {
  return (job.details as { is_open?: boolean }).is_open === true;
}

function vendorsOf(job: JobRow): number {
  return (job.details as { vendors?: number }).vendors ?? 1;
}

function noRows(line: number): WindowError {
  return { line, column: 1, reason: describeFault('no_rows') };
}

function tooManyRows(line: number): WindowError {
  return { line, column: 1, reason: describeFault('too_many_rows') };
}

/** The contents that earlier slices left open, keyed by file. */
function createOpenContents({ db, limits }: ReadOptions) {
  const contents = new Map<string, Content>();
  /** The transactions of the slices that read. A second connection may not be free until they end. */
  const transactions = new Map<string, Tx>();
  const openAt = (chainId: string, { file_id: fileId, size }: FileRow, byte: number) => {
    const own: Db = { query: (...statement) => (transactions.get(fileId) ?? db).query(...statement) };
    return openContent({ db: own, readAhead: db }, chainId, { fileId, size }, byte, limits);
  };
  const closeOldest = async () => {
    const [fileId, content] = [...contents][0] ?? [];
    if (fileId === undefined) return;
    contents.delete(fileId);
    await content?.close();
  };
  return {
    async take(tx: Tx, chainId: string, file: FileRow, byte: number): Promise<Content> {
      transactions.set(file.file_id, tx);
      const content = contents.get(file.file_id);
      contents.delete(file.file_id);
      if (content?.position() === byte) return content;
      await content?.close();
      return openLazily(() => openAt(chainId, file, byte), byte);
    },
    leave: (fileId: string) => void transactions.delete(fileId),
    keep(fileId: string, content: Content) {
      contents.set(fileId, content);
      if (contents.size > maxOpen) void closeOldest();
    },
    async close() {
      while (contents.size > 0) await closeOldest();
    },
  };
}

/** Enough for eight chains that upload many files. A compressed file that is closed must be read from its start again. */
const maxOpen = 32;

/** Opens the content on the first read, because that is where errors in the file are handled. */
function openLazily(open: () => Promise<Content>, byte: number): Content {
  let content: Content | undefined;
  return {
    position: () => content?.position() ?? byte,
    async peek(bytes) {
      content ??= await open();
      return content.peek(bytes);
    },
    skip: (bytes) => content?.skip(bytes),
    close: async () => content?.close(),
  };
}
