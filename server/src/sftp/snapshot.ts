import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { ChainMemory } from './memory.ts';
import { refuse } from './refusal.ts';

/**
 * The content of an export or a result file at one point in time. Clients ask for the size before they read, and read
 * at any offset, but the content is produced as a stream. It is kept in memory, compressed in blocks.
 */
export type Snapshot = {
  size: number;
  modifiedAt: Date;
  /** Returns an empty buffer at the end of the file. */
  read(offset: number, length: number): Promise<Buffer>;
  /** A new snapshot has one holder. When the last holder releases it, its memory is freed. */
  retain(): void;
  release(): void;
};

/** A session's most recent snapshots, so that a client that asks for the size and then reads gets the same content. */
export type SnapshotCache = {
  /** Returns a snapshot that was taken at most `seconds` ago. */
  get(path: string, seconds: number, take: () => Promise<Snapshot>): Promise<Snapshot>;
  close(): void;
};

const maxCached = 4;

export function createSnapshotCache(): SnapshotCache {
  const cached = new Map<string, { snapshot: Snapshot; until: number }>();
  const remove = (path: string) => {
    cached.get(path)?.snapshot.release();
    cached.delete(path);
  };
  return {
    async get(path, seconds, take) {
      for (const [key, { until }] of cached) if (until < performance.now()) remove(key);
      const found = cached.get(path)?.snapshot ?? (await take());
      if (!cached.has(path)) {
        const [oldest] = cached.keys();
        if (cached.size >= maxCached && oldest !== undefined) remove(oldest);
        cached.set(path, { snapshot: found, until: performance.now() + 1000 * seconds });
      }
      found.retain();
      return found;
    },
    close: () => [...cached.keys()].forEach(remove),
  };
}

const blockBytes = 256 * 1024;

const compress = promisify((bytes: Buffer, done: (error: Error | null, result: Buffer) => void) =>
  deflate(bytes, { level: 1 }, done),
);
const decompress = promisify((bytes: Buffer, done: (error: Error | null, result: Buffer) => void) =>
  inflate(bytes, done),
);

/** A catalog with a million products takes about 20 MB. */
export async function takeSnapshot(
  memory: ChainMemory,
  modifiedAt: Date,
  stream: AsyncIterable<Uint8Array>,
): Promise<Snapshot> {
  const blocks: Buffer[] = [];
  let size = 0;
  let holders = 1;
  let taken = 0;
  const take = (bytes: number) => {
    if (!memory.take(bytes)) throw refuse('FAILURE', 'Too many large files are being read; try again later.');
    taken += bytes;
  };
  const free = () => {
    memory.give(taken);
    taken = 0;
    blocks.length = 0;
  };
  try {
    // For the last block read, which is kept decompressed.
    take(blockBytes);
    for await (const bytes of inBlocks(stream)) {
      const block = await compress(bytes);
      take(block.length);
      blocks.push(block);
      size += bytes.length;
    }
  } catch (error) {
    free();
    throw error;
  }
  /** The last block read. Clients read sequentially, so the next read is usually from the same block. */
  let last: { index: number; bytes: Buffer } | undefined;
  return {
    size,
    modifiedAt,
    retain() {
      holders += 1;
    },
    release() {
      holders -= 1;
      if (holders === 0) free();
    },
    async read(offset, length) {
      const index = Math.floor(offset / blockBytes);
      const block = blocks[index];
      if (!block || offset >= size) return Buffer.alloc(0);
      if (last?.index !== index) last = { index, bytes: await decompress(block) };
      const start = offset - index * blockBytes;
      return last.bytes.subarray(start, start + length);
    },
  };
}

async function* inBlocks(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    pending.push(chunk);
    bytes += chunk.length;
    if (bytes < blockBytes) continue;
    let rest = Buffer.concat(pending);
    for (; rest.length >= blockBytes; rest = rest.subarray(blockBytes)) yield rest.subarray(0, blockBytes);
    pending = [rest];
    bytes = rest.length;
  }
  if (bytes > 0) yield Buffer.concat(pending);
}
