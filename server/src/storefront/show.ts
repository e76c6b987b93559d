import type { Config } from '../config.ts';
import { type ChainProductRow, createShowChainProducts, createShowProducts } from '../catalog/index.ts';
import type { VendorRow } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { findShownPromotions } from '../promotions/index.ts';
import { withEffectivePrice } from './rules/product.ts';

/** Returns a function that shows products as customers see them, with the price that an order would have. */
export function createShow(config: Pick<Config, 'links'>) {
  const showAll = createShowChainProducts(createShowProducts(config, findShownPromotions));
  return async (
    db: Db,
    chainId: string,
    vendors: VendorRow[],
    rows: ChainProductRow[],
    { locale, now }: { locale: string | undefined; now: Date },
  ) => (await showAll(db, chainId, vendors, rows, locale, now)).map(withEffectivePrice);
}

/** Now, or the database's time up to which changes are known, if this process's clock is behind. */
export function notBefore(seenUntil: Date): Date {
  return new Date(Math.max(Date.now(), seenUntil.getTime()));
}

/** In the order in which a walk reads them. */
export function sortVendors(vendors: VendorRow[]): VendorRow[] {
  return vendors.toSorted((a, b) => (a.vendor_id < b.vendor_id ? -1 : 1));
}
