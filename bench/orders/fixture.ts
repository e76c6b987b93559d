import { createProductsNow } from '../../server/src/catalog/index.ts';
import {
  createPlatformToken,
  createToken,
  createVendor,
  insertChain,
  type VendorRow,
} from '../../server/src/identity/index.ts';
import type { Database } from '../../server/src/kernel/database/db.ts';
import { newId } from '../../server/src/kernel/values/ids.ts';

export type Fixture = { chainId: string; token: string; platformToken: string; vendors: VendorRow[] };
export const productCount = 2000;
export const linesPerOrder = 4;

/**
 * Creates a chain whose stores have 2,000 products each. The planner's statistics are updated at once, as they are in a
 * store that has existed for a minute.
 */
export async function makeFixture(db: Database, stores: number): Promise<Fixture> {
  const chainId = newId();
  const platformToken = await createPlatformToken(db, 'bench');
  const fixture = await db.transaction(async (tx) => {
    await insertChain(tx, chainId, { name: 'Bench', profile: 'strict', country_code: 'AE' });
    const vendors: VendorRow[] = [];
    for (let index = 0; index < stores; index++) {
      const vendor = await createVendor(tx, chainId, {
        name: `Store ${index}`,
        currency: 'AED',
        country_code: 'AE',
        locale: 'en_AE',
        timezone: 'Asia/Dubai',
        transport_type: 'LOGISTICS_DELIVERY',
      });
      vendors.push(vendor);
      await createProductsNow(tx, chainId, vendor, products());
    }
    const { token } = await createToken(tx, chainId, { name: 'bench' }, 11);
    return { chainId, token, platformToken, vendors };
  });
  await db.query('analyze offers, products, vendors', [], { prepare: false });
  return fixture;
}

export function skuOf(index: number): string {
  return `SKU-${String(index % productCount).padStart(5, '0')}`;
}

function products() {
  return Array.from({ length: productCount }, (_, index) => ({
    sku: skuOf(index),
    title: `Product ${index}`,
    price: 1 + (index % 90) / 10,
    quantity: 1_000_000,
    barcode: String(2_000_000_000_000 + index),
  }));
}
