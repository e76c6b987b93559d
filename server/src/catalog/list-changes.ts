import type { Database } from '../kernel/database/db.ts';
import { startOfWalk } from '../kernel/database/positions.ts';
import type { Since } from '../kernel/http/walk.ts';
import {
  assignPositions,
  type ChainProductRow,
  findChangeAt,
  getLastPosition,
  hasPendingChanges,
  isCovered,
  listChangedProducts,
  listChangedSkus,
  listChangesAfter,
  listProductsAfter,
  listProductsNamed,
  listProductsOfChange,
  type OfferChange,
  type Slice,
} from './change-queries.ts';
import type { CatalogCursor } from './rules/catalog-cursor.ts';

export type CatalogWalk = {
  /** Where the walk continues. A new walk reads all products, or those changed since `since`. */
  cursor: CatalogCursor | undefined;
  since: Date | undefined;
  /**
   * The ids of the vendors that the caller can read, sorted. They are read after the changes: a change of a vendor that
   * was created in between would be taken for one that the caller cannot read, and skipped for ever.
   */
  listVendorIds(): Promise<string[]>;
  limit: number;
};
export type CatalogStep = { rows: ChainProductRow[]; next: CatalogCursor; hasMore: boolean };

const maxAssigned = 5000;
const maxChanges = 500;
/** Bounds the cost of a page when vendors have no products to return. */
const maxVendors = 20;
/** If a change of a range has changed more products than this, the range is read for each vendor. */
const maxNamed = 2000;

/**
 * Returns a chain's next products, one row per vendor.
 *
 * Offers have no index on the time of their last change, because such an index would slow down bulk updates (migration
 * 0014). So a walk has two phases. The first phase scans the products in order of vendor and SKU, which never change,
 * so no row can move past the scan. Anything that changes after the scan has started gets a position after the one in
 * the cursor. The second phase reads the changes after that position. See kernel/database/positions.ts for why nothing
 * is missed.
 *
 * Changes are deleted after a few days. A walk with an older cursor starts over with a scan.
 */
export async function listProductChanges(db: Database, chainId: string, walk: CatalogWalk): Promise<CatalogStep> {
  const assigned = await assignPending(db, chainId);
  const cursor = await findStart(db, chainId, walk);
  const step =
    cursor.phase === 'scan' ? await scan(db, chainId, walk, cursor) : await follow(db, chainId, walk, cursor);
  return { ...step, hasMore: step.hasMore || assigned === maxAssigned };
}

/** Where a reader starts that needs only the changes from now on. */
export async function endOfChanges(db: Database, chainId: string): Promise<CatalogCursor> {
  await assignPending(db, chainId);
  const position = await db.transaction((tx) => getLastPosition(tx, chainId));
  return { phase: 'changes', position, since: undefined, at: undefined };
}

async function assignPending(db: Database, chainId: string): Promise<number> {
  if (!(await hasPendingChanges(db, chainId))) return 0;
  return db.transaction((tx) => assignPositions(tx, chainId, maxAssigned));
}

async function findStart(db: Database, chainId: string, walk: CatalogWalk): Promise<CatalogCursor> {
  const { cursor } = walk;
  if (cursor && (await isCovered(db, chainId, cursor.position))) return cursor;
  const upTo = await db.transaction((tx) => getLastPosition(tx, chainId));
  if (cursor || walk.since === undefined) return { phase: 'scan', position: upTo, since: undefined, at: undefined };
  const since = { ms: Math.max(0, walk.since.getTime()), upTo };
  const position = startOfWalk(new Date(since.ms));
  const isRecent = await isCovered(db, chainId, position);
  return isRecent
    ? { phase: 'changes', position, since, at: undefined }
    : { phase: 'scan', position: upTo, since, at: undefined };
}

async function scan(db: Database, chainId: string, walk: CatalogWalk, cursor: CatalogCursor): Promise<CatalogStep> {
  const since = cursor.since && new Date(cursor.since.ms);
  const read = async (slice: Slice) => ({ rows: await listProductsAfter(db, chainId, slice, since) });
  const vendorIds = await walk.listVendorIds();
  const readPage = () => readVendors(vendorIds, cursor.at, walk.limit, read);
  // Every product is compared with the time.
  const { rows, at } = await (since ? db.runSlow(chainId, readPage) : readPage());
  if (at) return { rows, next: { ...cursor, at }, hasMore: true };
  const next: CatalogCursor = { phase: 'changes', position: cursor.position, since: undefined, at: undefined };
  return { rows, next, hasMore: (await listChangesAfter(db, chainId, next.position, 1)).length > 0 };
}

async function follow(db: Database, chainId: string, walk: CatalogWalk, cursor: CatalogCursor): Promise<CatalogStep> {
  const begun = cursor.at ? await findChangeAt(db, chainId, cursor.position) : undefined;
  if (begun) return readLarge(db, chainId, walk, cursor, begun);
  const changes = await listChangesAfter(db, chainId, cursor.position, maxChanges);
  const vendorIds = await walk.listVendorIds();
  const own = new Set(vendorIds);
  const isOurs = ({ vendor_id }: OfferChange) => vendor_id === null || own.has(vendor_id);
  const first = changes.findIndex(isOurs);
  const change = changes[first];
  if (!change) {
    const next = { ...cursor, position: changes.at(-1)?.position ?? cursor.position, at: undefined };
    return { rows: [], next, hasMore: changes.length === maxChanges };
  }
  if (!isSmall(change, walk.limit)) {
    return readLarge(db, chainId, walk, { ...cursor, position: change.position, at: undefined }, change);
  }
  const last = lastOfPage(changes, first, walk.limit, isOurs);
  const to = changes[last]?.position ?? change.position;
  const rows = await listChangedProducts(db, chainId, { from: change.position, to }, vendorIds);
  const recent = rows.filter((row) => isSince(cursor.since, row.position, row.updated_at));
  const hasMore = last < changes.length - 1 || changes.length === maxChanges;
  return { rows: recent, next: { ...cursor, position: to, at: undefined }, hasMore };
}

/** Whether all products in the change fit on a page. */
function isSmall({ vendor_id, size }: OfferChange, limit: number): boolean {
  return vendor_id !== null && size !== null && size <= limit;
}

/** Returns the index of the last change that fits on the page together with all changes before it. */
function lastOfPage(
  changes: OfferChange[],
  first: number,
  limit: number,
  isOurs: (change: OfferChange) => boolean,
): number {
  let left = limit;
  for (const [index, change] of changes.entries()) {
    if (index < first || !isOurs(change)) continue;
    left -= isSmall(change, limit) ? (change.size ?? 0) : Infinity;
    if (left < 0) return index - 1;
  }
  return changes.length - 1;
}

/** Reads one page of a large change. */
async function readLarge(
  db: Database,
  chainId: string,
  walk: CatalogWalk,
  cursor: CatalogCursor,
  change: OfferChange,
): Promise<CatalogStep> {
  // The range of the change can contain many products that did not change.
  const { rows, at } = await db.runSlow(chainId, async () => {
    const isOfRange = change.vendor_id === null && change.size === null;
    const skus = isOfRange ? await listChangedSkus(db, chainId, change, maxNamed + 1) : undefined;
    const named = skus && skus.length <= maxNamed ? skus : undefined;
    const list = (slice: Slice) =>
      named ? listProductsNamed(db, chainId, named, slice) : listProductsOfChange(db, chainId, change, slice);
    const isCovered = (id: string) => named?.length !== 0 && (change.vendor_id ?? id) === id;
    const vendorIds = (await walk.listVendorIds()).filter(isCovered);
    return readVendors(vendorIds, cursor.at, walk.limit, async (slice) => ({ rows: await list(slice) }));
  });
  const recent = rows.filter((row) => isSince(cursor.since, change.position, row.updated_at));
  const next = { ...cursor, at };
  const hasMore = at !== undefined || (await listChangesAfter(db, chainId, change.position, 1)).length > 0;
  return { rows: recent, next, hasMore };
}

function isSince(since: Since | undefined, position: number, updatedAt: Date): boolean {
  return since === undefined || position > since.upTo || updatedAt.getTime() >= since.ms;
}

/**
 * Reads vendor by vendor until the page is full, or `read` has stopped before the end of a vendor. Returns the point to
 * continue from as `at`, which is undefined after the last vendor.
 */
export async function readVendors(
  vendorIds: readonly string[],
  from: CatalogCursor['at'],
  limit: number,
  read: (slice: Slice) => Promise<VendorRows>,
): Promise<{ rows: ChainProductRow[]; at: CatalogCursor['at'] }> {
  const rows: ChainProductRow[] = [];
  const rest = from === undefined ? vendorIds : vendorIds.filter((id) => id >= from.vendorId);
  for (const [index, vendorId] of rest.entries()) {
    const after = vendorId === from?.vendorId ? from.sku : '';
    if (index === maxVendors) return { rows, at: { vendorId, sku: after } };
    const found = await read({ vendorId, after, limit: limit - rows.length });
    rows.push(...found.rows);
    if (rows.length === limit) return { rows, at: { vendorId, sku: rows.at(-1)?.sku ?? after } };
    if (found.stoppedAt !== undefined) return { rows, at: { vendorId, sku: found.stoppedAt } };
  }
  return { rows, at: undefined };
}

/** Products of one vendor. `stoppedAt` is the last SKU that was looked up, if not all were. */
export type VendorRows = { rows: ChainProductRow[]; stoppedAt?: string | undefined };
