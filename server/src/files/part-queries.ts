import type { Db, Tx } from '../kernel/database/db.ts';

/** Every part except the last has this size, so that equal files have equal parts, however they were uploaded. */
export const partBytes = 256 * 1024;

/** Writes bytes into a part, after its first `keep` bytes, which are kept. */
export async function writePartBytes(
  tx: Tx,
  chainId: string,
  fileId: string,
  part: { no: number; keep: number; bytes: Uint8Array },
): Promise<void> {
  const { buffer, byteOffset, byteLength } = part.bytes;
  await tx.query(
    `insert into file_parts as p (chain_id, file_id, part_no, bytes, digest) values ($1, $2, $3, $4, sha256($4))
     on conflict (chain_id, file_id, part_no) do update set
       bytes = substring(p.bytes from 1 for $5) || excluded.bytes,
       digest = sha256(substring(p.bytes from 1 for $5) || excluded.bytes)`,
    [chainId, fileId, part.no, Buffer.from(buffer, byteOffset, byteLength), part.keep],
  );
}

export async function computeDigest(tx: Tx, chainId: string, fileId: string): Promise<Buffer> {
  const rows = await tx.query<{ digest: Buffer }>(
    `select sha256(coalesce(string_agg(digest, ''::bytea order by part_no), '')) as digest
     from file_parts where chain_id = $1 and file_id = $2`,
    [chainId, fileId],
  );
  return rows[0]?.digest ?? Buffer.alloc(0);
}

/** Returns consecutive parts, starting with `from`. */
export async function listParts(
  db: Db,
  chainId: string,
  fileId: string,
  from: number,
  count: number,
): Promise<Buffer[]> {
  const rows = await db.query<{ bytes: Buffer }>(
    `select bytes from file_parts where chain_id = $1 and file_id = $2 and part_no >= $3 order by part_no limit $4`,
    [chainId, fileId, from, count],
  );
  return rows.map((row) => row.bytes);
}

export async function deleteParts(tx: Tx, chainId: string, fileId: string): Promise<void> {
  await tx.query('delete from file_parts where chain_id = $1 and file_id = $2', [chainId, fileId]);
}
