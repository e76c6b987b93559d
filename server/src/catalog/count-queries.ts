import type { Db, Tx } from '../kernel/database/db.ts';
import { estimateRows } from '../kernel/database/estimate-rows.ts';
import { type OfferFilter, offerConditions } from './queries.ts';

/** The number of a vendor's offers, without reading them. */
export async function countOffers(db: Db, chainId: string, vendorId: string): Promise<number> {
  const rows = await db.query<{ total: number }>(
    `select coalesce(
       (select offers from offer_counts where chain_id = $1 and vendor_id = $2),
       (select count(*) from offers where chain_id = $1 and vendor_id = $2))::int as total`,
    [chainId, vendorId],
  );
  return rows[0]?.total ?? 0;
}

/** The number of a vendor's offers that pass the filter, or `limit` if it is larger. */
export async function countFiltered(
  db: Db,
  chainId: string,
  vendorId: string,
  filter: OfferFilter,
  limit: number,
): Promise<number> {
  const rows = await db.query<{ total: number }>(
    `select count(*)::int as total from (
       select from offers o where o.chain_id = $1 and o.vendor_id = $2 ${offerConditions(filter)} limit $3) found`,
    [chainId, vendorId, limit],
  );
  return rows[0]?.total ?? 0;
}

/** An estimate of the number of a vendor's offers that pass the filter. */
export function estimateFiltered(db: Db, chainId: string, vendorId: string, filter: OfferFilter): Promise<number> {
  return estimateRows(
    db,
    `select from offers o where o.chain_id = $1 and o.vendor_id = $2 ${offerConditions(filter)}`,
    [chainId, vendorId],
  );
}

/**
 * Stores the number of a vendor's offers if it is not stored yet. Called before offers are created: on a sharded
 * database, the statement that creates them could not count only those that existed before. Offers are never deleted,
 * and a vendor's products are created by one transaction at a time.
 */
export function storeCount(tx: Tx, chainId: string, vendorId: string): void {
  tx.send(
    `insert into offer_counts (chain_id, vendor_id, offers)
     select $1, $2, (select count(*) from offers where chain_id = $1 and vendor_id = $2)
     where not exists (select from offer_counts where chain_id = $1 and vendor_id = $2)
     on conflict (chain_id, vendor_id) do nothing`,
    [chainId, vendorId],
  );
}

/** Adds the number that `created` selects to the stored count. Part of creating a vendor's offers. */
export function countCreated(created: string): string {
  return `
  update offer_counts set offers = offers + n.created from ${created} n
  where chain_id = $1 and vendor_id = $2 and n.created > 0`;
}

/**
 * Counts the offers of the vendors that have not been counted for longest. The previous version creates offers without
 * counting them while both versions run. A row is locked before its offers are counted, so that offers created at the
 * same time are counted exactly once. Rows that others have locked are left for the next time. Returns the number of
 * vendors.
 */
export async function recountOffers(tx: Tx, limit: number): Promise<number> {
  const rows = await tx.query<{ chain_id: string; vendor_id: string }>(
    'select chain_id, vendor_id from offer_counts order by counted_at limit $1',
    [limit],
  );
  let counted = 0;
  for (const { chain_id, vendor_id } of rows) {
    const locked = await tx.query(
      'select 1 from offer_counts where chain_id = $1 and vendor_id = $2 for no key update skip locked',
      [chain_id, vendor_id],
    );
    if (locked.length === 0) continue;
    counted += 1;
    tx.send(
      `update offer_counts set counted_at = statement_timestamp(),
         offers = (select count(*) from offers where chain_id = $1 and vendor_id = $2)
       where chain_id = $1 and vendor_id = $2`,
      [chain_id, vendor_id],
    );
  }
  return counted;
}
