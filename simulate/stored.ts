import type { Change, Evidence, Job, Offer, StoredLine } from '../cli/src/simulate/world/evidence.ts';
import type { Database } from '../server/src/kernel/database/db.ts';

/** The evidence that the API does not show, or not as completely. */
export async function readStored(db: Database) {
  const rows = <Row>(sql: string) => db.query<Row>(sql);
  return {
    changes: await rows<Change>(
      `select chain_id, order_id, revision, from_status, to_status from order_changes
       order by order_id, revision`,
    ),
    lines: await rows<StoredLine>(
      `select chain_id, vendor_id, order_id, i ->> 'sku' as sku, i ->> 'status' as status,
         (i -> 'picked' ->> 'quantity')::int as quantity, (i ->> 'taken')::int as taken
       from orders, jsonb_array_elements(items) i`,
    ),
    offers: await rows<Offer>('select chain_id, vendor_id, sku, quantity, price::float8 as price from offers'),
    deliveries: await rows<Evidence['deliveries'][number]>('select delivery_id, chain_id, status from deliveries'),
    jobs: await rows<Job>('select chain_id, job_id, type, status, failed from jobs'),
    promotions: await rows<Evidence['promotions'][number]>(
      `select chain_id, display_name ->> 'en_AE' as name, global_limit, global_used::int as global_used from promotions`,
    ),
    deadTasks: await rows<Evidence['deadTasks'][number]>('select chain_id, kind, last_error from queue_dead'),
  };
}
