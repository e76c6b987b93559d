import type { Db, Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { compressPart, decompressPart, decompressPieces, joinParts } from './gzip-parts.ts';

/**
 * Stores job files in the database, so that all machines share them and each part commits together with the work that
 * produced it. To store files elsewhere, change only this module.
 *
 * A file is a sequence of parts. Each is gzip-compressed and contains complete CSV lines without the header. Parts are
 * written and read one at a time, so memory use does not depend on the file size. A part is sent in small pieces, and
 * the next part is read only when the client has received them all, so a download needs memory for little more than one
 * compressed part.
 */
export async function writePart(
  tx: Tx,
  chainId: string,
  jobId: string,
  partNo: number,
  lines: Uint8Array | string,
  rowCount: number | null = null,
) {
  tx.send(
    `insert into job_file_parts (chain_id, job_id, part_no, bytes, content_bytes, row_count)
     values ($1, $2, $3, $4, $5, $6)`,
    [chainId, jobId, partNo, await compressPart(lines), Buffer.byteLength(lines), rowCount],
  );
}

/** A part whose number of rows was stored. `rowsBefore` is the number of rows in the parts before it. */
export type FilePart = { partNo: number; contentBytes: number; rowsBefore: number };

/** The parts with these numbers that contain the rows of a page, in order. */
export async function listParts(
  db: Db,
  chainId: string,
  jobId: string,
  range: { from: number; to: number },
  page: { offset: number; pageSize: number },
): Promise<FilePart[]> {
  const rows = await db.query<{ part_no: string; content_bytes: number; rows_before: number }>(
    `select part_no, content_bytes, rows_before from (
       select part_no, row_count, content_bytes,
         (sum(row_count) over (order by part_no) - row_count)::float8 as rows_before
       from job_file_parts where chain_id = $1 and job_id = $2 and part_no >= $3 and part_no < $4) p
     where rows_before < $5::float8 + $6 and rows_before + row_count > $5::float8 order by part_no`,
    [chainId, jobId, range.from, range.to, page.offset, page.pageSize],
  );
  return rows.map(({ part_no, content_bytes, rows_before }) => {
    return { partNo: Number(part_no), contentBytes: content_bytes, rowsBefore: rows_before };
  });
}

/** The number of rows in the parts from 0 to before `size`, in those from `size` to before twice `size`, and so on. */
export async function countPartRows(db: Db, chainId: string, jobId: string, size: number): Promise<number[]> {
  const rows = await db.query<{ range: number; rows: number }>(
    `select (part_no / $3::bigint)::int as range, sum(row_count)::float8 as rows from job_file_parts
     where chain_id = $1 and job_id = $2 and row_count is not null group by 1`,
    [chainId, jobId, size],
  );
  const counts: number[] = [];
  for (const { range, rows: count } of rows) counts[range] = count;
  return counts;
}

/** The lines of one part. Empty if it has been deleted. */
export async function readPart(
  db: Db,
  chainId: string,
  jobId: string,
  { partNo, contentBytes }: Pick<FilePart, 'partNo' | 'contentBytes'>,
): Promise<string> {
  const [part] = await db.query<{ bytes: Buffer }>(
    'select bytes from job_file_parts where chain_id = $1 and job_id = $2 and part_no = $3',
    [chainId, jobId, partNo],
  );
  return part ? (await decompressPart(part.bytes, contentBytes)).toString('utf8') : '';
}

/** Yields the content of the file in pieces that are small enough to convert one in a millisecond. */
export async function* readPieces(db: Db, chainId: string, jobId: string): AsyncGenerator<Buffer> {
  for await (const part of readStoredParts(db, chainId, jobId)) yield* decompressPieces(part, contentPieceBytes);
}

/** The file as a single gzip stream that begins with this header line. The stored parts are not decompressed. */
export async function* readGzip(db: Db, chainId: string, jobId: string, firstLine: string): AsyncGenerator<Buffer> {
  for await (const part of joinParts(withFirst(firstLine, readStoredParts(db, chainId, jobId)))) {
    for (let at = 0; at < part.length; at += pieceBytes) yield part.subarray(at, at + pieceBytes);
  }
}

const contentPieceBytes = 16 * 1024;
const pieceBytes = 64 * 1024;

/** Fails if parts are deleted in the meantime, because a file without its end looks like a complete one. */
async function* readStoredParts(db: Db, chainId: string, jobId: string): AsyncGenerator<Buffer> {
  const last = await findLastPart(db, chainId, jobId);
  for (let after = beforeAllParts; after < last; ) {
    const rows = await db.query<{ part_no: string; bytes: Buffer }>(
      `select part_no, bytes from job_file_parts where chain_id = $1 and job_id = $2 and part_no > $3
       order by part_no limit 1`,
      [chainId, jobId, after],
    );
    const part = rows[0];
    if (!part) throw new Failure('download_expired');
    yield part.bytes;
    after = Number(part.part_no);
  }
}

/** Fails if the file has expired by the database's clock, because its parts may have been deleted. */
async function findLastPart(db: Db, chainId: string, jobId: string): Promise<number> {
  const [file] = await db.query<{ last: string | null; is_expired: boolean | null }>(
    `select j.file_expires_at <= now() as is_expired,
       (select max(part_no) from job_file_parts p where p.chain_id = $1 and p.job_id = $2) as last
     from jobs j where j.chain_id = $1 and j.job_id = $2`,
    [chainId, jobId],
  );
  if (!file || file.is_expired) throw new Failure('download_expired');
  return Number(file.last ?? beforeAllParts);
}

/** The parts with the invalid rows of a promotion file have negative numbers. */
const beforeAllParts = Number.MIN_SAFE_INTEGER;

async function* withFirst(line: string, parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield await compressPart(line);
  yield* parts;
}
