import type { Db, Tx } from '../kernel/database/db.ts';

export function insertChunk(
  tx: Tx,
  chainId: string,
  jobId: string,
  chunk: { kind: string; no: number; bytes: Uint8Array },
): void {
  tx.send('insert into job_chunks (chain_id, job_id, kind, chunk_no, bytes) values ($1, $2, $3, $4, $5)', [
    chainId,
    jobId,
    chunk.kind,
    chunk.no,
    Buffer.from(chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.byteLength),
  ]);
}

export async function getChunk(tx: Db, chainId: string, jobId: string, kind: string, no: number): Promise<Buffer> {
  const rows = await tx.query<{ bytes: Buffer }>(
    'select bytes from job_chunks where chain_id = $1 and job_id = $2 and kind = $3 and chunk_no = $4',
    [chainId, jobId, kind, no],
  );
  const bytes = rows[0]?.bytes;
  if (!bytes) throw new Error(`Chunk ${no} (${kind}) of job ${jobId} does not exist.`);
  return bytes;
}

/** Returns true for the first task that claims the chunk. Other tasks wait until that task commits, then get false. */
export async function claimChunk(tx: Tx, chainId: string, jobId: string, kind: string, no: number): Promise<boolean> {
  const rows = await tx.query(
    `update job_chunks set done = true
     where chain_id = $1 and job_id = $2 and kind = $3 and chunk_no = $4 and not done returning 1`,
    [chainId, jobId, kind, no],
  );
  return rows.length === 1;
}

/** Removes what the chunk contains, but not the chunk. */
export function emptyChunk(tx: Tx, chainId: string, jobId: string, kind: string, no: number): void {
  tx.send("update job_chunks set bytes = '' where chain_id = $1 and job_id = $2 and kind = $3 and chunk_no = $4", [
    chainId,
    jobId,
    kind,
    no,
  ]);
}

export async function isChunkEmpty(tx: Db, chainId: string, jobId: string, kind: string, no: number): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from job_chunks
     where chain_id = $1 and job_id = $2 and kind = $3 and chunk_no = $4 and octet_length(bytes) = 0`,
    [chainId, jobId, kind, no],
  );
  return rows.length === 1;
}

/**
 * Keeps the uploaded rows of chunks with failures, so that the failed rows can be downloaded. The rows of two chunks can
 * be stored together, with the number of the first one.
 */
export async function deleteChunks(tx: Tx, chainId: string, jobId: string): Promise<void> {
  await tx.query(
    `delete from job_chunks c where chain_id = $1 and job_id = $2 and not (kind = '${fileRowsKind}' and exists (
       select from job_failures f where f.chain_id = $1 and f.job_id = $2 and f.chunk_no in (c.chunk_no, c.chunk_no + 1)))`,
    [chainId, jobId],
  );
}

/** The kind of chunk that contains the rows of a file as they were uploaded. */
export const fileRowsKind = 'rows';
