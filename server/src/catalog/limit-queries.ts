import type { Db, Tx } from '../kernel/database/db.ts';

export function countOffersOfChain(db: Db, chainId: string): Promise<number> {
  return countRows(db, 'select coalesce(sum(offers), 0)::float8 as count from offer_counts where chain_id = $1', [
    chainId,
  ]);
}

export function countProductsOfChain(db: Db, chainId: string): Promise<number> {
  return countRows(db, 'select count(*)::float8 as count from products where chain_id = $1', [chainId]);
}

/** The number of items, without those that were rejected when the request was read. */
export function countIncoming(tx: Tx, table: 'incoming_offers' | 'incoming_products'): Promise<number> {
  const condition = table === 'incoming_offers' ? 'where state is null' : '';
  return countRows(tx, `select count(*)::float8 as count from ${table} ${condition}`, []);
}

/** The number of incoming products that the chain does not have. */
export async function countNewProducts(tx: Tx, chainId: string, incoming: number): Promise<number> {
  const known = await countRows(
    tx,
    `select count(*)::float8 as count from products
     where chain_id = $1 and sku = any (array(select sku from incoming_products))`,
    [chainId],
  );
  return incoming - known;
}

/** The SKUs of the incoming offers that the vendor already has. */
export async function findIncomingOffered(tx: Tx, chainId: string, vendorId: string): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(
    `select sku from offers
     where chain_id = $1 and vendor_id = $2 and sku = any (array(select sku from incoming_offers where state is null))`,
    [chainId, vendorId],
  );
  return rows.map(({ sku }) => sku);
}

/** Rejects the incoming offers, except those that the vendor already has. */
export async function rejectNewOffers(tx: Tx, offered: string[], message: string): Promise<void> {
  await tx.query(
    `update incoming_offers set state = 'FAILED', code = 'catalog_limit_reached', message = $2
     where state is null and sku not in (select unnest($1::text[]))`,
    [offered, message],
  );
}

async function countRows(db: Db, text: string, values: unknown[]): Promise<number> {
  const rows = await db.query<{ count: number }>(text, values);
  return rows[0]?.count ?? 0;
}
