import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { UsageError } from '../errors.ts';

/** A JSON file of this size still fits into memory. */
const maxJsonBytes = 256 * 1024 * 1024;
const maxLineBytes = 1024 * 1024;

/** The content of a JSON file in UTF-8, with or without a byte order mark. */
export async function readJsonFile(path: string): Promise<unknown> {
  const bytes = await readBytes(path);
  checkText(path, bytes);
  try {
    return JSON.parse(withoutMark(bytes.toString('utf8'))) as unknown;
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${(error as Error).message}`);
  }
}

/** The lines of a file in UTF-8 with their numbers, without holding the file in memory. */
export async function* readLines(path: string): AsyncGenerator<{ number: number; text: string }> {
  let number = 0;
  let start = 0;
  let pieces: Buffer[] = [];
  const take = () => {
    const bytes = Buffer.concat(pieces);
    checkText(path, bytes, start, number);
    const text = bytes.toString('utf8');
    start += bytes.length + 1;
    pieces = [];
    return { number: ++number, text: number === 1 ? withoutMark(text) : text };
  };
  let length = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      pieces.push(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      yield take();
      length = 0;
    }
    pieces.push(rest);
    length += rest.length;
    if (length > maxLineBytes) throw new UsageError(`Line ${number + 1} of ${path} is longer than 1 MB.`);
  }
  yield take();
}

const lineFeed = 0x0a;

async function readBytes(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size <= maxJsonBytes) return await readFile(path);
  } catch {
    throw new UsageError(`The file ${path} does not exist or cannot be read.`);
  }
  throw new UsageError(
    `${path} is too large for JSON: it has more than 256 MB. Use NDJSON, with one object per line, or CSV.`,
  );
}

/** Characters that are replaced silently would change other products. `offset` and `line` are where the bytes start. */
function checkText(path: string, bytes: Buffer, offset = 0, line = 0): void {
  const mark = offset === 0 ? bytes.toString('latin1', 0, 2) : '';
  if (mark === '\xff\xfe' || mark === '\xfe\xff') {
    throw new UsageError(`${path} is in UTF-16. Open it in your editor, and save it as UTF-8.`);
  }
  if (isUtf8(bytes)) return;
  const replaced = Buffer.from(bytes.toString('utf8'));
  const at = bytes.findIndex((byte, index) => byte !== replaced[index]);
  const before = bytes.subarray(0, at).reduce((count, byte) => count + (byte === lineFeed ? 1 : 0), line);
  throw new UsageError(
    `Line ${before + 1} of ${path} has a character that is not UTF-8, at byte ${offset + at + 1} of the file. Save it as UTF-8.`,
  );
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
