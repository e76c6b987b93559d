import type { Database } from '../../server/src/kernel/database/db.ts';

export function skuOf(row: number): string {
  return `SKU-${String(row).padStart(6, '0')}`;
}

/** Inserts products with the SKUs of `skuOf`, without offers. */
export async function insertProducts(db: Database, chainId: string, count: number): Promise<void> {
  await db.query(
    `insert into products (chain_id, sku, titles, search_text)
     select $1, 'SKU-' || lpad(n::text, 6, '0'), jsonb_build_object('en_AE', 'Product ' || n), 'product ' || n
     from generate_series(1, $2::int) n`,
    [chainId, count],
  );
}

/** Gives the vendor an offer for each of the chain's products, with a quantity of 5. */
export async function insertOffers(db: Database, chainId: string, vendorId: string, price: number): Promise<void> {
  await db.query(
    `insert into offers (chain_id, vendor_id, sku, price, quantity, active)
     select chain_id, $2, sku, $3, 5, true from products where chain_id = $1`,
    [chainId, vendorId, price],
  );
  await db.query('analyze products, offers');
}
