import type { SubCode } from '@aisle/contract/sub-codes';
import { maxFeedback } from '@aisle/contract/sizes';
import type { Db, Tx } from '../kernel/database/db.ts';

export type Feedback = {
  status: 'FAILED' | 'SUPERSEDED' | 'DUPLICATED' | 'MISSING' | 'POINTLESS' | 'ABSENT';
  row_no: number;
  vendor_id: string;
  sku: string | null;
  /** Null if the row was written by an older version, which had no codes. */
  code: SubCode<'item'> | null;
  rejected_data: string | null;
  rejected_reason: string;
};

/** Stores about `maxFeedback` rows per status. Concurrent slices can store a few more, which `listFeedback` omits. */
export async function addFeedback(tx: Tx, chainId: string, jobId: string, rows: Feedback[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `with known as (
       select status, count(*) as count from job_feedback where chain_id = $1 and job_id = $2 group by status
     ), given as (
       select r.*, row_number() over (partition by r.status order by r.row_no) as position
       from jsonb_to_recordset($3) as r (
         status text, row_no integer, vendor_id text, sku text, code text, rejected_data text, rejected_reason text)
     )
     insert into job_feedback (chain_id, job_id, status, row_no, vendor_id, sku, code, rejected_data, rejected_reason)
     select $1, $2, g.status, g.row_no, g.vendor_id, g.sku, g.code, g.rejected_data, g.rejected_reason
     from given g left join known k on k.status = g.status
     where g.position + coalesce(k.count, 0) <= $4`,
    [chainId, jobId, JSON.stringify(rows), maxFeedback],
  );
}

/** The first `maxFeedback` rows for each job and status. */
export function listFeedback(db: Db, chainId: string, jobIds: string[]): Promise<(Feedback & { job_id: string })[]> {
  return db.query(
    `select job_id, status, row_no, vendor_id, sku, code, rejected_data, rejected_reason
     from (
       select f.*, row_number() over (partition by job_id, status order by vendor_id, row_no) as position
       from job_feedback f where chain_id = $1 and job_id = any ($2)
     ) f
     where position <= $3 order by job_id, vendor_id, row_no`,
    [chainId, jobIds, maxFeedback],
  );
}
