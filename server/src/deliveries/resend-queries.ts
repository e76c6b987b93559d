import type { Tx } from '../kernel/database/db.ts';
import type { Visible } from './queries.ts';

/** Failed deliveries that can be resent. `before` excludes those that have been resent since. */
export type FailedFilter = Visible & { since: Date; before: Date };

const failedSql = `from deliveries f
  where f.chain_id = $1 and not f.is_platform and f.status in ('FAILED', 'EXHAUSTED') and f.created_at >= $4 and f.updated_at <= $5
    and exists (select from events e where e.chain_id = $1 and e.event_id = f.delivery_id)
    and (f.vendor_id in (select w.vendor_id from webhooks w where w.chain_id = $1 and w.vendor_id is not null)
      or exists (select from webhooks w where w.chain_id = $1 and w.vendor_id is null))
    and ($2::text[] is null or f.vendor_id = any ($2)) and ($3::text[] is null or f.type = any ($3))`;

function failedValues(chainId: string, { vendorIds, types, since, before }: FailedFilter): unknown[] {
  return [chainId, vendorIds, types, since, before];
}

export async function countFailed(tx: Tx, chainId: string, filter: FailedFilter): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*)::int as count ${failedSql}`,
    failedValues(chainId, filter),
  );
  return rows[0]?.count ?? 0;
}

/** The oldest ones first, so that each order's events stay in sequence. Starts at `fromPosition`. */
export function listFailed(
  tx: Tx,
  chainId: string,
  filter: FailedFilter,
  fromPosition: string,
  limit: number,
): Promise<{ delivery_id: string; lane_id: string; own_lane_id: string; position: string }[]> {
  return tx.query(
    `select f.delivery_id, f.lane_id, coalesce(f.order_id, f.job_id, f.delivery_id) as own_lane_id, f.position
     ${failedSql} and f.position >= $6 order by f.position limit $7`,
    [...failedValues(chainId, filter), fromPosition, limit],
  );
}

/**
 * Moves failed deliveries back to the lanes of their orders, and returns those that are still failed. The caller must
 * lock publishing in an earlier statement, so that the endpoints are not deleted at the same time.
 */
export function reopenFailed(
  tx: Tx,
  chainId: string,
  deliveries: { delivery_id: string; own_lane_id: string }[],
): Promise<{ chain_id: string; lane_id: string; endpoint_id: string }[]> {
  return tx.query(
    `update deliveries d set status = 'PENDING', tries = 0, next_attempt_at = null, updated_at = statement_timestamp(),
       lane_id = target.lane_id, endpoint_id = target.endpoint_id
     from (
       select f.delivery_id, given.lane_id, p.endpoint_id
       from unnest($2::uuid[], $3::uuid[]) as given (delivery_id, lane_id)
       join deliveries f on f.chain_id = $1 and f.delivery_id = given.delivery_id
       join lateral (
         select e.endpoint_id from webhooks w
         join endpoints e on e.chain_id = w.chain_id and e.webhook_id = w.webhook_id
           and e.topic = case when f.job_id is null then 'orders' else 'catalog' end
         where w.chain_id = $1 and (w.vendor_id = f.vendor_id or w.vendor_id is null)
         order by w.vendor_id nulls last limit 1
       ) p on true
     ) target
     where d.chain_id = $1 and d.delivery_id = target.delivery_id and d.status in ('FAILED', 'EXHAUSTED')
     returning d.chain_id, d.lane_id, d.endpoint_id`,
    [chainId, deliveries.map((one) => one.delivery_id), deliveries.map((one) => one.own_lane_id)],
  );
}
