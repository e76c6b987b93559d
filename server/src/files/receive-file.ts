import type { Database } from '../kernel/database/db.ts';
import { partBytes } from './part-queries.ts';
import { appendPart, deleteUnfinished, startFile, type UploadLimits } from './upload-file.ts';

/** Stores a file as it arrives, and returns its id. If the upload is incomplete, nothing is kept. */
export async function receiveFile(
  db: Database,
  chainId: string,
  start: Parameters<typeof startFile>[2],
  chunks: AsyncIterable<Uint8Array>,
  limits: UploadLimits,
): Promise<string> {
  const { file_id: fileId } = await db.transaction((tx) => startFile(tx, chainId, start));
  try {
    let offset = 0;
    for await (const bytes of inParts(chunks)) {
      const at = offset;
      await db.transaction((tx) => appendPart(tx, chainId, fileId, at, bytes, limits));
      offset += bytes.length;
    }
  } catch (error) {
    await db.transaction((tx) => deleteUnfinished(tx, chainId, fileId)).catch(() => {});
    throw error;
  }
  return fileId;
}

/** Joins small chunks, so that each part is written once. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    const bytes = Buffer.concat(pending);
    const end = bytes.length - (bytes.length % partBytes);
    yield bytes.subarray(0, end);
    pending = [bytes.subarray(end)];
    size = bytes.length - end;
  }
  if (size > 0) yield Buffer.concat(pending);
}
