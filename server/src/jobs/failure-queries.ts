import { parseCsv } from '@aisle/contract/csv';
import { compressLater, decompress } from '../kernel/bodies/chunk-compression.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { JobRow } from './queries.ts';

/** A row of a file that failed at a vendor, identified by its line. */
export type FailedRow = { line: number; vendorId: string; reason: string };

/** Stores which rows failed, if the job was created from a file. `log` has the columns of a result file. */
export async function recordFailures(
  tx: Tx,
  chainId: string,
  job: Pick<JobRow, 'job_id' | 'file_name' | 'vendor_id'>,
  { chunk, vendorId, log }: { chunk: number; vendorId: string; log: string },
): Promise<void> {
  if (job.file_name === null) return;
  const rows: StoredFailure[] = [];
  for (const [, , state, errors = '', line] of parseCsv(log)) {
    if (state === 'FAILED') rows.push([Number(line), errors]);
  }
  // The reasons mention the vendor only if the job has several vendors.
  await insertFailures(tx, chainId, job.job_id, {
    chunk,
    vendorId: job.vendor_id === null ? vendorId : '',
    rows: JSON.stringify(rows),
  });
}

/** `rows` is the JSON text of a list of `StoredFailure`. */
export async function insertFailures(
  tx: Tx,
  chainId: string,
  jobId: string,
  { chunk, vendorId, rows }: { chunk: number; vendorId: string; rows: string },
): Promise<void> {
  await tx.query(
    'insert into job_failures (chain_id, job_id, chunk_no, vendor_id, bytes) values ($1, $2, $3, $4, $5)',
    [chainId, jobId, chunk, vendorId, await compressLater(rows)],
  );
}

/** The uploaded rows of chunks without failures are not kept. A promotion stores failures before it knows of any. */
export async function deleteFailures(tx: Tx, chainId: string, jobId: string): Promise<void> {
  await tx.query('delete from job_failures where chain_id = $1 and job_id = $2', [chainId, jobId]);
}

/** The numbers of the chunks with failed rows, in order. */
export async function listFailedChunks(db: Db, chainId: string, jobId: string): Promise<number[]> {
  const rows = await db.query<{ chunk_no: number }>(
    'select distinct chunk_no from job_failures where chain_id = $1 and job_id = $2 order by chunk_no',
    [chainId, jobId],
  );
  return rows.map((row) => row.chunk_no);
}

/** The first failed rows, in file order if the job has no vendors for its failures. */
export async function listFirstFailures(db: Db, chainId: string, jobId: string, max: number): Promise<FailedRow[]> {
  const found: FailedRow[] = [];
  for (const chunk of await listFailedChunks(db, chainId, jobId)) {
    for await (const rows of readFailures(db, chainId, jobId, chunk)) found.push(...rows.slice(0, max - found.length));
    if (found.length >= max) break;
  }
  return found;
}

/** Yields the failed rows of a chunk, a few vendors at a time, because a chain can have thousands of vendors. */
export async function* readFailures(
  db: Db,
  chainId: string,
  jobId: string,
  chunk: number,
): AsyncGenerator<FailedRow[]> {
  for (let last: string | null = null; ; ) {
    const parts: { vendor_id: string; bytes: Buffer }[] = await db.query(
      `select vendor_id, bytes from job_failures
       where chain_id = $1 and job_id = $2 and chunk_no = $3 and ($4::text is null or vendor_id > $4)
       order by vendor_id limit 10`,
      [chainId, jobId, chunk, last],
    );
    for (const { vendor_id: vendorId, bytes } of parts) {
      const rows = JSON.parse((await decompress(bytes)).toString('utf8')) as StoredFailure[];
      yield rows.map(([line, reason]) => ({ line, vendorId, reason }));
    }
    last = parts.at(-1)?.vendor_id ?? null;
    if (last === null) return;
  }
}

export type StoredFailure = [line: number, reason: string];
