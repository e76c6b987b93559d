import type { InputError } from '@aisle/contract/common';
import type { ErrorCode } from '@aisle/contract/errors';
import { Failure } from '../failures/failure.ts';
import { findUnknownFields, type KnownFields } from './known-fields.ts';
import { parseJson } from './parse-json.ts';
import { createThreadPool, OutOfMemoryError, type ThreadPool } from './thread-pool.ts';

/**
 * The kinds of bodies that a feature reads, each with its options and the plan that reading it produces.
 */
export type BodyKinds = Record<string, { options: object; plan: unknown }>;

export type BodyReads<Kinds extends BodyKinds> = {
  [Kind in keyof Kinds]: {
    read(document: unknown, options: Kinds[Kind]['options']): Kinds[Kind]['plan'];
    /** A large body with more arrays and objects than this is rejected before it is parsed. */
    maxParts(options: Kinds[Kind]['options']): number;
  };
};

/** The bytes of the body to read, the fields its route declares, and where to report other fields. */
export type BodyInput = {
  body: Uint8Array;
  knownFields: KnownFields | null;
  reportIgnored(fields: readonly string[]): void;
};

export type BodyReader<Kinds extends BodyKinds> = {
  /**
   * Returns the plan or throws a failure. A large body is transferred to a thread, which empties the caller's buffer.
   */
  read<Kind extends keyof Kinds & string>(
    kind: Kind,
    input: BodyInput,
    options: Kinds[Kind]['options'],
  ): Promise<Kinds[Kind]['plan']>;
  close(): Promise<void>;
};

/** The message to a worker thread. The thread replies with a `ReadResult`. */
export type ReadJob = { kind: string; bytes: Uint8Array; known: KnownFields | null; options: object };
export type ReadResult = { ignored: string[] } & (
  | { plan: unknown }
  | { failure: { code: ErrorCode; detail: string; errors?: InputError[] } }
);

/** Larger bodies are read in a worker thread. A body of this size has about 1,000 items and takes a few ms to parse. */
const maxInlineBytes = 96 * 1024;
const threadMemoryMb = 1536;

/** Reads small bodies in this thread, and large ones in a worker thread that runs `module` with the same `reads`. */
export function createBodyReader<Kinds extends BodyKinds>(module: URL, reads: BodyReads<Kinds>): BodyReader<Kinds> {
  const threads = createThreadPool<ReadJob, ReadResult>(module, 2, threadMemoryMb);
  return {
    async read(kind, { body: bytes, knownFields: known, reportIgnored }, options) {
      if (bytes.length > maxInlineBytes) {
        const result = await readInThread(threads, { kind, bytes, known, options });
        reportIgnored(result.ignored);
        return planOf(result);
      }
      const document = parseJson(bytes);
      reportIgnored(findUnknownFields(known, document));
      return reads[kind].read(document, options);
    },
    close: threads.close,
  };
}

async function readInThread(threads: ThreadPool<ReadJob, ReadResult>, job: ReadJob): Promise<ReadResult> {
  // A buffer can be transferred without copying only if it contains nothing but these bytes.
  const { buffer } = job.bytes;
  const isExclusive = buffer instanceof ArrayBuffer && buffer.byteLength === job.bytes.byteLength;
  return threads.run(job, isExclusive ? [buffer] : []).catch((error: unknown) => {
    if (!(error instanceof OutOfMemoryError)) throw error;
    throw new Failure('invalid_request', 'The body is nested too deeply or has too many parts to be read.');
  });
}

function planOf(result: ReadResult): unknown {
  if ('plan' in result) return result.plan;
  const { code, detail, errors } = result.failure;
  throw new Failure(code, detail, errors && { errors });
}
