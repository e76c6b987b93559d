import type { Db, Tx } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';

/** `max` is null until the chain is measured for the first time. */
export type JobBytes = { bytes: number; max: number | null };

/** Returns the numbers after the addition. */
export async function addJobBytes(tx: Tx, chainId: string, bytes: number): Promise<JobBytes> {
  const rows = await tx.query<JobBytes>(
    `insert into chain_storage as s (chain_id, job_bytes, changed_at) values ($1, $2, now())
     on conflict (chain_id) do update set job_bytes = s.job_bytes + excluded.job_bytes, changed_at = excluded.changed_at
     returning s.job_bytes::float8 as bytes, s.max_job_bytes::float8 as max`,
    [chainId, bytes],
  );
  return rows[0] ?? { bytes, max: null };
}

/** The same numbers, without an addition. */
export async function findJobBytes(db: Db, chainId: string): Promise<JobBytes | undefined> {
  const rows = await db.query<JobBytes>(
    'select job_bytes::float8 as bytes, max_job_bytes::float8 as max from chain_storage where chain_id = $1',
    [chainId],
  );
  return rows[0];
}

/**
 * The chains to measure now, those first that were measured longest ago: chains that accepted a job in the last minutes,
 * whose jobs may still be storing results, chains near the limit, whose data may have expired, and after some minutes all
 * others. A chain whose measurement takes long is measured less often, so that it takes at most 2% of a connection.
 */
export async function listUnmeasured(tx: Tx, scope: Scope, maxBytes: number): Promise<string[]> {
  const rows = await tx.query<{ chain_id: string }>(
    `select chain_id from chain_storage s
     where ${inScope('s', '$1')} and (measured_at is null or measured_at > now() or max_job_bytes is distinct from $2
       or (now() - measured_at > make_interval(secs => measured_ms * 0.05)
         and (changed_at > measured_at - interval '10 minutes' or measured_at < now() - interval '10 minutes'
           or job_bytes > max_job_bytes * 0.9)))
     order by measured_at nulls first`,
    [scope, maxBytes],
  );
  return rows.map(({ chain_id }) => chain_id);
}

/**
 * The size of what is stored for a chain's jobs, and of what its promotions contain. The sizes of values come from the
 * rows, so the values are not read. Small rows are not read one by one, but estimated from the jobs that wrote them,
 * including those that the items of unfinished jobs will write.
 */
export async function measureJobBytes(tx: Tx, chainId: string): Promise<number> {
  const size = `coalesce(sum(octet_length(bytes) + ${rowBytes}), 0)`;
  const rows = await tx.query<{ bytes: number }>(
    `select ((select ${size} from job_chunks where chain_id = $1) + (select ${size} from job_file_parts where chain_id = $1)
       + (select ${size} from job_failures where chain_id = $1) + (select ${size} from file_parts where chain_id = $1)
       + (select count(*) * ${promotionRowBytes} from promotion_offers where chain_id = $1)
       + (select count(*) * ${promotionRowBytes} from promotion_entries where chain_id = $1)
       + (select coalesce(sum(${jobBytes} + ${feedbackBytes} * ${feedbackRows} + ${itemBytes}::bigint * ${storedItems}), 0)
          from jobs where chain_id = $1))::float8 as bytes`,
    [chainId],
  );
  return rows[0]?.bytes ?? 0;
}

/** Does nothing if another transaction has locked the chain's row. The chain is then the first one next time. */
export function setJobBytes(
  tx: Tx,
  chainId: string,
  measured: { bytes: number; maxBytes: number; milliseconds: number },
): void {
  tx.send(
    `with unlocked as (select chain_id from chain_storage where chain_id = $1 for no key update skip locked)
     update chain_storage s set job_bytes = $2, max_job_bytes = $3, measured_ms = $4, measured_at = now()
     from unlocked where s.chain_id = $1 and unlocked.chain_id = s.chain_id`,
    [chainId, Math.round(measured.bytes), measured.maxBytes, Math.round(measured.milliseconds)],
  );
}

/** The largest share of the limit that a chain uses. */
export async function findMaxShare(db: Db): Promise<number> {
  const rows = await db.query<{ share: number | null }>(
    'select max(job_bytes::float8 / max_job_bytes) as share from chain_storage',
  );
  return rows[0]?.share ?? 0;
}

/** What a job's own row takes with its indexes, a row of feedback, and a row with a value in addition to the value. */
const jobBytes = 1000;
const feedbackBytes = 300;
const rowBytes = 100;
/** A SKU of a promotion, and each store in which it is discounted. */
const promotionRowBytes = 200;
/** A job has feedback for a limited number of items. */
const feedbackRows = "least(2000, failed + case type when 'CATALOG_UPDATE' then 0 else unchanged end)";
/** Changes are kept for 30 days. */
const storedItems = `case when status in ('QUEUED', 'IN_PROGRESS') then total - failed - unchanged
  when type = 'CATALOG_UPDATE' and created_at > now() - interval '30 days' then succeeded else 0 end`;
/** What an item takes in `job_changes` and in a result file. */
const itemBytes = 64;

/** What a job takes that has just been accepted. */
export function bytesOfJob(total: number, chunks: readonly { bytes: Uint8Array }[]): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes.byteLength + rowBytes, jobBytes + itemBytes * total);
}
