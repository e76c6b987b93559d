import { promisify } from 'node:util';
import { constants, crc32, createGunzip, deflateRaw, gunzip, type ZlibOptions } from 'node:zlib';

/**
 * A file is stored in parts, each a complete gzip file. Their concatenation is valid gzip too, but curl rejects and
 * browsers ignore everything after the first part. So the parts are sent as a single gzip member: one header, the
 * compressed data of all parts, and one trailer with the combined checksum. Our parts do not have to be recompressed,
 * because each ends with an empty last block that is easy to cut off. A part that does not end this way is
 * recompressed.
 */
export async function compressPart(lines: Uint8Array | string): Promise<Buffer> {
  const bytes = typeof lines === 'string' ? Buffer.from(lines) : lines;
  const data = await deflate(bytes, { level: 1, finishFlush: constants.Z_SYNC_FLUSH, chunkSize });
  return Buffer.concat([header, data, lastBlock, trailerOf({ crc: crc32(bytes), size: bytes.length })]);
}

/** Fails if the content is larger than `maxBytes`. */
export function decompressPart(part: Buffer, maxBytes: number): Promise<Buffer> {
  return decompress(part, { maxOutputLength: Math.max(1, maxBytes) });
}

export async function* decompressPieces(part: Buffer, chunkSize: number): AsyncGenerator<Buffer> {
  const pieces: AsyncIterable<Buffer> = createGunzip({ chunkSize }).end(part);
  yield* pieces;
}

/** Joins the parts into a single gzip member. */
export async function* joinParts(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield header;
  let total: Checksum = { crc: 0, size: 0 };
  for await (const stored of parts) {
    const part = isJoinable(stored) ? stored : await compressPart(await decompress(stored));
    total = combine(total, { crc: part.readUInt32LE(part.length - 8), size: part.readUInt32LE(part.length - 4) });
    yield part.subarray(header.length, -trailerBytes - lastBlock.length);
  }
  yield Buffer.concat([lastBlock, trailerOf(total)]);
}

/** By default, the result is put together from parts of 16 KiB. */
const chunkSize = 128 * 1024;

const deflate = promisify(deflateRaw);
const decompress: (part: Buffer, options?: ZlibOptions) => Promise<Buffer> = promisify(gunzip);

/** RFC 1952: magic number, deflate, no flags, no time, fastest compression, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** An empty block, marked as the last one. */
const lastBlock = Buffer.from([0x03, 0x00]);
const trailerBytes = 8;
/** The bytes that a flush writes at the end of the compressed data. They precede the last block. */
const flushMark = Buffer.from([0x00, 0x00, 0xff, 0xff]);
const ending = Buffer.concat([flushMark, lastBlock]);

type Checksum = { crc: number; size: number };

function trailerOf({ crc, size }: Checksum): Buffer {
  const bytes = Buffer.alloc(trailerBytes);
  bytes.writeUInt32LE(crc, 0);
  bytes.writeUInt32LE(size, 4);
  return bytes;
}

function isJoinable(part: Buffer): boolean {
  const end = part.subarray(-trailerBytes - ending.length, -trailerBytes);
  return part.subarray(0, header.length).equals(header) && end.equals(ending);
}

/**
 * Computes the CRC-32 of two concatenated texts from their CRCs, by shifting the first CRC by the length of the second
 * text. A CRC is a polynomial over GF(2), and a shift by n bytes is a multiplication by x to the power of 8n.
 */
function combine(first: Checksum, second: Checksum): Checksum {
  const crc = (multiply(shiftBy(second.size), first.crc) ^ second.crc) >>> 0;
  return { crc, size: (first.size + second.size) % 2 ** 32 };
}

/** x to the power of 8n, by repeated squaring. */
function shiftBy(bytes: number): number {
  let power = one;
  let square = 0x0080_0000;
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiply(square, power);
    square = multiply(square, square);
  }
  return power;
}

/** The product modulo the CRC-32 polynomial. The highest bit is the coefficient of x⁰. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

const one = 0x8000_0000;
const polynomial = 0xedb8_8320;
