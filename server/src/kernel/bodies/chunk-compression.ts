import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';

const options = { params: { [constants.ZSTD_c_compressionLevel]: -3 } };

/** The result is a copy, because the buffer that zlib returns cannot be transferred to another thread. */
export function compress(text: string): Uint8Array {
  return new Uint8Array(zstdCompressSync(text, options));
}

/** Compresses off the event loop. */
export function compressLater(content: string | Uint8Array): Promise<Buffer> {
  return compressAsync(content, options);
}

export function decompress(content: Uint8Array): Promise<Buffer> {
  return decompressAsync(content, { chunkSize });
}

/** By default, the result is put together from parts of 16 KiB. */
const chunkSize = 256 * 1024;

const decompressAsync = promisify(zstdDecompress);

const compressAsync = promisify(zstdCompress);
