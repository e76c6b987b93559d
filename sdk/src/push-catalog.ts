import { canCompress, createGzip, toJson } from './bodies.ts';
import { AisleError, JobError } from './errors.ts';
import type { CatalogJob, Limits, ProductUpdate } from './generated/models.ts';
import type { RequestOptions } from './options.ts';
import { abortable } from './time.ts';

export type PushOptions = {
  vendorId: string;
  chainId?: string | undefined;
  /** How many rows a job has. Default: 20,000, or fewer if the installation does not accept as many. */
  rowsPerJob?: number | undefined;
  /** How many jobs can be unfinished at the same time. Default: 3. */
  unfinishedJobs?: number | undefined;
  /** Create previews, which change nothing. */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: PushProgress) => void) | undefined;
  /** The longest time between two reads of a job. Default: 3 seconds. */
  pollMs?: number | undefined;
};

export type PushProgress = {
  /** The number of rows that were read. */
  read: number;
  /** The number of rows whose job was accepted. */
  accepted: number;
  /** The counts of the finished jobs. */
  finished: PushCounts;
};

export type PushCounts = { jobs: number; items: number; succeeded: number; unchanged: number; failed: number };

/** The finished jobs, in the order of the rows. */
export type CatalogPush = AsyncIterable<CatalogJob> & {
  /** Pushes all rows without looking at the jobs, and returns the counts. */
  finished(): Promise<PushCounts>;
};

/** What the push needs from the client. */
export type PushClient = {
  getLimits(options: RequestOptions): Promise<Limits>;
  accept(body: PushBody, options: PushOptions): Promise<string>;
  waitForJob(jobId: string, options: PushOptions): Promise<CatalogJob>;
};

/** A request body with one chunk of the rows. */
export type PushBody = { bytes: Uint8Array<ArrayBuffer>; isCompressed: boolean; rows: number };

/** Text is compressed in pieces of about this many characters. */
const pieceLength = 64 * 1024;

/**
 * Updates any number of products. The rows are read only as fast as the jobs finish, and only one chunk of rows is in
 * memory, compressed. Jobs are accepted one after the other, so if a SKU occurs twice, the last row wins. A job in which
 * all rows failed is returned like any other.
 */
export function pushRows(
  client: PushClient,
  rows: AsyncIterable<ProductUpdate> | Iterable<ProductUpdate>,
  options: PushOptions,
): CatalogPush {
  const jobs = () => pushJobs(client, rows, options);
  return {
    [Symbol.asyncIterator]: jobs,
    async finished() {
      let counts: PushCounts = { jobs: 0, items: 0, succeeded: 0, unchanged: 0, failed: 0 };
      for await (const job of jobs()) counts = addJob(counts, job);
      return counts;
    },
  };
}

async function* pushJobs(
  client: PushClient,
  rows: AsyncIterable<ProductUpdate> | Iterable<ProductUpdate>,
  options: PushOptions,
): AsyncGenerator<CatalogJob, void, undefined> {
  const { onProgress, unfinishedJobs = 3, rowsPerJob = 20_000, signal } = options;
  checkNumber('unfinishedJobs', unfinishedJobs);
  checkNumber('rowsPerJob', rowsPerJob);
  const limits = await client.getLimits({ signal });
  const progress: PushProgress = {
    read: 0,
    accepted: 0,
    finished: { jobs: 0, items: 0, succeeded: 0, unchanged: 0, failed: 0 },
  };
  const pending: string[] = [];
  const finishOldest = async () => {
    const job = await client.waitForJob(pending.shift() ?? '', options).catch(jobOfFailedRows);
    progress.finished = addJob(progress.finished, job);
    onProgress?.({ ...progress });
    return job;
  };
  const onRead = (count: number) => {
    progress.read = count;
    onProgress?.({ ...progress });
  };
  for await (const body of chunksOf(withSignal(rows, signal), maximums(limits, rowsPerJob), onRead)) {
    while (pending.length >= unfinishedJobs) yield await finishOldest();
    pending.push(await client.accept(body, options));
    progress.accepted += body.rows;
    onProgress?.({ ...progress });
  }
  while (pending.length > 0) yield await finishOldest();
}

/** How rows are divided into jobs must not decide whether the other rows are pushed. */
function jobOfFailedRows(error: unknown): CatalogJob {
  if (error instanceof JobError && error.hasOnlyFailedRows) return error.job as CatalogJob;
  throw error;
}

function addJob(counts: PushCounts, { progress }: CatalogJob): PushCounts {
  return {
    jobs: counts.jobs + 1,
    items: counts.items + progress.total,
    succeeded: counts.succeeded + progress.succeeded,
    unchanged: counts.unchanged + progress.unchanged,
    failed: counts.failed + progress.failed,
  };
}

type Maximums = { rows: number; bytes: number };

function maximums(limits: Limits, rowsPerJob: number): Maximums {
  const { catalog_items_per_request: rows, catalog_bytes_per_request: bytes } = limits;
  if (!(rows > 0 && bytes > 0)) throw new AisleError('The response to getLimits has no limits of a request.');
  return { rows: Math.min(rowsPerJob, rows), bytes };
}

function checkNumber(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw new RangeError(`${name} must be a whole number of at least 1, but it is ${value}.`);
}

/** The source of the rows can hang, so waiting for a row also ends when the signal is aborted. */
async function* withSignal<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row, void, undefined> {
  if (!signal || !(Symbol.asyncIterator in rows)) {
    for await (const row of rows) {
      signal?.throwIfAborted();
      yield row;
    }
    return;
  }
  const iterator = rows[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await abortable(iterator.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Without waiting: a generator that hangs does not return.
    void iterator.return?.();
  }
}

async function* chunksOf(
  rows: AsyncIterable<ProductUpdate> | Iterable<ProductUpdate>,
  max: Maximums,
  onRead: (count: number) => void,
): AsyncGenerator<PushBody, void, undefined> {
  let chunk = createChunk();
  let read = 0;
  for await (const row of rows) {
    const text = toJson(row, `Row ${read + 1}`) as string | undefined;
    if (!text?.startsWith('{')) throw new AisleError(`Row ${read + 1} is not an object with a sku.`);
    // A character has up to three bytes in UTF-8.
    const isFull = chunk.rows() >= max.rows || chunk.characters() + text.length > max.bytes / 3;
    if (isFull && chunk.rows() > 0) {
      yield await chunk.end();
      chunk = createChunk();
      onRead(read);
    }
    await chunk.add(text);
    read++;
  }
  onRead(read);
  if (chunk.rows() > 0) yield await chunk.end();
}

function createChunk() {
  const writer = canCompress() ? createGzip() : createPlain();
  let piece = '{"products":[';
  let rows = 0;
  let characters = 0;
  return {
    rows: () => rows,
    characters: () => characters,
    async add(text: string) {
      piece += rows === 0 ? text : `,${text}`;
      rows++;
      characters += text.length + 1;
      if (piece.length < pieceLength) return;
      await writer.write(piece);
      piece = '';
    },
    async end(): Promise<PushBody> {
      await writer.write(`${piece}]}`);
      return { bytes: await writer.end(), isCompressed: canCompress(), rows };
    },
  };
}

function createPlain(): ReturnType<typeof createGzip> {
  const parts: string[] = [];
  return {
    write: async (text) => void parts.push(text),
    end: async () => new TextEncoder().encode(parts.join('')),
  };
}
