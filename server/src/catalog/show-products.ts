import type { Product } from '@aisle/contract/catalog';
import type { Static } from 'typebox';
import type { Config } from '../config.ts';
import type { VendorRow } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { ProductRow } from './queries.ts';
import { productResponse, type ShownPromotion } from './rules/product-response.ts';

/** Finds the promotions that currently apply to these prices of a vendor, by SKU. */
export type FindPromotions = (
  db: Db,
  chainId: string,
  vendorId: string,
  prices: { sku: string; price: string }[],
  now: Date,
) => Promise<Map<string, ShownPromotion>>;

/** Returns a function that converts products to responses, including the running promotions. */
export function createShowProducts(config: Pick<Config, 'links'>, findPromotions: FindPromotions) {
  return async (
    db: Db,
    chainId: string,
    vendor: VendorRow,
    rows: ProductRow[],
    locale: string | undefined,
  ): Promise<Static<typeof Product>[]> => {
    const promotions = await findPromotions(db, chainId, vendor.vendor_id, rows, new Date());
    return rows.map((row) => productResponse(row, vendor, locale, config.links, promotions.get(row.sku)));
  };
}
