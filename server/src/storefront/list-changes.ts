import { type ChainProductRow, findProducts, listProductChanges, readVendors, type Slice } from '../catalog/index.ts';
import type { Database } from '../kernel/database/db.ts';
import { openPromotionChanges, type PromotionChanges, type PromotionRow } from '../promotions/index.ts';
import type { StorefrontCursor } from './cursor.ts';

export type ChangesWalk = {
  /** Undefined: starts with all products. */
  cursor: StorefrontCursor | undefined;
  /** Sorted. */
  vendorIds: string[];
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
  const { vendorIds } = walk;
  // A page that is full of promoted products contains no others, but the first page needs a place in the other walk.
  const isFull = left <= 0 && start !== undefined;
  const step = isFull
    ? { rows: [], next: start.catalog, hasMore: true }
    : await listProductChanges(db, chainId, { cursor: start?.catalog, since: undefined, vendorIds, limit: left });
  return {
    rows: [...promoted.rows, ...step.rows],
    promotions: promoted.promotions,
    next: { catalog: step.next, position: promoted.position, at: promoted.at },
    hasMore: promoted.hasMore || step.hasMore,
    seenUntil: changes.seenUntil,
  };
}

/** Bounds the cost of a page when promotions have no products to return. */
const maxPromotions = 20;
const skusPerQuery = 500;

type PromotedPage = Pick<ChangesPage, 'rows' | 'promotions' | 'hasMore'> & Pick<StorefrontCursor, 'position' | 'at'>;

async function readPromotions(
  db: Database,
  chainId: string,
  changes: PromotionChanges,
  from: Pick<StorefrontCursor, 'position' | 'at'>,
  { vendorIds, limit }: ChangesWalk,
): Promise<PromotedPage> {
  // A change that was begun is read again, from the place in it.
  const found = await changes.listAfter(from.at ? from.position - 1 : from.position, maxPromotions);
  const page: PromotedPage = { rows: [], promotions: [], hasMore: found.length === maxPromotions, ...from };
  for (const { promotion, ...change } of found) {
    const isBegun = page.at !== undefined && change.position === page.position;
    if (promotion && !isBegun) page.promotions.push(promotion);
    const covered = vendorIds.filter((id) => promotion?.vendor_ids?.includes(id) ?? promotion !== undefined);
    const read = (slice: Slice) => readProducts(db, chainId, changes, change, slice);
    const { rows, at } = await readVendors(covered, isBegun ? page.at : undefined, limit - page.rows.length, read);
    page.rows.push(...rows);
    page.position = change.position;
    page.at = at;
    if (at !== undefined) return { ...page, hasMore: true };
  }
  return { ...page, at: undefined };
}

/** The products of one change at one vendor. The vendor may not offer all of them. */
async function readProducts(
  db: Database,
  chainId: string,
  changes: PromotionChanges,
  change: Parameters<PromotionChanges['listSkus']>[0],
  { vendorId, after, limit }: Slice,
): Promise<ChainProductRow[]> {
  const rows: ChainProductRow[] = [];
  for (let last: string | undefined = after; last !== undefined && rows.length < limit; ) {
    const skus: string[] = await changes.listSkus(change, last, skusPerQuery);
    const products = skus.length === 0 ? [] : await findProducts(db, chainId, vendorId, skus);
    rows.push(...products.map((row) => ({ ...row, vendor_id: vendorId })));
    last = skus.length === skusPerQuery ? skus.at(-1) : undefined;
  }
  return rows.slice(0, limit);
}
