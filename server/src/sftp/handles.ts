import { refuse } from './refusal.ts';
import type { Snapshot } from './snapshot.ts';
import type { Entry } from './tree.ts';
import { sizeOf, type Upload } from './upload.ts';

/** A file or folder that a client has opened. */
export type OpenFile =
  | { kind: 'upload'; upload: Upload }
  | { kind: 'snapshot'; snapshot: Snapshot }
  | { kind: 'folder'; entries: Entry[]; bytes: number };

/** The open files of a session. Handles are sequential numbers, but they are valid only in their own session. */
export type Handles = {
  /** Fails if the session has too many open files. */
  checkRoom(): void;
  add(file: OpenFile): Buffer;
  /** Fails if the handle is unknown. */
  get(handle: Buffer): OpenFile;
  take(handle: Buffer): OpenFile;
  listUploads(): Upload[];
  hasUpload(name: string): boolean;
  /** Removes and returns all files. */
  clear(): OpenFile[];
};

const maxHandles = 100;

export function createHandles(): Handles {
  const files = new Map<number, OpenFile>();
  let next = 1;
  const get = (handle: Buffer) => {
    const file = handle.length === 4 ? files.get(handle.readUInt32BE()) : undefined;
    if (!file) throw refuse('FAILURE', 'The handle is invalid.');
    return file;
  };
  const listUploads = () => [...files.values()].flatMap((file) => (file.kind === 'upload' ? [file.upload] : []));
  return {
    get,
    listUploads,
    checkRoom() {
      if (files.size >= maxHandles) throw refuse('FAILURE', `More than ${maxHandles} files are open; close some.`);
    },
    add(file) {
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(next);
      files.set(next, file);
      next += 1;
      return handle;
    },
    take(handle) {
      const file = get(handle);
      files.delete(handle.readUInt32BE());
      return file;
    },
    hasUpload: (name) => listUploads().some((upload) => upload.name === name),
    clear() {
      const all = [...files.values()];
      files.clear();
      return all;
    },
  };
}

/** The entry of an open file, as in the listing of a folder. */
export function entryOf(file: OpenFile, startedAt: Date): Entry {
  if (file.kind === 'folder') return { name: '', isFolder: true, isWritable: false, modifiedAt: startedAt };
  if (file.kind === 'upload') {
    return { name: '', isFolder: false, isWritable: true, size: sizeOf(file.upload), modifiedAt: new Date() };
  }
  const { size, modifiedAt } = file.snapshot;
  return { name: '', isFolder: false, isWritable: false, size, modifiedAt };
}
