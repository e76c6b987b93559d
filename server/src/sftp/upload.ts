import { setTimeout as sleep } from 'node:timers/promises';
import {
  appendPart,
  checkSize,
  deleteUnfinished,
  type FileRow,
  type Folder,
  folderPath,
  isTemporaryName,
  partBytes,
  releaseFile,
  releaseWritten,
  renameFile,
  startFile,
  takeOverFile,
} from '../files/index.ts';
import { skipFlush } from '../kernel/database/db.ts';
import { acceptUpload } from './accept-upload.ts';
import { type SessionContext, uploaderOf } from './context.ts';
import { denied, noSuchFile, OPEN_MODE, refuse } from './refusal.ts';
import type { Inbox } from './rules/path.ts';
import { expectedSize, rememberSize } from './written-sizes.ts';
import { findUnfinished, getInbox, listUnfinished, maxUnfinished } from './tree.ts';

/**
 * A file that is being written. Bytes are collected and stored in whole parts: a write is acknowledged when it is in
 * memory, and the next one waits while parts are being stored. If the connection or the process dies, the last bytes
 * are lost, and the size that the client sees when it resumes is the size that is stored. Nothing is lost once the file
 * is accepted, because it is accepted only after everything has been stored.
 */
export type Upload = {
  fileId: string;
  folder: Folder;
  name: string;
  isAppend: boolean;
  stored: number;
  /** Where the last of the acknowledged bytes end. */
  acknowledged: number;
  pending: Buffer[];
  pendingBytes: number;
  /** Writes that arrived out of order, by offset. Some clients send several at a time. */
  ahead: Map<number, Buffer>;
  aheadBytes: number;
  /** How many of the chain's bytes in memory are counted for this upload. */
  counted: number;
  /** Set if bytes could not be stored. The file can then no longer be completed with this handle. */
  failure?: unknown;
  isAccepted: boolean;
  startedAt: number;
  storedAt: number;
};

type UploadPlace = Inbox & { name: string };

const flushBytes = 4 * partBytes;
/** The bytes of a slow client are stored after this time, so that other sessions see that it is still writing. */
const maxPendingMs = 60_000;
const maxAheadBytes = 4 * 1024 * 1024;
const maxAheadWrites = 256;
const maxPieces = 64;
/** What a piece takes in memory in addition to its bytes. */
const pieceOverhead = 512;
const minRewriteBytes = 8 * 1024;
/** How long the database takes for a part, approximately. */
const rewriteMs = 5;

export async function openUpload(
  context: SessionContext,
  place: UploadPlace,
  path: string,
  flags: number,
): Promise<Upload> {
  const folder = await getInbox(context, place, path);
  const existing = await findUnfinished(context, folder, place.name);
  if (!existing && !(flags & OPEN_MODE.CREAT)) throw noSuchFile(path);
  if (existing && flags & OPEN_MODE.EXCL) throw refuse('FAILURE', 'The file exists.');
  const isResumed = !(flags & OPEN_MODE.TRUNC) && context.accepted.has(`${folderPath(folder)}/${place.name}`);
  // The client would send only the rest of the file, which would be accepted as a file of its own.
  if (!existing && isResumed) throw refuse('FAILURE', 'The file has been accepted already; upload it from the start.');
  const isContinued = existing !== undefined && !(flags & OPEN_MODE.TRUNC);
  const file = isContinued ? existing : await createFile(context, folder, place.name);
  // The client does not know where the file ends if the database has lost a part of it.
  if (isContinued && flags & OPEN_MODE.APPEND) checkSize(file, expectedSize(context, file.file_id, file.size));
  if (isContinued) await takeOver(context, file.file_id);
  return {
    fileId: file.file_id,
    folder,
    name: place.name,
    isAppend: (flags & OPEN_MODE.APPEND) !== 0,
    stored: file.size,
    acknowledged: file.size,
    pending: [],
    pendingBytes: 0,
    ahead: new Map(),
    aheadBytes: 0,
    counted: 0,
    isAccepted: false,
    startedAt: performance.now(),
    storedAt: performance.now(),
  };
}

export async function writeUpload(
  context: SessionContext,
  upload: Upload,
  offset: number,
  bytes: Buffer,
): Promise<void> {
  if (upload.failure !== undefined) throw upload.failure;
  if (bytes.length === 0) return;
  const at = upload.isAppend ? sizeOf(upload) : offset;
  await writeAt(context, upload, at, bytes);
  upload.acknowledged = Math.max(upload.acknowledged, at + bytes.length);
}

async function writeAt(context: SessionContext, upload: Upload, at: number, bytes: Buffer): Promise<void> {
  const end = sizeOf(upload);
  if (!Number.isSafeInteger(at) || at < 0 || at > end + maxAheadBytes) throw notSequential(end, at);
  // ssh2 reuses its buffers.
  const copy = copyOf([bytes]);
  if (at > end) return keepAhead(context, upload, at, copy);
  if (at < end) {
    await storePending(context, upload, upload.pendingBytes);
    return overwriteEnd(context, upload, at, copy);
  }
  for (let next: Buffer | undefined = copy; next; next = takeAhead(upload)) {
    upload.pending.push(next);
    upload.pendingBytes += next.length;
    // A piece of a few bytes takes much more memory than what is counted.
    if (upload.pending.length > maxPieces) upload.pending = [copyOf(upload.pending)];
  }
  const isLate = performance.now() - upload.storedAt > maxPendingMs;
  // If the chain holds too much in memory, everything is stored at once.
  if (!countBytes(context, upload) || isLate) return storePending(context, upload, upload.pendingBytes);
  if (upload.pendingBytes < flushBytes) return;
  // Only whole parts are stored, so that no part is written twice.
  await storePending(context, upload, upload.pendingBytes - (sizeOf(upload) % partBytes));
}

/** Stores everything that was written, so that the size in the database is the size that the client expects. */
export async function flushUpload(context: SessionContext, upload: Upload): Promise<void> {
  if (upload.failure !== undefined) throw upload.failure;
  await storePending(context, upload, upload.pendingBytes);
}

/**
 * Accepts the file, unless its name is temporary. When this returns, the acceptance has been committed, and the file is on
 * the disk.
 */
export async function closeUpload(context: SessionContext, upload: Upload): Promise<void> {
  await flushUpload(context, upload);
  if (upload.ahead.size > 0) throw refuse('FAILURE', `The bytes from ${upload.stored} on are missing.`);
  const { fileId, folder, name, stored, startedAt } = upload;
  const { db, user, writer } = context;
  const size = expectedSize(context, fileId, stored);
  if (isTemporaryName(name)) return db.transaction((tx) => releaseWritten(tx, user.chain_id, fileId, { writer, size }));
  await acceptUpload(context, { fileId, folder, name, size, startedAt });
  upload.isAccepted = true;
}

/** Called when the file is closed or its session ends. */
export async function releaseUpload(context: SessionContext, upload: Upload): Promise<void> {
  const { memory, db, user, writer } = context;
  memory.give(upload.counted);
  upload.counted = 0;
  upload.ahead.clear();
  if (upload.isAccepted) return;
  rememberSize(context, upload.fileId, upload.acknowledged);
  // If this fails, other sessions can rename or delete the file after some minutes.
  await db.transaction((tx) => releaseFile(tx, user.chain_id, upload.fileId, writer)).catch(() => {});
}

export function sizeOf({ stored, pendingBytes }: Upload): number {
  return stored + pendingBytes;
}

/** A file with a temporary name is accepted when it gets its final name. */
export async function renameUpload(
  context: SessionContext,
  from: { place: UploadPlace; path: string },
  to: { place: UploadPlace; path: string },
): Promise<void> {
  const folder = await getInbox(context, from.place, from.path);
  const target = await getInbox(context, to.place, to.path);
  const file = await findUnfinished(context, folder, from.place.name);
  if (!file) throw noSuchFile(from.path);
  if (folderPath(folder) !== folderPath(target)) throw denied('A file cannot be moved to another folder.');
  const { name } = to.place;
  if (isTemporaryName(name)) {
    return context.db.transaction((tx) => renameFile(tx, context.user.chain_id, file.file_id, name, context.writer));
  }
  if (!isTemporaryName(file.name)) {
    throw denied('The upload of this file was interrupted; complete it or delete it, and do not rename it.');
  }
  const size = expectedSize(context, file.file_id, file.size);
  await acceptUpload(context, { fileId: file.file_id, folder, name, size, startedAt: performance.now() });
}

/** Deletes an unfinished file. An accepted file only disappears from the session; its job is not affected. */
export async function removeUpload(context: SessionContext, place: UploadPlace, path: string): Promise<void> {
  const folder = await getInbox(context, place, path);
  const file = await findUnfinished(context, folder, place.name);
  const { db, user, writer } = context;
  if (file) return db.transaction((tx) => deleteUnfinished(tx, user.chain_id, file.file_id, writer));
  if (!context.accepted.delete(`${folderPath(folder)}/${place.name}`)) throw noSuchFile(path);
}

async function createFile(context: SessionContext, folder: Folder, name: string): Promise<FileRow> {
  const { db, user, writer } = context;
  if ((await listUnfinished(context)).length >= maxUnfinished) {
    throw refuse('FAILURE', `You have ${maxUnfinished} unfinished files; complete or delete some of them.`);
  }
  const file = { folder, name, uploader: uploaderOf(context), writer };
  return db.transaction((tx) => startFile(tx, user.chain_id, file));
}

function takeOver({ db, user, writer }: SessionContext, fileId: string): Promise<void> {
  return db.transaction((tx) => takeOverFile(tx, user.chain_id, fileId, writer));
}

function keepAhead(context: SessionContext, upload: Upload, offset: number, bytes: Buffer): void {
  const { ahead } = upload;
  const isRoom = ahead.size < maxAheadWrites && !ahead.has(offset);
  upload.aheadBytes += bytes.length + pieceOverhead;
  if (isRoom && countBytes(context, upload)) ahead.set(offset, bytes);
  else {
    upload.aheadBytes -= bytes.length + pieceOverhead;
    throw notSequential(sizeOf(upload), offset);
  }
}

function takeAhead(upload: Upload): Buffer | undefined {
  const end = sizeOf(upload);
  const bytes = upload.ahead.get(end);
  upload.ahead.delete(end);
  if (bytes) upload.aheadBytes -= bytes.length + pieceOverhead;
  return bytes;
}

/** Counts the bytes that the upload holds in memory. Returns false if the chain cannot hold that many. */
function countBytes({ memory }: SessionContext, upload: Upload): boolean {
  const more = upload.pendingBytes + upload.aheadBytes - upload.counted;
  if (more > 0 && !memory.take(more)) return false;
  if (more < 0) memory.give(-more);
  upload.counted += more;
  return true;
}

async function storePending(context: SessionContext, upload: Upload, count: number): Promise<void> {
  if (count <= 0) return;
  const bytes = Buffer.concat(upload.pending);
  // A part of a buffer keeps all of it in memory.
  upload.pending = count < bytes.length ? [copyOf([bytes.subarray(count)])] : [];
  upload.pendingBytes = bytes.length - count;
  await store(context, upload, upload.stored, bytes.subarray(0, count));
  countBytes(context, upload);
}

/** A copy in memory of its own. Node keeps small buffers in shared memory, so one byte could keep 64 KiB. */
function copyOf(pieces: Buffer[]): Buffer {
  const copy = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(copy, at);
  return copy;
}

/** A client that resumes may send the last bytes again. */
function overwriteEnd(context: SessionContext, upload: Upload, offset: number, bytes: Buffer): Promise<void> {
  if (offset + bytes.length < upload.stored) throw notSequential(upload.stored, offset);
  return store(context, upload, offset, bytes);
}

async function store(context: SessionContext, upload: Upload, offset: number, bytes: Buffer): Promise<void> {
  const { db, user, config, writer, budget } = context;
  try {
    // A few bytes in the middle of a part make the database write all of it again.
    const isRewrite = offset % partBytes > 0 && bytes.length < minRewriteBytes;
    if (isRewrite) await sleep(budget.spend(user.chain_id, rewriteMs));
    await db.transaction(async (tx) => {
      // The commit that accepts the file also flushes all earlier commits to disk.
      skipFlush(tx);
      await appendPart(tx, user.chain_id, upload.fileId, offset, bytes, config.limits, writer);
    });
    upload.stored = offset + bytes.length;
    upload.storedAt = performance.now();
  } catch (error) {
    upload.failure = error;
    throw error;
  }
}

function notSequential(size: number, offset: number) {
  return refuse(
    'FAILURE',
    `The file has ${size} bytes, and the data starts at byte ${offset}; write it from start to end.`,
  );
}
