import type { FileKind } from '@aisle/contract/file-kinds';
import { rowReaders, rowReadersModule } from '../catalog/index.ts';
import type { JobRow } from '../jobs/index.ts';
import type { ThreadPool } from '../kernel/bodies/thread-pool.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { type Content, type ContentLimits, UnreadableError } from './content.ts';
import type { FileRow } from './queries.ts';
import type { PromotionInput, readPromotion } from './read-promotion.ts';
import type { Position } from './read-task.ts';
import { maxRowBytes, readWindow, type Window, type WindowError, type WindowInput } from './read-window.ts';
import type { Format } from './rules/format.ts';
import type { UploadedRows } from './stored-rows.ts';

/** What a thread reads: a window or a promotion, with the module that knows what the rows mean. */
export type ThreadInput = { module: string } & ({ window: WindowInput } | { promotion: PromotionInput });
export type ThreadResult = ReturnType<typeof readWindow> | ReturnType<typeof readPromotion>;
export type ReadThreads = ThreadPool<ThreadInput, ThreadResult>;
export type ReadOptions = {
  db: Database;
  threads: ReadThreads;
  limits: ContentLimits;
  maxPromotionPairs: number;
  maxPromotionBytes: number;
};

/** A file that is being read in a transaction. */
export type Reading = {
  tx: Tx;
  chainId: string;
  file: FileRow;
  job: JobRow;
  content: Content;
  options: ReadOptions;
};

/** `rows` are the rows in the window as they were uploaded. */
export type Next = { window: Window; rows: UploadedRows; isEnd: boolean } | { error: WindowError };

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
      bytes.length < maxInlineBytes
        ? readWindow(input, rowReaders)
        : ((await options.threads.run(chainId, { window: copyOf(input), module: rowReadersModule }, [])) as ReturnType<
            typeof readWindow
          >);
    if ('error' in result) return result;
    content.skip(result.bytes);
    const { start } = result;
    return {
      window: result,
      rows: { line: start.line, bytes: bytes.subarray(start.bytes, result.bytes) },
      isEnd: isLast && result.bytes === bytes.length,
    };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { error: { line, column: 1, reason: error.message } };
  }
}

/** Smaller windows take only a few milliseconds. */
const maxInlineBytes = 64 * 1024;

/** Posting bytes to a thread copies their whole underlying buffer, which can be much larger. */
export function copyOf<Input extends { bytes: Buffer }>(input: Input): Input {
  return { ...input, bytes: Buffer.from(input.bytes) };
}
