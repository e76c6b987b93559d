import type { Database } from '../kernel/database/db.ts';
import { partBytes } from './part-queries.ts';
import { appendPart, deleteUnfinished, startFile, type UploadLimits } from './upload-file.ts';

/**
 * Stores a file as it arrives, and returns its id and size. If the upload is incomplete, or if `confirmAccess` fails when it has
 * arrived, nothing is kept.
 */
export async function receiveFile(
  db: Database,
  chainId: string,
  start: Parameters<typeof startFile>[2],
  chunks: AsyncIterable<Uint8Array>,
  limits: UploadLimits,
  confirmAccess: () => Promise<void>,
): Promise<{ fileId: string; size: number }> {
  const { file_id: fileId } = await db.transaction((tx) => startFile(tx, chainId, start));
  let size = 0;
  try {
    for await (const bytes of inParts(chunks)) {
      const at = size;
      await db.transaction((tx) => appendPart(tx, chainId, fileId, at, bytes, limits));
      size += bytes.length;
    }
    await confirmAccess();
  } catch (error) {
    await db.transaction((tx) => deleteUnfinished(tx, chainId, fileId)).catch(() => {});
    throw error;
  }
  return { fileId, size };
}

/** Joins small chunks, so that each part is written once. They are copied, because there can be very many of them. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafeSlow(partBytes);
  let size = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + partBytes - size);
      part.set(piece, size);
      size += piece.length;
      at += piece.length;
      if (size < partBytes) continue;
      yield part;
      part = Buffer.allocUnsafeSlow(partBytes);
      size = 0;
    }
  }
  if (size > 0) yield part.subarray(0, size);
}
