import { isAscii, isUtf8 } from 'node:buffer';

/** `ascii` means that the encoding does not matter yet, because only ASCII characters have been read. */
export type Encoding = 'ascii' | 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'windows-1256';

/** The encoding of a file that starts with these bytes, and the length of its byte order mark. */
export function detectEncoding(bytes: Buffer): { encoding: Encoding; markBytes: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  return { encoding: detectWide(bytes) ?? detectNarrow(bytes), markBytes: 0 };
}

/** Also called later in a file, for the first bytes that are not ASCII. */
export function detectNarrow(bytes: Buffer): Encoding {
  if (isAscii(bytes)) return 'ascii';
  if (isUtf8(bytes) || isMostlyUtf8(bytes)) return 'utf-8';
  return isArabic(bytes) ? 'windows-1256' : 'windows-1252';
}

export function isWide(encoding: Encoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

/**
 * Converts the bytes to a string with a fixed number of bytes per character, so that an index in the string can be
 * converted to a byte offset. Unless the encoding is UTF-16, cells must then be decoded with `cellDecoder`.
 */
export function toText(bytes: Buffer, encoding: Encoding): string {
  if (!isWide(encoding)) return bytes.toString('latin1');
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  return (encoding === 'utf-16be' ? Buffer.from(even).swap16() : even).toString('utf16le');
}

/**
 * Returns a function that decodes a cell of the string from `toText`, or null if cells need no decoding. The function
 * returns null if the cell is not valid in the encoding.
 */
export function cellDecoder(encoding: Encoding): ((cell: string) => string | null) | null {
  if (isWide(encoding) || encoding === 'ascii') return null;
  const decode = encoding === 'utf-8' ? decodeUtf8 : decodeWindows(encoding);
  return (cell) => (isAsciiText(cell) ? cell : decode(Buffer.from(cell, 'latin1')));
}

/** Whether a string from `toText` needs no decoding. */
export function isAsciiText(text: string): boolean {
  return !/[\x80-\xff]/.test(text);
}

function decodeUtf8(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

function decodeWindows(encoding: Encoding): (bytes: Buffer) => string {
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes);
}

/** Tolerates an incomplete last character and a few invalid bytes. Text in another encoding is mostly invalid. */
function isMostlyUtf8(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  const wrong = text.match(/\ufffd/g)?.length ?? 0;
  const right = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  return right >= wrong;
}

/** Detects UTF-16 without a byte order mark: most characters have a zero byte, always first or always second. */
function detectWide(bytes: Buffer): Encoding | undefined {
  const sample = bytes.subarray(0, 2000);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = sample.length * 0.2;
  if (odd > many && even < odd / 10) return 'utf-16le';
  return even > many && odd < even / 10 ? 'utf-16be' : undefined;
}

/** Arabic words are runs of bytes above 127. In Western languages, such bytes are mostly single letters in a word. */
function isArabic(bytes: Buffer): boolean {
  let inRuns = 0;
  let total = 0;
  let run = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if ((bytes[at] ?? 0) >= 0x80) {
      run += 1;
      continue;
    }
    total += run;
    if (run >= 3) inRuns += run;
    run = 0;
  }
  return inRuns > total / 2;
}
