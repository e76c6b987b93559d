import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';

/** Compressed, in memory of its own: what the compressor returns cannot be handed over to another thread. */
export function compress(text: string): Uint8Array {
  return new Uint8Array(zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: -3 } }));
}

export const decompress = promisify(zstdDecompress);
