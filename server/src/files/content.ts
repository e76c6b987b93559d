import { Readable } from 'node:stream';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { describeFault } from '@aisle/contract/file-faults';
import type { Db } from '../kernel/database/db.ts';
import { listParts, partBytes } from './part-queries.ts';
import { findDirectory, findOnlyEntry, localHeaderBytes, zipTailBytes } from './rules/zip.ts';

/** The content cannot be read at all. The message tells the uploader why. */
export class UnreadableError extends Error {}

/** The content of a file after decompression, read from start to end. */
export type Content = {
  /** The position of the first byte that `peek` returns. */
  position(): number;
  /** Returns the next `bytes` bytes, or fewer at the end, without consuming them. */
  peek(bytes: number): Promise<{ bytes: Buffer; isLast: boolean }>;
  skip(bytes: number): void;
  close(): Promise<void>;
};

type StoredFile = { fileId: string; size: number };
export type ContentLimits = { maxBytes: number; maxRatio: number };

/**
 * Opens a file at a position in its content. Its first bytes, not its name, determine whether it is compressed. A
 * compressed file is decompressed from its start, and a plain one is read from the position. A compressed file is also
 * read between calls, from `readAhead` instead of `db`.
 */
export async function openContent(
  { db, readAhead }: { db: Db; readAhead: Db },
  chainId: string,
  file: StoredFile,
  position: number,
  limits: ContentLimits,
): Promise<Content> {
  const plain = bytesOf(db, chainId, file);
  const start = await readRange(plain, 0, 4);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const isZip = start.toString('latin1') === 'PK\x03\x04';
  if (!isGzip && !isZip) return bufferContent(plain(position, file.size), position);
  const source = bytesOf(readAhead, chainId, file);
  const inflated = isGzip
    ? inflate(source(0, file.size), createGunzip(), 'damaged_gzip', limits)
    : await unzip(source, file.size, limits);
  const content = bufferContent(inflated, 0);
  while (content.position() < position) {
    const { bytes, isLast } = await content.peek(Math.min(1024 * 1024, position - content.position()));
    content.skip(bytes.length);
    if (isLast && bytes.length === 0) break;
  }
  return content;
}

type Source = (from: number, to: number) => AsyncGenerator<Buffer>;

/** Reads a range of the stored bytes, a few parts at a time. */
function bytesOf(db: Db, chainId: string, { fileId }: StoredFile): Source {
  return async function* (from, to) {
    let at = from;
    while (at < to) {
      const parts = await listParts(db, chainId, fileId, Math.floor(at / partBytes), partsPerRead);
      if (parts.length === 0) return;
      for (const part of parts) {
        const start = at % partBytes;
        const piece = part.subarray(start, Math.min(part.length, start + to - at));
        if (piece.length === 0) return;
        yield piece;
        at += piece.length;
      }
    }
  };
}

const partsPerRead = 4;

async function readRange(source: Source, from: number, to: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source(Math.max(0, from), to)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function unzip(source: Source, size: number, limits: ContentLimits): Promise<AsyncGenerator<Buffer>> {
  const directory = findDirectory(await readRange(source, size - zipTailBytes, size));
  if ('error' in directory) throw new UnreadableError(directory.error);
  const entry = findOnlyEntry(await readRange(source, directory.at, directory.at + directory.bytes));
  if ('error' in entry) throw new UnreadableError(entry.error);
  const header = localHeaderBytes(await readRange(source, entry.headerAt, entry.headerAt + 30));
  if (header === undefined) throw new UnreadableError(describeFault('damaged_zip'));
  const from = entry.headerAt + header;
  const data = source(from, from + entry.compressedBytes);
  return checkCrc(entry.isStored ? data : inflate(data, createInflateRaw(), 'damaged_zip', limits), entry.crc);
}

/** Fails at the end if the content differs from what was put into the archive. In a gzip file, zlib checks this. */
async function* checkCrc(content: AsyncIterable<Buffer>, expected: number): AsyncGenerator<Buffer> {
  let found = 0;
  for await (const bytes of content) {
    found = crc32(bytes, found);
    yield bytes;
  }
  if (found !== expected) throw new UnreadableError(describeFault('damaged_zip'));
}

/**
 * Decompresses within limits. A small file can decompress to an enormous one, which would keep the server busy for
 * hours, so both the decompressed size and the compression ratio are limited.
 */
async function* inflate(
  source: AsyncIterable<Buffer>,
  inflater: ReturnType<typeof createGunzip>,
  damaged: 'damaged_zip' | 'damaged_gzip',
  { maxBytes, maxRatio }: ContentLimits,
): AsyncGenerator<Buffer> {
  const input = Readable.from(source);
  input.on('error', (error) => inflater.destroy(error));
  let total = 0;
  try {
    for await (const bytes of input.pipe(inflater)) {
      total += (bytes as Buffer).length;
      if (total > maxBytes) throw new UnreadableError(describeFault('large_content', { max: maxBytes }));
      if (total > minSuspiciousBytes && total > inflater.bytesWritten * maxRatio) {
        throw new UnreadableError(describeFault('large_ratio', { max: maxRatio }));
      }
      yield bytes as Buffer;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new UnreadableError(describeFault(damaged));
  } finally {
    input.destroy();
    inflater.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

const minSuspiciousBytes = 256 * 1024;

function bufferContent(source: AsyncGenerator<Buffer>, start: number): Content {
  let position = start;
  let pending: Buffer = Buffer.alloc(0);
  let isEnded = false;
  return {
    position: () => position,
    async peek(bytes) {
      const pieces = [pending];
      let size = pending.length;
      while (size < bytes && !isEnded) {
        const next = await source.next();
        if (next.done) isEnded = true;
        else pieces.push(next.value);
        size += next.done ? 0 : next.value.length;
      }
      if (pieces.length > 1) pending = Buffer.concat(pieces);
      return { bytes: pending.subarray(0, bytes), isLast: isEnded && pending.length <= bytes };
    },
    skip(bytes) {
      position += bytes;
      pending = pending.subarray(bytes);
    },
    async close() {
      await source.return(undefined);
    },
  };
}
