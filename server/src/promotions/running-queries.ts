import type { DiscountSubtype, PromotionType } from '@aisle/contract/promotion-types';
import type { Db, Tx } from '../kernel/database/db.ts';
import { opaque } from '../kernel/database/opaque.ts';

/** A promotion that is currently running for a SKU at a vendor. */
export type RunningRow = {
  sku: string;
  promotion_id: string;
  type: PromotionType;
  display_name: Record<string, string>;
  start_time: Date;
  end_time: Date;
  created_at: Date;
  discount_subtype: DiscountSubtype;
  discount_value: string;
  max_quantity: number | null;
  purchased_quantity: number | null;
  discounted_quantity: number | null;
  max_discount_per_order: string | null;
  max_items_per_order: number | null;
  global_limit: number | null;
  currency: string;
};

/** Several, because a promotion that lowers the price by less than the currency's smallest unit is passed over. */
const maxRunning = 10;

/**
 * Lists the promotions that are currently running for these SKUs at a vendor, except those that have reached their
 * global limit and final prices that are not below the vendor's price. Nothing limits how many promotions cover a SKU,
 * so only those that come first in `chooseRunning` are returned.
 *
 * Each SKU is looked up twice in the primary key, for the vendor and for `*`, however many promotions exist. Promotions
 * that have ended are outside the scanned range. For a page of 20 SKUs and three million rows, the query takes half a
 * millisecond. They are sorted, by ids that grow with time, before promotions are looked up, so that of hundreds for the
 * same SKU only about ten are. The vendor's price is looked up only for these, too.
 *
 * A plan that is kept (see `opaque`) must be right before the planner's statistics are, so `lateral` and `offset 0` leave
 * only this order:
 *
 *   Nested Loop
 *     -> Index Scan using vendors_pkey on vendors × unnest
 *     -> Nested Loop (until the limit is reached)
 *          -> Sort of values × Index Scan using promotion_offers_pkey on promotion_offers
 *               Index Cond: chain_id = $1 and vendor_id = … and sku = … and end_time > $4
 *               Filter: start_time <= $4
 *          -> Index Scan using promotions_pkey on promotions
 *               (until there are statistics, another index of the chain; a sequential scan while there are few)
 */
export function listRunning(
  db: Db,
  chainId: string,
  vendorId: string,
  skus: readonly string[],
  now: Date,
): Promise<RunningRow[]> {
  return db.query(
    `select running.*, v.currency
     from vendors v cross join unnest(${opaque('$3::text[]')}) as requested (sku)
     cross join lateral (
       select po.sku, p.promotion_id, p.type, p.display_name, p.start_time, p.end_time, p.created_at,
         po.discount_subtype, po.discount_value, po.max_quantity, p.purchased_quantity, p.discounted_quantity,
         p.max_discount_per_order, p.max_items_per_order, p.global_limit
       from (
         select po.* from (values ($2), ('*')) as covered (vendor_id)
         cross join lateral (
           select * from promotion_offers where chain_id = $1 and vendor_id = covered.vendor_id and sku = requested.sku
             and end_time > $4 and start_time <= $4 offset 0
         ) po
         order by po.start_time desc, po.promotion_id desc offset 0
       ) po
       cross join lateral (
         select * from promotions where chain_id = $1 and promotion_id = po.promotion_id offset 0
       ) p
       where p.is_published and not p.is_cancelled and (p.global_limit is null or p.global_used < p.global_limit)
         and (po.discount_subtype <> 'FINAL_PRICE' or po.discount_value < (
           select price from offers where chain_id = $1 and vendor_id = $2 and sku = requested.sku))
       order by po.start_time desc, po.promotion_id desc limit ${maxRunning}
     ) running
     where v.chain_id = $1 and v.vendor_id = $2`,
    [chainId, vendorId, skus, now],
  );
}

/** Whether `listRunning` can return anything. A distributed database executes this in a tenth of the time. */
export async function canBeRunning(
  db: Db,
  chainId: string,
  vendorId: string,
  skus: readonly string[],
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from promotion_offers where chain_id = $1 and vendor_id = any ($2) and sku = any ($3) and end_time > $4
       and start_time <= $4 limit 1`,
    [chainId, [vendorId, '*'], skus, now],
  );
  return rows.length > 0;
}

/** `left` is null if the promotion has no global limit. */
export type UnitsLeft = { promotion_id: string; left: number | null };

/** `endLocking` undoes what follows, and releases its locks. */
export function beginLocking(tx: Tx): void {
  tx.send('savepoint promotion_units');
}

export function endLocking(tx: Tx): void {
  tx.send('rollback to savepoint promotion_units');
}

/** Locks the promotions and returns the number of units left in each. */
export function lockGlobalUnits(tx: Tx, chainId: string, promotionIds: string[]): Promise<UnitsLeft[]> {
  return tx.query(lockedUnits, [chainId, promotionIds]);
}

export function lockPromotions(tx: Tx, chainId: string, promotionIds: string[]): void {
  tx.send(lockedUnits, [chainId, promotionIds]);
}

/** Returns the number of units left in each promotion at the moment. */
export function listGlobalUnits(db: Db, chainId: string, promotionIds: string[]): Promise<UnitsLeft[]> {
  return db.query(unitsLeft, [chainId, promotionIds]);
}

const unitsLeft = `select promotion_id, greatest(global_limit - global_used, 0)::int as left from promotions
  where chain_id = $1 and promotion_id = any ($2) order by promotion_id`;
const lockedUnits = `${unitsLeft} for no key update`;

/**
 * Reserves units, or releases them if the number is negative. The rows must be locked. A promotion that reaches its
 * limit, or is below it again, changes the prices of its products.
 */
export function addGlobalUnits(tx: Tx, chainId: string, uses: { promotion_id: string; units: number }[]): void {
  tx.send(
    `with used as (
       update promotions p set global_used = greatest(p.global_used + u.units, 0)
       from unnest($2::uuid[], $3::int[]) as u (promotion_id, units)
       where p.chain_id = $1 and p.promotion_id = u.promotion_id
       returning p.promotion_id, p.global_limit, p.global_used, u.units
     )
     insert into promotion_changes (chain_id, promotion_id) select $1, promotion_id from used
     where (global_used >= global_limit) <> (global_used - units >= global_limit)`,
    [chainId, uses.map((use) => use.promotion_id), uses.map((use) => use.units)],
  );
}
