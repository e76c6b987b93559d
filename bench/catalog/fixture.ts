import { createToken, createVendor, insertChain } from '../../server/src/identity/index.ts';
import type { Database } from '../../server/src/kernel/database/db.ts';
import { newId } from '../../server/src/kernel/values/ids.ts';

export type Fixture = { chainId: string; token: string; vendors: string[]; base: string };

/** Creates a chain whose vendors all offer the same products. The rows are inserted with bare SQL. */
export async function makeChain(
  db: Database,
  vendorCount: number,
  productCount: number,
  scopes?: readonly string[],
): Promise<Fixture> {
  const chainId = newId();
  const fixture = await db.transaction(async (tx) => {
    await insertChain(tx, chainId, { name: 'Bench', profile: 'strict', country_code: 'AE' });
    const vendors: string[] = [];
    for (let index = 0; index < vendorCount; index++) {
      const vendor = await createVendor(tx, chainId, {
        name: `Store ${index}`,
        currency: 'AED',
        country_code: 'AE',
        locale: 'en_AE',
        timezone: 'Asia/Dubai',
        transport_type: 'LOGISTICS_DELIVERY',
      });
      vendors.push(vendor.vendor_id);
    }
    const { token } = await createToken(tx, chainId, { name: 'bench', ...(scopes && { scopes }) }, 11);
    return { chainId, token, vendors, base: `/v2/chains/${chainId}` };
  });
  // One product in a hundred is milk, so that a search finds a realistic number of products.
  await db.query(
    `insert into products (chain_id, sku, titles, search_text, barcodes)
     select $1, s.sku, jsonb_build_object('en_AE', s.title), lower(s.title), array[lpad(n::text, 13, '2')]
     from generate_series(1, $2::int) n, lateral (
       select 'SKU-' || lpad(n::text, 7, '0') as sku,
         case when n % 100 = 0 then 'Meadow Milk ' else (array['Bread ', 'Cheese ', 'Coffee ', 'Orange Juice ', 'Rice '])[n % 5 + 1] end
           || md5(n::text) as title) s`,
    [chainId, productCount],
  );
  await db.transaction(async (tx) => {
    // Foreign keys are not checked, which would take most of the time.
    await tx.query('set local session_replication_role = replica');
    for (const vendor of fixture.vendors) {
      await tx.query(
        `insert into offers (chain_id, vendor_id, sku, price, quantity, active)
         select $1, $2, sku, 1.5, 10, true from products where chain_id = $1 order by sku`,
        [chainId, vendor],
      );
    }
  });
  await db.query(`insert into offer_counts (chain_id, vendor_id, offers) select $1, unnest($2::text[]), $3`, [
    chainId,
    fixture.vendors,
    productCount,
  ]);
  await db.query('vacuum analyze offers');
  await db.query('vacuum analyze products');
  return fixture;
}

export function skuOf(index: number): string {
  return `SKU-${String(index + 1).padStart(7, '0')}`;
}

export type Item = { sku: string; price: number; quantity: number; active: boolean };

/** Returns `count` items. One in every `changedEvery` items has a new price, and the others keep theirs. */
export function items(count: number, round: number, changedEvery = 1): Item[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: skuOf(index),
    price: index % changedEvery === 0 ? 2 + round + (index % 500) / 100 : 1.5,
    quantity: 10,
    active: true,
  }));
}
