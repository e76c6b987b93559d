import {
  type ChainProductRow,
  findProducts,
  listProductChanges,
  readVendors,
  type Slice,
  type VendorRows,
} from '../catalog/index.ts';
import type { Database } from '../kernel/database/db.ts';
import { openPromotionChanges, type PromotionChanges, type PromotionRow } from '../promotions/index.ts';
import type { StorefrontCursor } from './cursor.ts';

export type ChangesWalk = {
  /** Undefined: starts with all products. */
  cursor: StorefrontCursor | undefined;
  /** Sorted. Read after the changes, see `CatalogWalk`. */
  listVendorIds(): Promise<string[]>;
  limit: number;
};

export type ChangesPage = {
  rows: ChainProductRow[];
  promotions: PromotionRow[];
  next: StorefrontCursor;
  hasMore: boolean;
  /** Prices must be shown as of this time or later. */
  seenUntil: Date;
};

/**
 * Returns what a storefront has to update in its copy of a chain's catalog. Two walks share a page: the one through
 * changed products and offers, which partners use too, and the one through changed promotions. A promotion that starts,
 * ends or changes does not touch the products that it covers, so these are looked up here. The cost of a page depends
 * on the changes on it, not on the number of products.
 *
 * A cursor that is too old for one of the walks starts over with all products, whose prices include promotions.
 */
export async function listChanges(db: Database, chainId: string, walk: ChangesWalk): Promise<ChangesPage> {
  const changes = await openPromotionChanges(db, chainId);
  const isUsable = walk.cursor !== undefined && (await changes.isCovered(walk.cursor.position));
  const start = isUsable ? walk.cursor : undefined;
  const from = { position: start?.position ?? changes.position, at: start?.at };
  const promoted = await readPromotions(db, chainId, changes, from, walk);
  const left = walk.limit - promoted.rows.length;
  const { listVendorIds } = walk;
  // A page that is full of promoted products contains no others, but the first page needs a place in the other walk.
  const isFull = left <= 0 && start !== undefined;
  const step = isFull
    ? { rows: [], next: start.catalog, hasMore: true }
    : await listProductChanges(db, chainId, { cursor: start?.catalog, since: undefined, listVendorIds, limit: left });
  return {
    rows: [...promoted.rows, ...step.rows],
    promotions: promoted.promotions,
    next: { catalog: step.next, position: promoted.position, at: promoted.at },
    hasMore: promoted.hasMore || step.hasMore,
    seenUntil: changes.seenUntil,
  };
}

/** Bound the cost of a page when promotions have few products to return, or stores do not offer them. */
const maxPromotions = 20;
const maxLookups = 60;
const skusPerLookup = 500;

type PromotedPage = Pick<ChangesPage, 'rows' | 'promotions' | 'hasMore'> & Pick<StorefrontCursor, 'position' | 'at'>;

async function readPromotions(
  db: Database,
  chainId: string,
  changes: PromotionChanges,
  from: Pick<StorefrontCursor, 'position' | 'at'>,
  { listVendorIds, limit }: ChangesWalk,
): Promise<PromotedPage> {
  // A change that was begun is read again, from the place in it.
  const found = await changes.listAfter({ position: from.position, isBegun: from.at !== undefined }, maxPromotions);
  const vendorIds = found.length > 0 ? await listVendorIds() : [];
  const page: PromotedPage = { rows: [], promotions: [], hasMore: found.length === maxPromotions, ...from };
  const lookups = { left: maxLookups };
  for (const { promotion, ...change } of found) {
    const isBegun = page.at !== undefined && change.position === page.position;
    if (promotion && !isBegun) page.promotions.push(promotion);
    const named = promotion?.vendor_ids && new Set(promotion.vendor_ids);
    const isCovered = (id: string) => named?.has(id) ?? promotion !== undefined;
    const covered = change.size === 0 ? [] : vendorIds.filter(isCovered);
    const read = (slice: Slice) => readProducts(db, chainId, changes, change, slice, lookups);
    const { rows, at } = await readVendors(covered, isBegun ? page.at : undefined, limit - page.rows.length, read);
    page.rows.push(...rows);
    page.position = change.position;
    page.at = at;
    if (at !== undefined) return { ...page, hasMore: true };
  }
  return { ...page, at: undefined };
}

/** The products of one change at one vendor, which may not offer all of them. Stops if no lookups are left. */
async function readProducts(
  db: Database,
  chainId: string,
  changes: PromotionChanges,
  change: Parameters<PromotionChanges['listSkus']>[0],
  { vendorId, after, limit }: Slice,
  lookups: { left: number },
): Promise<VendorRows> {
  const rows: ChainProductRow[] = [];
  let last: string | undefined = after;
  while (last !== undefined && rows.length < limit) {
    if (lookups.left === 0) return { rows, stoppedAt: last };
    lookups.left -= 1;
    const skus: string[] = await changes.listSkus(change, last, skusPerLookup);
    const left = limit - rows.length;
    const products = skus.length === 0 ? [] : await findProducts(db, chainId, vendorId, skus, left);
    rows.push(...products.map((row) => ({ ...row, vendor_id: vendorId })));
    last = skus.length === skusPerLookup ? skus.at(-1) : undefined;
  }
  return { rows };
}
