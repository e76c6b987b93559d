import type { Product } from '@aisle/contract/product';
import type { Static } from 'typebox';
import type { Config } from '../config.ts';
import type { VendorRow } from '../identity/index.ts';
import type { Database, Db } from '../kernel/database/db.ts';
import type { ChainProductRow } from './change-queries.ts';
import type { ProductRow } from './queries.ts';
import { productResponse, type ShownPromotion } from './rules/product-response.ts';

/** Finds a vendor's running promotions for these products. */
export type FindPromotions = (
  db: Db,
  chainId: string,
  vendorId: string,
  skus: string[],
  now: Date,
) => Promise<ShowPromotions>;

/** Chooses the promotions for products with these prices. The result is keyed by SKU. */
export type ShowPromotions = (prices: { sku: string; price: string }[]) => Map<string, ShownPromotion>;

/** Converts products to responses, including the running promotions. */
export type ShowProducts<D extends Db> = (
  db: D,
  chainId: string,
  vendor: VendorRow,
  rows: ProductRow[],
  locale: string | undefined,
  now?: Date,
) => Promise<Static<typeof Product>[]>;

export function createShowProducts(config: Pick<Config, 'links'>, findPromotions: FindPromotions): ShowProducts<Db> {
  return async (db, chainId, vendor, rows, locale, now = new Date()) => {
    const skus = rows.map(({ sku }) => sku);
    const promotions = (await findPromotions(db, chainId, vendor.vendor_id, skus, now))(rows);
    return rows.map((row) => productResponse(row, vendor, locale, config.links, promotions.get(row.sku)));
  };
}

/**
 * For requests of a chain. Nothing limits how many of its promotions cover a product, and all of them are read, so only
 * a few pages find them at the same time. They do not wait for the chain's slow reads, which can take seconds.
 */
export function limitShowing(show: ShowProducts<Db>): ShowProducts<Database> {
  return (db, chainId, ...page) => db.runSlow(`${chainId} promotions`, () => show(db, chainId, ...page));
}

/**
 * Like `createShowProducts`, but for products from several vendors. The responses are in the same order as the rows.
 */
export function createShowChainProducts<D extends Db>(showProducts: ShowProducts<D>) {
  return async (
    db: D,
    chainId: string,
    vendors: VendorRow[],
    rows: ChainProductRow[],
    locale: string | undefined,
    now = new Date(),
  ): Promise<(Static<typeof Product> & { vendor_id: string })[]> => {
    const byVendor = Map.groupBy(rows, (row) => row.vendor_id);
    const shown = new Map<ChainProductRow, Static<typeof Product>>();
    for (const vendor of vendors) {
      const own = byVendor.get(vendor.vendor_id) ?? [];
      const products = own.length > 0 ? await showProducts(db, chainId, vendor, own, locale, now) : [];
      for (const [index, product] of products.entries()) shown.set(own[index] as ChainProductRow, product);
    }
    return rows.map((row) => ({ ...(shown.get(row) as Static<typeof Product>), vendor_id: row.vendor_id }));
  };
}
