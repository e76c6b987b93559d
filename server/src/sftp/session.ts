import type { Attributes, SFTPWrapper } from 'ssh2';
import { newId } from '../kernel/values/ids.ts';
import type { SessionContext } from './context.ts';
import { createHandles, entryOf, type Handles, type OpenFile } from './handles.ts';
import { asRefusal, denied, noSuchFile, OPEN_MODE, refuse, STATUS_CODE } from './refusal.ts';
import { attributesOf, longName } from './rules/attributes.ts';
import { normalizePath, parsePlace, type Place } from './rules/path.ts';
import { readStrings } from './rules/strings.ts';
import { createSnapshotCache } from './snapshot.ts';
import { closeChannel, waitForOutput } from './ssh2-channel.ts';
import { createTurns } from './take-turns.ts';
import { type Entry, getEntry, getSnapshot, listInTurn } from './tree.ts';
import {
  closeUpload,
  flushUpload,
  openUpload,
  releaseUpload,
  removeUpload,
  renameUpload,
  sizeOf,
  writeUpload,
} from './upload.ts';

type Session = SessionContext & { sftp: SFTPWrapper; handles: Handles; isClosing: () => boolean };

/**
 * Handles the requests of one SFTP channel, one after the other, so that the bytes of a file are stored in the order in
 * which they arrive. Queued requests are counted by `Connection.hold`, which pauses reading from the client.
 */
export function serveSession(
  sftp: SFTPWrapper,
  parts: Omit<SessionContext, 'writer' | 'startedAt' | 'accepted' | 'written' | 'snapshots'>,
  isClosing: () => boolean,
): void {
  const { connection, log } = parts;
  const session: Session = {
    ...parts,
    sftp,
    isClosing,
    writer: newId(),
    startedAt: new Date(),
    accepted: new Map(),
    written: new Map(),
    snapshots: createSnapshotCache(),
    handles: createHandles(),
  };
  const takeTurn = createTurns();
  let last: Promise<void> = Promise.resolve();
  const enqueue = (name: string, id: number, bytes: number, work: () => Promise<void>) => {
    connection.touch();
    connection.pending += 1;
    connection.hold(bytes + requestOverhead);
    last = last
      .then(() => waitForOutput(sftp, connection.socket))
      .then(takeTurn)
      // Requests that have arrived are not handled if the server ends the connection, for example for a deleted user.
      .then(() => (connection.isEnded ? undefined : work()))
      .catch((error: unknown) => replyWithError(session, name, id, error))
      .finally(() => {
        connection.pending -= 1;
        connection.release(bytes + requestOverhead);
        connection.touch();
      });
  };
  listenForRequests(session, enqueue);
  sftp.on('error', (error: Error) => {
    connection.refuse('malformed packet', error.message);
    connection.endReason ??= error.message;
  });
  let isEnded = false;
  const end = () => {
    if (isEnded) return;
    isEnded = true;
    forget();
    // Runs after the requests that have already arrived. A file that was not closed stays unfinished.
    last = last
      .then(() => abandon(session))
      .catch((error) => log.warn({ event: 'sftp.error', error: String(error) }))
      .finally(() => closeChannel(sftp));
  };
  sftp.on('close', end);
  sftp.on('end', end);
  const forget = connection.whenClosed(end);
}

/** Counted in addition to the data of a request, so that reading pauses after a few dozen small requests too. */
const requestOverhead = 32 * 1024;
const maxReadBytes = 128 * 1024;
/** The maximum number of entries in a response to READDIR. */
const listingSize = 100;

type Enqueue = (name: string, id: number, bytes: number, work: () => Promise<void>) => void;

function listenForRequests(session: Session, enqueue: Enqueue): void {
  const { sftp } = session;
  const ok = (id: number) => sftp.status(id, STATUS_CODE.OK);
  // oxlint-disable-next-line typescript/no-explicit-any -- ssh2 decides what a request contains
  const on = (name: string, work: (id: number, ...values: any[]) => Promise<void>) => {
    sftp.on(name, (id: number, ...values: unknown[]) => {
      const bytes = values.reduce<number>(
        (sum, value) => sum + (Buffer.isBuffer(value) || typeof value === 'string' ? value.length : 0),
        0,
      );
      enqueue(name, id, bytes, () => work(id, ...values));
    });
  };
  on('REALPATH', async (id, path: string) => {
    const filename = normalizePath(path) ?? denyPath();
    sftp.name(id, [{ filename, longname: filename, attrs: {} as Attributes }]);
  });
  on('OPEN', (id, path: string, flags: number) => open(session, id, path, flags));
  on('WRITE', async (id, handle: Buffer, offset: number, data: Buffer) => {
    await write(session, handle, offset, data);
    ok(id);
  });
  on('READ', (id, handle: Buffer, offset: number, length: number) => read(session, id, handle, offset, length));
  on('CLOSE', (id, handle: Buffer) => close(session, handle).then(() => ok(id)));
  on('OPENDIR', (id, path: string) => openFolder(session, id, path));
  on('READDIR', (id, handle: Buffer) => readFolder(session, id, handle));
  const stat = async (id: number, path: string) => sftp.attrs(id, attributesOf(await entryAt(session, path)));
  on('STAT', stat);
  on('LSTAT', stat);
  on('FSTAT', (id, handle: Buffer) => statHandle(session, id, handle));
  // Clients set the times and the mode after an upload. Both are ignored.
  on('SETSTAT', async (id, path: string, attributes: Attributes) => {
    const entry = await entryAt(session, path);
    checkSize(attributes, entry.size);
    ok(id);
  });
  on('FSETSTAT', async (id, handle: Buffer, attributes: Attributes) => {
    const file = session.handles.get(handle);
    checkSize(attributes, file.kind === 'upload' ? sizeOf(file.upload) : undefined);
    ok(id);
  });
  on('REMOVE', (id, path: string) => remove(session, path).then(() => ok(id)));
  on('RENAME', (id, from: string, to: string) => rename(session, from, to).then(() => ok(id)));
  on('EXTENDED', (id, name: string, data: Buffer | undefined) => extend(session, name, data).then(() => ok(id)));
  on('MKDIR', async (_, path: string) => {
    await entryAt(session, path).catch(() => Promise.reject(denied('Folders cannot be created.')));
    throw refuse('FAILURE', 'The folder exists.');
  });
  on('RMDIR', () => Promise.reject(denied('Folders cannot be deleted.')));
  on('SYMLINK', () => Promise.reject(refuse('OP_UNSUPPORTED', 'Links are not supported.')));
  on('READLINK', () => Promise.reject(refuse('OP_UNSUPPORTED', 'Links are not supported.')));
}

async function open(session: Session, id: number, path: string, flags: number): Promise<void> {
  const { sftp, handles, connection } = session;
  handles.checkRoom();
  const place = placeAt(path);
  const isWrite = (flags & (OPEN_MODE.WRITE | OPEN_MODE.APPEND)) !== 0;
  if (!isWrite) {
    if (!['template', 'export', 'result'].includes(place.kind)) {
      const entry = await getEntry(session, place, path);
      throw denied(entry.isFolder ? 'This is a folder.' : 'Uploaded files cannot be read; see /results.');
    }
    const snapshot = await getSnapshot(session, place, path);
    return sftp.handle(id, handles.add({ kind: 'snapshot', snapshot }));
  }
  if (place.kind !== 'upload') {
    await getEntry(session, place, path);
    throw denied('This is read-only.');
  }
  if (session.isClosing()) throw refuse('FAILURE', 'The server is shutting down; try again in a minute.');
  const upload = await openUpload(session, place, path, flags);
  connection.uploads += 1;
  sftp.handle(id, handles.add({ kind: 'upload', upload }));
}

async function write(session: Session, handle: Buffer, offset: number, data: Buffer): Promise<void> {
  const file = session.handles.get(handle);
  if (file.kind !== 'upload') throw denied('The file is not open for writing.');
  await writeUpload(session, file.upload, offset, data);
  session.connection.received += data.length;
  session.metrics.countBytes('received', data.length);
}

async function read(session: Session, id: number, handle: Buffer, offset: number, length: number): Promise<void> {
  const { sftp, handles, connection, metrics } = session;
  const file = handles.get(handle);
  if (file.kind !== 'snapshot') throw denied('The file is not open for reading.');
  const bytes = await file.snapshot.read(offset, Math.min(length, maxReadBytes));
  if (bytes.length === 0) return sftp.status(id, STATUS_CODE.EOF);
  connection.sent += bytes.length;
  metrics.countBytes('sent', bytes.length);
  sftp.data(id, bytes);
}

/** Replies only after the acceptance of an upload has been committed. */
async function close(session: Session, handle: Buffer): Promise<void> {
  const file = session.handles.take(handle);
  release(session, file);
  if (file.kind !== 'upload') return;
  session.connection.uploads -= 1;
  await closeUpload(session, file.upload).finally(() => releaseUpload(session, file.upload));
}

async function openFolder(session: Session, id: number, path: string): Promise<void> {
  session.handles.checkRoom();
  const place = placeAt(path);
  if (!(await getEntry(session, place, path)).isFolder) throw refuse('FAILURE', 'This is a file, not a folder.');
  const entries = await listInTurn(session, place, path);
  const bytes = entries.length * entryBytes;
  if (!session.memory.take(bytes)) throw refuse('FAILURE', 'Too many folders are open; close some.');
  session.sftp.handle(id, session.handles.add({ kind: 'folder', entries, bytes }));
}

/** The approximate size of an entry in memory. */
const entryBytes = 256;

function release({ memory }: Session, file: OpenFile): void {
  if (file.kind === 'snapshot') file.snapshot.release();
  if (file.kind === 'folder') memory.give(file.bytes);
}

async function readFolder({ sftp, handles }: Session, id: number, handle: Buffer): Promise<void> {
  const folder = handles.get(handle);
  if (folder.kind !== 'folder') throw refuse('FAILURE', 'The handle does not belong to a folder.');
  const entries = folder.entries.splice(0, listingSize);
  if (entries.length === 0) return sftp.status(id, STATUS_CODE.EOF);
  sftp.name(
    id,
    entries.map((entry) => ({ filename: entry.name, longname: longName(entry), attrs: attributesOf(entry) })),
  );
}

async function statHandle(session: Session, id: number, handle: Buffer): Promise<void> {
  const file = session.handles.get(handle);
  if (file.kind === 'upload') await flushUpload(session, file.upload);
  session.sftp.attrs(id, attributesOf(entryOf(file, session.startedAt)));
}

function checkSize({ size }: Attributes, current: number | undefined): void {
  if (size !== undefined && size !== current) throw denied('The size of a file cannot be changed.');
}

async function remove(session: Session, path: string): Promise<void> {
  const place = placeAt(path);
  if (place.kind === 'upload') return removeUpload(session, place, path);
  const entry = await getEntry(session, place, path);
  throw entry.isFolder ? refuse('FAILURE', 'This is a folder.') : denied('This is read-only.');
}

async function rename(session: Session, from: string, to: string): Promise<void> {
  const source = placeAt(from);
  const target = placeAt(to);
  if (source.kind !== 'upload' || target.kind !== 'upload') {
    await getEntry(session, source, from);
    throw denied('Only an unfinished upload can be renamed, within its folder.');
  }
  if (session.handles.hasUpload(source.name)) throw refuse('FAILURE', 'Close the file before you rename it.');
  await renameUpload(session, { place: source, path: from }, { place: target, path: to });
}

/** OpenSSH's rename extension, which replaces an existing file. On this server, every rename does. */
async function extend(session: Session, name: string, data: Buffer | undefined): Promise<void> {
  if (name !== 'posix-rename@openssh.com') throw refuse('OP_UNSUPPORTED', 'The extension is not supported.');
  const [from, to] = readStrings(data ?? Buffer.alloc(0));
  if (from === undefined || to === undefined) throw refuse('BAD_MESSAGE', 'The request needs two paths.');
  await rename(session, from, to);
}

async function entryAt(session: Session, path: string): Promise<Entry> {
  // The reported size of a file that is being written must include bytes that are not stored yet.
  await Promise.all(session.handles.listUploads().map((upload) => flushUpload(session, upload)));
  return getEntry(session, placeAt(path), path);
}

/** ssh2 passes on some requests with a truncated path, which is undefined. */
function placeAt(path: string | undefined): Place {
  if (path === undefined) throw refuse('BAD_MESSAGE', 'The request is truncated.');
  const place = parsePlace(path);
  if (!place) throw noSuchFile(path);
  return place;
}

function denyPath(): never {
  throw noSuchFile('file or folder with this path');
}

function replyWithError(session: Session, name: string, id: number, error: unknown): void {
  const { sftp, connection, log } = session;
  const refusal = asRefusal(error);
  if (!refusal) log.error({ event: 'sftp.error', request: name, error: (error as Error).stack ?? String(error) });
  const { status, message } = refusal ?? refuse('FAILURE', 'An internal error occurred; try again.');
  // Clients often check whether a file exists.
  if (status !== 'NO_SUCH_FILE' || name !== 'STAT') connection.refuse(name, `${status}: ${message}`);
  sftp.status(id, STATUS_CODE[status], message);
}

async function abandon(session: Session): Promise<void> {
  const uploads = session.handles.listUploads();
  session.connection.uploads -= uploads.length;
  for (const file of session.handles.clear()) release(session, file);
  session.snapshots.close();
  for (const upload of uploads) {
    await flushUpload(session, upload).catch(() => {});
    await releaseUpload(session, upload);
  }
}
