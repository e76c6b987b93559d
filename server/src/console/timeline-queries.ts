import type { Db } from '../kernel/database/db.ts';

export type TimelineRow = {
  at: Date;
  kind: 'change' | 'event' | 'delivery' | 'attempt' | 'request';
  id: string;
  title: string;
  by: string | null;
  outcome: string | null;
  is_failure: boolean;
  duration_ms: number | null;
  delivery_id: string | null;
};

/**
 * Everything that happened to an order, oldest first. Of very many entries, the newest are returned. A device that reads
 * the order again and again does not hide the rest.
 */
export function listTimeline(db: Db, chainId: string, orderId: string): Promise<TimelineRow[]> {
  return db.query(
    `select * from (
     select at, 'change' as kind, revision::text as id, action as title, actor as by,
       to_status as outcome, false as is_failure, null::float8 as duration_ms, null::uuid as delivery_id, 1 as rank
     from order_changes where chain_id = $1 and order_id = $2
     union all
     select created_at, 'event', event_id::text, type, null, null, false, null, null, 2
     from events where chain_id = $1 and order_id = $2
     union all
     select created_at, 'delivery', delivery_id::text, type, null, status, status in ('FAILED', 'EXHAUSTED'), null,
       delivery_id, 3
     from deliveries where chain_id = $1 and order_id = $2
     union all
     select a.started_at, 'attempt', a.delivery_id || '/' || a.attempt_no, d.type, split_part(a.url, '?', 1),
       coalesce(a.http_status::text, a.outcome), a.outcome <> 'success', a.duration_ms::float8, a.delivery_id, 4
     from delivery_attempts a join deliveries d on d.chain_id = a.chain_id and d.delivery_id = a.delivery_id
     where a.chain_id = $1 and d.chain_id = $1 and d.order_id = $2
     union all
     (select received_at, 'request', request_id, method || ' ' || path, caller_name, status::text, status >= 400,
       duration_ms::float8, null, 0
     from requests where chain_id = $1 and order_id = $2 order by received_at desc limit 400)
     order by at desc, rank desc, id desc limit 1000) newest
     order by at, rank, id`,
    [chainId, orderId],
  );
}
