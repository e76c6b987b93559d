import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { lockPositions, positionNow } from '../kernel/database/positions.ts';
import { type ProductRow, productColumns } from './queries.ts';

/** A product at one of a chain's vendors. */
export type ChainProductRow = ProductRow & { vendor_id: string };

/**
 * A change with a position. If `vendor_id` is null, the change is to products rather than offers and applies to all
 * vendors. If `size` is null, the change covers a range of SKUs. The times are text, because a Date has no
 * microseconds.
 */
export type OfferChange = {
  position: number;
  vendor_id: string | null;
  size: number | null;
  low: string | null;
  high: string | null;
  first_at: string;
  last_at: string;
};

/** Selects up to `limit` of a vendor's products, starting with the first SKU after `after`. */
export type Slice = { vendorId: string; after: string; limit: number };

/** A change to more SKUs than this is recorded as a range of SKUs. */
export const maxListedSkus = 500;

export async function hasPendingChanges(db: Db, chainId: string): Promise<boolean> {
  const rows = await db.query('select 1 from offer_changes where chain_id = $1 limit 1', [chainId]);
  return rows.length > 0;
}

/** Among these or (null) all chains. */
export function listChainsWithPendingChanges(
  db: Db,
  limit: number,
  chainIds: readonly string[] | null,
): Promise<{ chain_id: string }[]> {
  return db.query(
    'select distinct chain_id from offer_changes where $2::uuid[] is null or chain_id = any ($2) limit $1',
    [limit, chainIds],
  );
}

/** Those of these chains that have changes after their positions. */
export async function listChainsChangedAfter(
  db: Db,
  chains: { chain_id: string; position: string }[],
): Promise<string[]> {
  const rows = await db.query<{ chain_id: string }>(
    `select c.chain_id from offer_changes c where c.chain_id = any ($1)
     union
     select c.chain_id from placed_offer_changes c
     join unnest($1::uuid[], $2::bigint[]) as given (chain_id, position) on given.chain_id = c.chain_id
     where c.position > given.position`,
    [chains.map((one) => one.chain_id), chains.map((one) => one.position)],
  );
  return rows.map(({ chain_id }) => chain_id);
}

/**
 * Assigns positions, higher than all existing ones, to up to `limit` committed changes, and returns their number. A
 * vendor's small changes, such as single updates and stock changes from orders, are merged into one row, because there
 * can be thousands per minute.
 */
export async function assignPositions(tx: Tx, chainId: string, limit: number): Promise<number> {
  const [, rows] = await Promise.all([
    lockPositions(tx, `offer changes ${chainId}`),
    tx.query<{ count: number }>(
      `select count(*)::int as count from (
         select change_no from offer_changes where chain_id = $1 order by change_no limit $2) fresh`,
      [chainId, limit],
    ),
  ]);
  const count = rows[0]?.count ?? 0;
  await tx.query(
    `with taken as (
       delete from offer_changes where chain_id = $1 and change_no in (
         select change_no from offer_changes where chain_id = $1 order by change_no limit $2)
       returning *, coalesce(vendor_id is not null and cardinality(skus) <= 20, false) as is_small
     ), merged as (
       select vendor_id, array_agg(distinct sku) as skus, null as low, null as high, min(at) as first_at,
         max(at) as last_at, min(change_no) as change_no
       from taken cross join lateral unnest(skus) as sku where is_small group by vendor_id
       union all
       select vendor_id, skus, low, high, at, at, change_no from taken where not is_small
     )
     insert into placed_offer_changes (chain_id, position, vendor_id, skus, low, high, first_at, last_at)
     select $1, row_number() over (order by change_no) - 1 + greatest(${positionNow},
       (select coalesce(max(position), 0) + 1 from placed_offer_changes where chain_id = $1)),
       vendor_id, skus, low, high, first_at, last_at
     from merged`,
    [chainId, count],
  );
  return count;
}

/** Returns the last position. If there is none yet, inserts a change without SKUs to create one. */
export async function getLastPosition(tx: Tx, chainId: string): Promise<number> {
  const last = await findLastPosition(tx, chainId);
  if (last !== null) return last;
  await lockPositions(tx, `offer changes ${chainId}`);
  await tx.query(
    `insert into placed_offer_changes (chain_id, position, skus, first_at, last_at)
     select $1, ${positionNow}, '{}', now(), now()
     where not exists (select from placed_offer_changes where chain_id = $1)`,
    [chainId],
  );
  return (await findLastPosition(tx, chainId)) ?? 0;
}

async function findLastPosition(db: Db, chainId: string): Promise<number | null> {
  const rows = await db.query<{ position: number | null }>(
    'select max(position)::float8 as position from placed_offer_changes where chain_id = $1',
    [chainId],
  );
  return rows[0]?.position ?? null;
}

/**
 * Whether all changes after the position still exist. The oldest changes are deleted first, so this is the case if a
 * change at or before the position still exists.
 */
export async function isCovered(db: Db, chainId: string, position: number): Promise<boolean> {
  const rows = await db.query('select 1 from placed_offer_changes where chain_id = $1 and position <= $2 limit 1', [
    chainId,
    position,
  ]);
  return rows.length > 0;
}

/**
 * Makes every walk start over with a scan, because no position is covered any more. After a restore, readers that were
 * further than the backup have values that no later change would replace.
 */
export async function restartWalks(db: Db): Promise<void> {
  await db.query('delete from placed_offer_changes');
}

export function listChangesAfter(db: Db, chainId: string, after: number, limit: number): Promise<OfferChange[]> {
  return db.query(
    `select position::float8 as position, vendor_id, cardinality(skus) as size, low, high, first_at::text, last_at::text
     from placed_offer_changes where chain_id = $1 and position > $2 order by position limit $3`,
    [chainId, after, limit],
  );
}

export async function findChangeAt(db: Db, chainId: string, position: number): Promise<OfferChange | undefined> {
  const [next] = await listChangesAfter(db, chainId, position - 1, 1);
  return next?.position === position ? next : undefined;
}

/** Lists the products changed between two positions, but only from changes that name a vendor and SKUs. */
export function listChangedProducts(
  db: Db,
  chainId: string,
  positions: { from: number; to: number },
  vendorIds: string[],
): Promise<(ChainProductRow & { position: number })[]> {
  return db.query(
    `select c.position::float8 as position, o.vendor_id, ${productColumns}
     from placed_offer_changes c cross join lateral unnest(c.skus) as changed (sku)
     join offers o on o.chain_id = $1 and o.vendor_id = c.vendor_id and o.sku = changed.sku
       and o.updated_at between c.first_at and c.last_at
     join products p on p.chain_id = $1 and p.sku = o.sku
     where c.chain_id = $1 and c.position between $2 and $3 and c.vendor_id = any ($4)
     order by c.position, o.sku`,
    [chainId, positions.from, positions.to, vendorIds],
  );
}

/**
 * Lists one vendor's products in one change, sorted by SKU. Leaves out products that have changed again since then:
 * their updated_at is different. A product change is compared with the product and an offer change with the offer,
 * because each has its own updated_at.
 */
export function listProductsOfChange(
  db: Db,
  chainId: string,
  { position, vendor_id, size, low, high, first_at, last_at }: OfferChange,
  slice: Slice,
): Promise<ChainProductRow[]> {
  const values: unknown[] = [first_at, last_at, ...(size === null ? [low, high] : [position])];
  const skus =
    size === null
      ? 'o.sku between $7 and $8'
      : 'o.sku = any ((select skus from placed_offer_changes where chain_id = $1 and position = $7)::text[])';
  const time = 'updated_at between $5::timestamptz and $6::timestamptz';
  return vendor_id === null
    ? listSlice(db, chainId, slice, { offers: skus, products: `p.${time}`, values })
    : listSlice(db, chainId, slice, { offers: `${skus} and o.${time}`, values });
}

/**
 * The first of the products that were changed by a change to a range of products, and have not changed since. This reads
 * the products of the range once, and `listProductsOfChange` for each vendor.
 */
export async function listChangedSkus(
  db: Db,
  chainId: string,
  { low, high, first_at, last_at }: OfferChange,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ sku: string }>(
    `select sku from products where chain_id = $1 and sku between $2 and $3
       and updated_at between $4::timestamptz and $5::timestamptz order by sku limit $6`,
    [chainId, low, high, first_at, last_at, limit],
  );
  return rows.map(({ sku }) => sku);
}

/** Lists those of these products that the vendor has, sorted by SKU. */
export function listProductsNamed(db: Db, chainId: string, skus: string[], slice: Slice): Promise<ChainProductRow[]> {
  return listSlice(db, chainId, slice, { offers: 'o.sku = any ($5::text[])', values: [skus] });
}

/** Lists a vendor's products, sorted by SKU, optionally only those updated since a given time. */
export function listProductsAfter(
  db: Db,
  chainId: string,
  slice: Slice,
  since: Date | undefined,
): Promise<ChainProductRow[]> {
  if (since === undefined) return listSlice(db, chainId, slice, { offers: 'true', values: [] });
  const products = 'greatest(o.updated_at, p.updated_at) >= $5';
  return listSlice(db, chainId, slice, { offers: 'true', products, values: [since] });
}

/** Deletes changes older than `days` days, except the last one in each chain, which `isCovered` needs. */
export function deleteOldChanges(tx: Tx, days: number): Promise<number> {
  return countAffected(
    tx,
    `delete from placed_offer_changes c where position < ${positionNow} - $1::bigint * 86400000000
       and position < (select max(position) from placed_offer_changes where chain_id = c.chain_id)`,
    [days],
  );
}

/** Without a condition on products, the page is selected before products are joined. `values` are numbered from $5. */
function listSlice(
  db: Db,
  chainId: string,
  { vendorId, after, limit }: Slice,
  { offers, products, values }: { offers: string; products?: string; values: unknown[] },
): Promise<ChainProductRow[]> {
  const source = `from offers o where o.chain_id = $1 and o.vendor_id = $2 and o.sku > $3 and ${offers}`;
  const page = products === undefined ? `(select o.* ${source} order by o.sku limit $4)` : `(select o.* ${source})`;
  return db.query(
    `select o.vendor_id, ${productColumns} from ${page} o join products p on p.chain_id = $1 and p.sku = o.sku
     where ${products ?? 'true'} order by o.sku limit $4`,
    [chainId, vendorId, after, limit, ...values],
  );
}
