import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { compressLater, decompress } from '../kernel/bodies/chunk-compression.ts';
import { cellDecoder, type Encoding, toText } from './detect-encoding.ts';
import type { Format, StoredRow } from './rules/format.ts';
import { cellsOf, splitRecords } from './split-records.ts';

/** Rows as they were uploaded, and the number of their first line. Kept so that failed rows can be returned. */
export type UploadedRows = { line: number; bytes: Buffer };

export function encodeRows({ line, bytes }: UploadedRows): Promise<Buffer> {
  return compressLater(Buffer.concat([Buffer.from(`${line}\n`), bytes]));
}

/**
 * Splits stored rows into cells again, which is done only if some of them failed. They are yielded a few at a time, with
 * a pause in between, so that other requests are not delayed.
 */
export async function* decodeRows(
  stored: Buffer,
  { encoding, separator, dropped }: Format,
): AsyncGenerator<StoredRow[]> {
  const content = await decompress(stored);
  const lineEnd = content.indexOf('\n');
  let line = Number(content.toString('latin1', 0, lineEnd));
  let text = toText(content.subarray(lineEnd + 1), encoding as Encoding);
  const decode = cellDecoder(encoding as Encoding) ?? ((cell: string) => cell);
  for (let size = charactersPerTurn; text !== ''; ) {
    const part = text.slice(0, size);
    const isLast = part.length === text.length;
    const split = splitRecords(part, { separator, line, isLast, maxRecords: rowsPerTurn });
    if (split.end === 0 && !isLast) {
      // The row is longer.
      size *= 2;
      continue;
    }
    yield split.records.map((record) => {
      const kept = cellsOf(record, separator).filter((_, index) => !dropped.includes(index));
      return [record.line, kept.map((cell) => decode(cell) ?? '\ufffd')];
    });
    text = split.end === 0 ? '' : text.slice(split.end);
    line = split.line;
    // A long row cannot be divided, so the next one waits.
    await (part.length > charactersPerTurn ? sleep(part.length / charactersPerMs) : nextTurn());
    size = charactersPerTurn;
  }
}

/** A row can have hundreds of cells. */
const rowsPerTurn = 100;
/** Rows with quotes are parsed at some 10 MB/s. */
const charactersPerTurn = 32 * 1024;
const charactersPerMs = 4096;
