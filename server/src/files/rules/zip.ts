import { describeFault } from '@aisle/contract/file-faults';

/** The only file in a zip archive: the position of its local header, the size of its data, and the content's CRC-32. */
export type ZipEntry = { headerAt: number; compressedBytes: number; crc: number; isStored: boolean };

/** The bytes at the end of the archive that `findDirectory` needs: the end record and the longest possible comment. */
export const zipTailBytes = 22 + 65_535;

/** Finds the central directory of the archive. `tail` is the end of the file. */
export function findDirectory(tail: Buffer): { at: number; bytes: number } | { error: string } {
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 22 > tail.length) return { error: describeFault('damaged_zip') };
  const directory = { at: tail.readUInt32LE(end + 16), bytes: tail.readUInt32LE(end + 12) };
  if (directory.at === maxUint32 || directory.bytes > maxDirectoryBytes) return { error: severalFiles };
  return directory;
}

/** Finds the only file in the archive. Folders and the metadata that macOS adds are ignored. */
export function findOnlyEntry(directory: Buffer): ZipEntry | { error: string } {
  const files: (ZipEntry & { method: number; isEncrypted: boolean })[] = [];
  for (let at = 0; at + 46 <= directory.length; ) {
    if (directory.readUInt32LE(at) !== entrySignature) break;
    const nameBytes = directory.readUInt16LE(at + 28);
    const name = directory.toString('latin1', at + 46, at + 46 + nameBytes);
    const method = directory.readUInt16LE(at + 10);
    if (!name.endsWith('/') && !name.startsWith('__MACOSX/')) {
      files.push({
        headerAt: directory.readUInt32LE(at + 42),
        compressedBytes: directory.readUInt32LE(at + 20),
        crc: directory.readUInt32LE(at + 16),
        isStored: method === 0,
        method,
        isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      });
    }
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  const [file, ...others] = files;
  if (!file || others.length > 0) return { error: severalFiles };
  if (file.isEncrypted) return { error: describeFault('encrypted_zip') };
  if (file.method !== 0 && file.method !== 8) return { error: describeFault('zip_method') };
  if (file.compressedBytes === maxUint32) return { error: describeFault('large_zip') };
  return file;
}

/** The size of a local header, which precedes the compressed data. `fixed` is its first 30 bytes. */
export function localHeaderBytes(fixed: Buffer): number | undefined {
  if (fixed.length < 30 || fixed.readUInt32LE(0) !== localSignature) return undefined;
  return 30 + fixed.readUInt16LE(26) + fixed.readUInt16LE(28);
}

const entrySignature = 0x0201_4b50;
const localSignature = 0x0403_4b50;
const maxUint32 = 0xffff_ffff;
const maxDirectoryBytes = 1024 * 1024;
const severalFiles = describeFault('several_files');
