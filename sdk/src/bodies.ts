import { AisleError } from './errors.ts';
import type { FileBody, OperationRow } from './operation.ts';

/** A body that is ready to be sent. One that can be sent only once is never sent again. */
export type EncodedBody = {
  body?: NonNullable<RequestInit['body']>;
  headers: Record<string, string>;
  isOneShot: boolean;
};

/** Bodies of at least this many characters are compressed. */
const minCompressed = 16 * 1024;

export async function encodeBody(form: OperationRow['body'], body: unknown): Promise<EncodedBody> {
  if (body === undefined) return { headers: {}, isOneShot: false };
  if (form === 'stream') return encodeFile(body as FileBody);
  if (form === 'form')
    return { body: new URLSearchParams(body as Record<string, string>), headers: {}, isOneShot: false };
  const headers = { 'content-type': 'application/json' };
  if (isEncoded(body)) {
    return { body: body.encoded, headers: { ...headers, ...(body.isCompressed && gzipped) }, isOneShot: false };
  }
  const text = toJson(body);
  if (form !== 'large' || text.length < minCompressed || !canCompress())
    return { body: text, headers, isOneShot: false };
  const gzip = createGzip();
  await gzip.write(text);
  return { body: await gzip.end(), headers: { ...headers, ...gzipped }, isOneShot: false };
}

/** Throws if a number is NaN or infinite: in JSON, it would become null, which means something else to the API. */
export function toJson(value: unknown, where = 'The body'): string {
  const text = JSON.stringify(value);
  const wrong = text?.includes('null') ? findUnsendable(value) : undefined;
  if (!wrong) return text;
  throw new AisleError(`${where} cannot be sent: ${wrong.path} is ${wrong.value} instead of a number.`);
}

function findUnsendable(value: unknown, path = ''): { path: string; value: number } | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path, value };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, one] of Object.entries(value)) {
    const wrong = findUnsendable(one, path ? `${path}.${key}` : key);
    if (wrong) return wrong;
  }
  return undefined;
}

/** JSON that the SDK has encoded before, because it does not fit into memory as objects. */
export type EncodedJson = { encoded: Uint8Array<ArrayBuffer>; isCompressed: boolean };

const gzipped = { 'content-encoding': 'gzip' };

function isEncoded(body: unknown): body is EncodedJson {
  return (body as Partial<EncodedJson>).encoded instanceof Uint8Array;
}

/** Old versions of Bun cannot compress. */
export function canCompress(): boolean {
  return typeof CompressionStream !== 'undefined';
}

/** Compresses text as it is written. Only the compressed bytes are kept in memory. */
export function createGzip() {
  const encoder = new TextEncoder();
  const { readable, writable } = new CompressionStream('gzip');
  const writer = writable.getWriter();
  const compressed = new Response(readable).arrayBuffer();
  return {
    write: (text: string) => writer.write(encoder.encode(text)),
    async end(): Promise<Uint8Array<ArrayBuffer>> {
      await writer.close();
      return new Uint8Array(await compressed);
    },
  };
}

function encodeFile(file: FileBody): EncodedBody {
  const headers = { 'content-type': 'application/octet-stream' };
  if (typeof file === 'string' || file instanceof Blob) return { body: file, headers, isOneShot: false };
  if (file instanceof Uint8Array) return { body: file as Uint8Array<ArrayBuffer>, headers, isOneShot: false };
  const stream = file instanceof ReadableStream ? file : streamOf(file);
  return { body: stream as ReadableStream<Uint8Array<ArrayBuffer>>, headers, isOneShot: true };
}

function streamOf(parts: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
