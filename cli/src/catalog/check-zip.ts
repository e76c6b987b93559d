import { UsageError } from '../errors.ts';

/** The XML of a sheet is rarely compressed to less than a twentieth. */
const maxRatio = 200;
const maxBytes = 1024 ** 3;
const smallBytes = 64 * 1024 ** 2;

/**
 * A small file can contain gigabytes of spaces, which would fill the memory. The list at the end of a zip file says how
 * large its parts are.
 */
export function checkZip(path: string, bytes: Buffer): void {
  let total = 0;
  for (const { compressed, size } of partsOf(bytes)) {
    total += size;
    const isBomb = size > smallBytes && size > maxRatio * compressed;
    if (isBomb || total > maxBytes) {
      throw new UsageError(
        `${path} contains ${Math.round(size / 1024 ** 2)} MB, which is too much to read. Save it as CSV.`,
      );
    }
  }
}

function* partsOf(bytes: Buffer): Generator<{ compressed: number; size: number }> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 22 > bytes.length) return;
  // Damaged files are reported when they are read.
  for (
    let at = bytes.readUInt32LE(end + 16);
    at + 46 <= end && bytes.toString('latin1', at, at + 4) === 'PK\x01\x02';
  ) {
    yield { compressed: bytes.readUInt32LE(at + 20), size: bytes.readUInt32LE(at + 24) };
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}
