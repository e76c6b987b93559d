import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';

/** The result is a copy, because the buffer that zlib returns cannot be transferred to another thread. */
export function compress(text: string): Uint8Array {
  return new Uint8Array(zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: -3 } }));
}

export const decompress = promisify(zstdDecompress);
