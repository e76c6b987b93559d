import { Failure } from '../failures/failure.ts';
import { checkShape } from './check-shape.ts';
import { findUnknownFields, type KnownFields } from './known-fields.ts';
import { parseJson } from './parse-json.ts';
import type { BodyKinds, BodyReads, ReadJob, ReadResult } from './read-job.ts';
import { createThreadPool, OutOfMemoryError, StoppedError, type ThreadPool } from './thread-pool.ts';

/** A body, the chain that sent it, the fields that the route declares, and a callback for unknown fields. */
export type BodyInput = {
  access: { chainId: string };
  body: Uint8Array;
  knownFields: KnownFields | null;
  reportIgnored(fields: readonly string[]): void;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
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
};

/** The threads that read the large bodies of all features. */
export type BodyThreads = ThreadPool<ReadJob, ReadResult>;

export function createBodyThreads(): BodyThreads {
  return createThreadPool(new URL('./body-thread.ts', import.meta.url), {
    count: 3,
    memoryMb: 1536,
    youngMb: 256,
    jobMs: 60_000,
  });
}

/** Larger bodies are read in a worker thread. A body of this size has about 1,000 items and takes a few ms to parse. */
const maxInlineBytes = 96 * 1024;

/** Reads small bodies in this thread, and large ones in a worker thread. `module` exports `reads` as `bodies`. */
export function createBodyReader<Kinds extends BodyKinds>(
  threads: BodyThreads,
  module: URL,
  reads: BodyReads<Kinds>,
): BodyReader<Kinds> {
  return {
    async read(kind, { access, body: bytes, knownFields: known, reportIgnored, signal }, options) {
      if (bytes.length > maxInlineBytes) {
        const job = { module: module.href, kind, bytes, known, options };
        const result = await readInThread(threads, access.chainId, job, signal);
        reportIgnored(result.ignored);
        return planOf(result);
      }
      checkShape(bytes, reads[kind].limits(options));
      const document = parseJson(bytes);
      reportIgnored(findUnknownFields(known, document));
      return reads[kind].read(document, options);
    },
  };
}

async function readInThread(
  threads: BodyThreads,
  chainId: string,
  job: ReadJob,
  signal: AbortSignal,
): Promise<ReadResult> {
  // A buffer can be transferred without copying only if it contains nothing but these bytes.
  const { buffer } = job.bytes;
  const isExclusive = buffer instanceof ArrayBuffer && buffer.byteLength === job.bytes.byteLength;
  return threads.run(chainId, job, isExclusive ? [buffer] : [], signal).catch((error: unknown) => {
    if (error instanceof StoppedError) throw stopped(error);
    if (!(error instanceof OutOfMemoryError)) throw error;
    throw new Failure('invalid_request', 'The body is nested too deeply or has too many parts to be read.');
  });
}

/** Not a 400, because the server may be slow, and a 400 would be stored under the idempotency key. */
function stopped({ message }: StoppedError): Failure {
  const detail = `The body was not read: ${message} Send fewer items in one request.`;
  return new Failure('service_unavailable', detail, { headers: { 'retry-after': '5' } });
}

function planOf(result: ReadResult): unknown {
  if ('plan' in result) return result.plan;
  const { code, detail, errors } = result.failure;
  throw new Failure(code, detail, errors && { errors });
}
