import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';

/** A change of one offer, by a job, a single update or an order. */
export type HistoryRow = {
  changed_at: Date;
  job_id: string | null;
  order_id: string | null;
  changed_by: string | null;
  old_price: string;
  new_price: string;
  old_quantity: number | null;
  new_quantity: number | null;
  old_active: boolean;
  new_active: boolean;
  old_maximum: number | null;
  new_maximum: number | null;
};

export async function hasOffer(db: Db, chainId: string, vendorId: string, sku: string): Promise<boolean> {
  const rows = await db.query('select 1 from offers where chain_id = $1 and vendor_id = $2 and sku = $3', [
    chainId,
    vendorId,
    sku,
  ]);
  return rows.length > 0;
}

/**
 * The newest changes of an offer, newest first. The changes of jobs are stored in arrays, which are read from the newest
 * to the oldest until there are enough: about 1 ms for each slice whose range includes the SKU.
 */
export function listHistory(
  db: Db,
  chainId: string,
  vendorId: string,
  sku: string,
  limit: number,
): Promise<HistoryRow[]> {
  return db.query(
    `(select changed_at, null::uuid as job_id, order_id, changed_by, old_price, new_price, old_quantity, new_quantity,
        old_active, new_active, old_maximum, new_maximum
      from offer_history where chain_id = $1 and vendor_id = $2 and sku = $3
      order by changed_at desc, change_no desc limit $4)
     union all
     (select c.changed_at, c.job_id, null, null, c.old_prices[at], c.new_prices[at], c.old_quantities[at],
        c.new_quantities[at], c.old_active[at], c.new_active[at], c.old_maximums[at], c.new_maximums[at]
      from job_changes c cross join lateral array_position(c.skus, $3::text collate "C") as at
      where c.chain_id = $1 and c.vendor_id = $2 and $3 between c.low and c.high and c.old_barcodes is null
        and at is not null
      order by c.changed_at desc, c.change_no desc limit $4)
     order by changed_at desc limit $4`,
    [chainId, vendorId, sku, limit],
  );
}

export async function deleteOldHistory(tx: Tx, days: number): Promise<number> {
  let deleted = 0;
  for (const table of ['offer_history', 'job_changes']) {
    deleted += await countAffected(tx, `delete from ${table} where changed_at < now() - make_interval(days => $1)`, [
      days,
    ]);
  }
  return deleted;
}
