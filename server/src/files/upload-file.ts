import { describeValue } from '@aisle/contract/value-faults';
import { Failure, invalid, notFound } from '../kernel/failures/failure.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import type { Origin } from '../kernel/values/origin.ts';
import { getVendor } from '../identity/index.ts';
import { checkStored } from '../jobs/index.ts';
import { partBytes, writePartBytes } from './part-queries.ts';
import { deleteFile, type FileRow, insertFile } from './queries.ts';
import { type Folder, folderPath, parseFolder, requiredScope } from './rules/folder.ts';
import { isFileName, maxNameLength } from './rules/name.ts';
import {
  clearWriter,
  deleteUnfinishedNamed,
  lockUnfinished,
  lockUnfinishedNamed,
  sumUnfinishedBytes,
  updateName,
  updateSize,
  updateWriter,
} from './unfinished-queries.ts';

/** Who uploads a file. The scopes and vendors are those of the credential, and null means every vendor. */
export type Uploader = Origin & { vendorIds: readonly string[] | null; scopes: readonly string[] };

export type UploadLimits = { fileBytes: number; unfinishedBytes: number };

/**
 * Returns the folder with this path. A store's external id is replaced with its platform id. Fails if there is no such
 * folder, or if the uploader cannot access the store.
 */
export async function getFolder(
  db: Db,
  chainId: string,
  uploader: Pick<Uploader, 'vendorIds'>,
  path: string,
): Promise<Folder> {
  const folder = parseFolder(path);
  if (!folder) {
    const message = 'must be /catalog/<store>, /catalog/all, /products or /promotions';
    throw invalid([{ pointer: 'folder', code: 'not_allowed', message }]);
  }
  if (folder.kind !== 'catalog' || folder.vendorId === 'all') return folder;
  return { kind: 'catalog', vendorId: (await getVendor(db, chainId, uploader, folder.vendorId)).vendor_id };
}

/**
 * Creates an unfinished file. With SFTP, it replaces the uploader's unfinished file with the same name, even if another
 * session has it open: a client that has lost its connection starts over before the server notices.
 */
export async function startFile(
  tx: Tx,
  chainId: string,
  { folder, name, uploader, writer = null }: NewUpload,
): Promise<FileRow> {
  checkName(name);
  const scope = requiredScope(folder);
  if (!uploader.scopes.includes(scope)) throw new Failure('forbidden', `Uploading to this folder requires ${scope}.`);
  const file = {
    file_id: newId(),
    folder: folderPath(folder),
    name,
    vendor_ids: storesOf(folder, uploader),
    is_limited: uploader.vendorIds !== null,
    uploaded_by: uploader.name,
    actor: uploader.by,
    address: uploader.address,
    channel: uploader.channel,
    writer,
  };
  await checkStored(tx, chainId);
  // The other channels send a file in one request, and two such requests must not interfere with each other.
  if (uploader.channel === 'sftp') await deleteUnfinishedNamed(tx, chainId, file);
  return insertFile(tx, chainId, file);
}

/** `writer` is the SFTP session that writes the file. In the other channels, no other request knows the file. */
type NewUpload = { folder: Folder; name: string; uploader: Uploader; writer?: string | null };

/** Makes the session the writer of the file. The session that was it before can no longer write. */
export async function takeOverFile(tx: Tx, chainId: string, fileId: string, writer: string): Promise<void> {
  await lockUnfinishedFile(tx, chainId, fileId);
  await updateWriter(tx, chainId, fileId, writer);
}

/**
 * Adds bytes to an unfinished file. They must start at or before its current end, and must not end before it.
 * Concurrent uploads can exceed the limit on the chain's unfinished bytes, by one call each, because a lock would make
 * them wait for each other.
 */
export async function appendPart(
  tx: Tx,
  chainId: string,
  fileId: string,
  offset: number,
  bytes: Uint8Array,
  limits: UploadLimits,
  writer: string | null = null,
): Promise<void> {
  const file = await lockUnfinishedFile(tx, chainId, fileId);
  if (file.writer !== writer) throw inUse(file.name);
  const { size } = file;
  const end = offset + bytes.length;
  if (offset > size || end < size) throw notSequential(size, offset);
  if (end > limits.fileBytes) throw fileTooLarge(limits.fileBytes);
  if ((await sumUnfinishedBytes(tx, chainId)) + end - size > limits.unfinishedBytes) {
    throw tooManyUnfinished(limits.unfinishedBytes);
  }
  for (let at = 0; at < bytes.length; ) {
    const keep = (offset + at) % partBytes;
    const piece = bytes.subarray(at, at + partBytes - keep);
    await writePartBytes(tx, chainId, fileId, { no: Math.floor((offset + at) / partBytes), keep, bytes: piece });
    at += piece.length;
  }
  await updateSize(tx, chainId, fileId, end);
}

/**
 * Ends the writing of a file that is not accepted yet. When this is committed, all of its parts are on the disk. Fails
 * if some of them were lost.
 */
export async function releaseWritten(
  tx: Tx,
  chainId: string,
  fileId: string,
  { writer, size }: { writer: string; size: number },
): Promise<void> {
  checkSize(await getUnfinished(tx, chainId, fileId, writer), size);
  await clearWriter(tx, chainId, fileId, writer);
}

/** Parts are stored without waiting for the disk, so PostgreSQL loses the last ones if it crashes. */
export function checkSize({ size }: Pick<FileRow, 'size'>, expected: number): void {
  if (size === expected) return;
  const detail = `The database has lost a part of the file: ${size} of ${expected} bytes are stored. Resume the upload, or send the file again.`;
  throw new Failure('service_unavailable', detail);
}

/** Renames an unfinished file. It replaces the uploader's unfinished file with that name. */
export async function renameFile(
  tx: Tx,
  chainId: string,
  fileId: string,
  name: string,
  writer: string | null = null,
): Promise<void> {
  checkName(name);
  const file = await getUnfinished(tx, chainId, fileId, writer);
  if (file.name === name) return;
  const replaced = { ...file, name };
  for (const other of await lockUnfinishedNamed(tx, chainId, replaced)) checkWriter(other, writer);
  await deleteUnfinishedNamed(tx, chainId, replaced);
  await updateName(tx, chainId, fileId, name);
}

export async function deleteUnfinished(
  tx: Tx,
  chainId: string,
  fileId: string,
  writer: string | null = null,
): Promise<void> {
  await getUnfinished(tx, chainId, fileId, writer);
  await deleteFile(tx, chainId, fileId);
}

/**
 * Locks the file until the transaction ends. Fails if it does not exist, has been accepted, or is being written by
 * another session than `writer`.
 */
export async function getUnfinished(
  tx: Tx,
  chainId: string,
  fileId: string,
  writer: string | null = null,
): Promise<FileRow> {
  const file = await lockUnfinishedFile(tx, chainId, fileId);
  checkWriter(file, writer);
  return file;
}

async function lockUnfinishedFile(tx: Tx, chainId: string, fileId: string): Promise<FileRow> {
  const file = await lockUnfinished(tx, chainId, fileId);
  if (!file) throw notFound('upload_not_found', fileId);
  return file;
}

function checkWriter(file: FileRow, writer: string | null): void {
  if (file.writer !== null && file.writer !== writer && file.is_writer_active) throw inUse(file.name);
}

export function checkName(name: string): void {
  if (isFileName(name)) return;
  const message = describeValue('file_name', { max: maxNameLength });
  throw invalid([{ pointer: 'name', code: 'bad_format', message }]);
}

export function fileTooLarge(limit: number): Failure {
  return new Failure('payload_too_large', `A file must not be larger than ${limit} bytes.`, {
    extra: { limit_bytes: limit },
    headers: { connection: 'close' },
  });
}

function storesOf(folder: Folder, { vendorIds }: Uploader): string[] | null {
  if (folder.kind === 'catalog' && folder.vendorId !== 'all') return [folder.vendorId];
  return vendorIds && [...vendorIds];
}

function notSequential(size: number, offset: number): Failure {
  const detail = `A file must be written from start to end: it has ${size} bytes, and the data starts at byte ${offset}.`;
  return new Failure('invalid_request', detail);
}

function inUse(name: string): Failure {
  return new Failure('invalid_request', `${name} is being written in another session.`);
}

function tooManyUnfinished(limit: number): Failure {
  const detail = `The chain's unfinished files can have at most ${limit} bytes in total.`;
  return new Failure('unfinished_limit_reached', detail, { headers: { connection: 'close' } });
}
