import type { Db } from '../kernel/database/db.ts';
import type { TallyScope } from '../tallies/index.ts';
import type { JobsOfDay } from './rules/days.ts';

// This feature queries other features' tables directly, but only to count rows.

/** Deliveries of the type `except` are not counted. */
export async function countOpenDeliveries(db: Db, chainId: string, scope: TallyScope, except: string) {
  const inScope = `chain_id = $1 and ($2::text[] is null or vendor_id = any ($2)) and created_at >= $3 and created_at < $4
    and type <> $5 and not is_platform`;
  // Two subqueries, so that each uses its own partial index.
  const rows = await db.query<{ pending: number; exhausted: number }>(
    `select (select count(*)::int from deliveries where ${inScope} and status in ('PENDING', 'FAILED')) as pending,
       (select count(*)::int from deliveries where ${inScope} and status = 'EXHAUSTED') as exhausted`,
    [...values(chainId, scope), except],
  );
  return rows[0] ?? { pending: 0, exhausted: 0 };
}

export function countJobs(db: Db, chainId: string, scope: TallyScope): Promise<JobsOfDay[]> {
  return db.query(
    `select (created_at at time zone $5)::date::text as day,
       count(*) filter (where status in ('QUEUED', 'IN_PROGRESS'))::int as running,
       count(*) filter (where status = 'COMPLETED')::int as completed,
       count(*) filter (where status = 'FAILED')::int as failed
     from jobs where chain_id = $1 and ($2::text[] is null or vendor_ids <@ $2) and created_at >= $3 and created_at < $4
     group by 1`,
    [...values(chainId, scope), scope.timezone],
  );
}

function values(chainId: string, { vendorIds, from, to }: TallyScope): unknown[] {
  return [chainId, vendorIds, from, to];
}
