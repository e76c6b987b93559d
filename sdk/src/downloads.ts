import { AisleError } from './errors.ts';
import { withDeadline } from './time.ts';

/** A file that is read while it arrives. */
export type Download = AsyncIterable<Uint8Array> & {
  /** The name from `content-disposition`. */
  fileName: string | undefined;
  contentType: string | undefined;
  headers: Headers;
  stream: ReadableStream<Uint8Array>;
  /** The whole file as text. */
  text(): Promise<string>;
};

/** The download fails if no bytes arrive for `timeoutMs`, and ends when the signal is aborted. */
export function createDownload(response: Response, timeoutMs: number, signal?: AbortSignal): Download {
  const { headers } = response;
  const stream = guarded(response.body ?? new Blob([]).stream(), timeoutMs, signal);
  return {
    fileName: /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1],
    contentType: headers.get('content-type') ?? undefined,
    headers,
    stream,
    text: () => new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text(),
    [Symbol.asyncIterator]: () => partsOf(stream),
  };
}

/** The objects in a file with one JSON object per line. */
export async function* readRows<Row>(download: Download): AsyncGenerator<Row, void, undefined> {
  let number = 0;
  for await (const line of linesOf(download)) {
    number++;
    if (line !== '') yield parseRow(line, number) as Row;
  }
}

/** A row of Aisle has two megabytes at most. A file without rows would fill the memory of the program. */
const maxRowLength = 16 * 1024 * 1024;

async function* linesOf(download: Download): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // The pieces of a long line are joined once.
  let pieces: string[] = [];
  let length = 0;
  for await (const part of download) {
    const [first = '', ...lines] = decode(decoder, part).split('\n');
    pieces.push(first);
    length += first.length;
    if (length > maxRowLength) throw new AisleError(`A row of the file has more than ${maxRowLength} characters.`);
    for (const line of lines) {
      yield pieces.join('');
      pieces = [line];
      length = line.length;
    }
  }
  yield pieces.join('') + decode(decoder);
}

/** Without a part, checks that the last character is complete. */
function decode(decoder: InstanceType<typeof TextDecoder>, part?: Uint8Array): string {
  try {
    return part ? decoder.decode(part, { stream: true }) : decoder.decode();
  } catch (error) {
    throw new AisleError('The file is not UTF-8.', { cause: error });
  }
}

function parseRow(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new AisleError(`Row ${number} of the file is not valid JSON.`, { cause: error });
  }
}

function guarded(
  source: ReadableStream<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const read = (inner: AbortSignal) => {
    // Cancelling ends a pending read, and closes the connection.
    inner.addEventListener('abort', () => void reader.cancel(inner.reason).catch(() => {}), { once: true });
    return reader.read().then((part) => {
      inner.throwIfAborted();
      return part;
    });
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await withDeadline(timeoutMs, signal, read);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Not all browsers can iterate over streams. */
export async function* partsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
