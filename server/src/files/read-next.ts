import type { FileKind } from '@aisle/contract/file-columns';
import type { JobRow } from '../jobs/index.ts';
import type { ThreadPool } from '../kernel/bodies/thread-pool.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { type Content, type ContentLimits, UnreadableError } from './content.ts';
import type { FileRow } from './queries.ts';
import type { Position } from './read-task.ts';
import { maxRowBytes, readWindow, type Window, type WindowError, type WindowInput } from './read-window.ts';
import type { Format } from './rules/format.ts';

export type ReadThreads = ThreadPool<WindowInput, ReturnType<typeof readWindow>>;
export type ReadOptions = { db: Database; threads: ReadThreads; limits: ContentLimits; maxPromotionPairs: number };

/** A file that is being read in a transaction. */
export type Reading = {
  tx: Tx;
  chainId: string;
  file: FileRow;
  job: JobRow;
  content: Content;
  options: ReadOptions;
};

export type Next = { window: Window; isEnd: boolean } | { error: WindowError };

/** Reads the next window, in a thread if it is large. */
export async function readNext(
  { chainId, file, job, content, options }: Reading,
  kind: FileKind,
  { line }: Pick<Position, 'line'>,
  format: Format | null,
): Promise<Next> {
  try {
    const { bytes, isLast } = await content.peek(maxRowBytes);
    const input = { kind, bytes, isLast, line, format, isLimited: file.is_limited, hasVendors: job.vendor_id === null };
    const result =
      bytes.length < maxInlineBytes ? readWindow(input) : await options.threads.run(chainId, copyOf(input), []);
    if ('error' in result) return result;
    content.skip(result.bytes);
    return { window: result, isEnd: isLast && result.bytes === bytes.length };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { error: { line, column: 1, reason: error.message } };
  }
}

/** Smaller windows take only a few milliseconds. */
const maxInlineBytes = 64 * 1024;

/** Posting bytes to a thread copies their whole underlying buffer, which can be much larger. */
function copyOf(input: WindowInput): WindowInput {
  return { ...input, bytes: Buffer.from(input.bytes) };
}
