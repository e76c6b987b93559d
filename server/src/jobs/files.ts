import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Db, Tx } from '../kernel/database/db.ts';

/**
 * Where the files of jobs are kept: in the database, so that several machines share them and a part commits with the
 * work it reports. To keep them elsewhere, change this module only.
 *
 * A file is a row of parts, each the gzip of whole CSV lines without the header. Parts are written and read one at a
 * time: memory does not grow with the file.
 */
const compress = promisify(gzip);
const uncompress = promisify(gunzip);

export async function writePart(tx: Tx, chainId: string, jobId: string, partNo: number, lines: Uint8Array | string) {
  const bytes = await compress(lines, { level: 1 });
  await tx.query('insert into job_file_parts (chain_id, job_id, part_no, bytes) values ($1, $2, $3, $4)', [
    chainId,
    jobId,
    partNo,
    bytes,
  ]);
}

export async function* readParts(db: Db, chainId: string, jobId: string): AsyncGenerator<Buffer> {
  for (let after = -1; ; ) {
    const rows = await db.query<{ part_no: string; bytes: Buffer }>(
      `select part_no, bytes from job_file_parts where chain_id = $1 and job_id = $2 and part_no > $3
       order by part_no limit 1`,
      [chainId, jobId, after],
    );
    const part = rows[0];
    if (!part) return;
    yield await uncompress(part.bytes);
    after = Number(part.part_no);
  }
}
