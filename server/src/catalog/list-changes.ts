import type { Database, Db } from '../kernel/database/db.ts';
import { positionAt, startOfWalk } from '../kernel/database/positions.ts';
import type { Since } from '../kernel/http/walk.ts';
import {
  type ChainProductRow,
  findPlacedChange,
  getLastPosition,
  hasUnplacedChanges,
  isCovered,
  listChangedProducts,
  listPlacedChanges,
  listProductsAfter,
  listProductsOfChange,
  type PlacedChange,
  placeChanges,
  type Slice,
} from './change-queries.ts';
import type { CatalogPlace } from './rules/catalog-cursor.ts';

export type CatalogWalk = {
  /** Where it continues. A new walk reads all products, or those changed since a time. */
  place: CatalogPlace | undefined;
  since: Date | undefined;
  /** The vendors the caller may read, sorted. */
  vendorIds: string[];
  limit: number;
};
export type CatalogStep = { rows: ChainProductRow[]; next: CatalogPlace; hasMore: boolean };

const maxPlaced = 5000;
const maxChanges = 500;
/** Bounds the cost of a page when vendors have no products to return. */
const maxVendors = 20;

/**
 * The next products of a chain, one row per vendor.
 *
 * Bulk updates stay fast because offers have no index on the time of their change (migration 0014). So a walk has two
 * phases. A new one scans the products by vendor and SKU: these never change, so no row moves past the scan. What changes
 * after it has started has a position after the one the walk remembers, so the second phase, the placed changes from
 * there on, returns it. How positions miss nothing: kernel/database/positions.ts.
 *
 * Placed changes are deleted after some days. A walk that continues at an older one starts over with a scan.
 */
export async function listProductChanges(
  db: Database,
  chainId: string,
  walk: CatalogWalk,
  now: Date,
): Promise<CatalogStep> {
  const placed = await placeCommitted(db, chainId, now);
  const place = await decidePlace(db, chainId, walk, now);
  const step = place.phase === 'scan' ? await scan(db, chainId, walk, place) : await follow(db, chainId, walk, place);
  return { ...step, hasMore: step.hasMore || placed === maxPlaced };
}

async function placeCommitted(db: Database, chainId: string, now: Date): Promise<number> {
  if (!(await hasUnplacedChanges(db, chainId))) return 0;
  return db.transaction((tx) => placeChanges(tx, chainId, positionAt(now), maxPlaced));
}

async function decidePlace(db: Database, chainId: string, walk: CatalogWalk, now: Date): Promise<CatalogPlace> {
  const { place } = walk;
  if (place && (await isCovered(db, chainId, place.position))) return place;
  const upTo = await db.transaction((tx) => getLastPosition(tx, chainId, positionAt(now)));
  if (place || walk.since === undefined) return { phase: 'scan', position: upTo, since: undefined, at: undefined };
  const since = { ms: Math.max(0, walk.since.getTime()), upTo };
  const position = startOfWalk(new Date(since.ms));
  const isRecent = await isCovered(db, chainId, position);
  return isRecent
    ? { phase: 'changes', position, since, at: undefined }
    : { phase: 'scan', position: upTo, since, at: undefined };
}

async function scan(db: Db, chainId: string, walk: CatalogWalk, place: CatalogPlace): Promise<CatalogStep> {
  const since = place.since && new Date(place.since.ms);
  const read = (slice: Slice) => listProductsAfter(db, chainId, slice, since);
  const { rows, at } = await readVendors(walk.vendorIds, place.at, walk.limit, read);
  if (at) return { rows, next: { ...place, at }, hasMore: true };
  const next: CatalogPlace = { phase: 'changes', position: place.position, since: undefined, at: undefined };
  return { rows, next, hasMore: (await listPlacedChanges(db, chainId, next.position, 1)).length > 0 };
}

async function follow(db: Db, chainId: string, walk: CatalogWalk, place: CatalogPlace): Promise<CatalogStep> {
  const begun = place.at ? await findPlacedChange(db, chainId, place.position) : undefined;
  if (begun) return readLarge(db, chainId, walk, place, begun);
  const vendorIds = new Set(walk.vendorIds);
  const isOurs = ({ vendor_id }: PlacedChange) => vendor_id === null || vendorIds.has(vendor_id);
  const changes = await listPlacedChanges(db, chainId, place.position, maxChanges);
  const first = changes.findIndex(isOurs);
  const change = changes[first];
  if (!change) {
    const next = { ...place, position: changes.at(-1)?.position ?? place.position, at: undefined };
    return { rows: [], next, hasMore: changes.length === maxChanges };
  }
  if (!isSmall(change, walk.limit)) {
    return readLarge(db, chainId, walk, { ...place, position: change.position, at: undefined }, change);
  }
  const last = lastOfPage(changes, first, walk.limit, isOurs);
  const to = changes[last]?.position ?? change.position;
  const rows = await listChangedProducts(db, chainId, { from: change.position, to }, walk.vendorIds);
  const recent = rows.filter((row) => isSince(place.since, row.position, row.updated_at));
  const hasMore = last < changes.length - 1 || changes.length === maxChanges;
  return { rows: recent, next: { ...place, position: to, at: undefined }, hasMore };
}

/** Whether all its products fit into a page. */
function isSmall({ vendor_id, size }: PlacedChange, limit: number): boolean {
  return vendor_id !== null && size !== null && size <= limit;
}

/** The index of the last change whose products still fit into the page with all before it. */
function lastOfPage(
  changes: PlacedChange[],
  first: number,
  limit: number,
  isOurs: (change: PlacedChange) => boolean,
): number {
  let left = limit;
  for (const [index, change] of changes.entries()) {
    if (index < first || !isOurs(change)) continue;
    left -= isSmall(change, limit) ? (change.size ?? 0) : Infinity;
    if (left < 0) return index - 1;
  }
  return changes.length - 1;
}

/** A part of one change. */
async function readLarge(
  db: Db,
  chainId: string,
  walk: CatalogWalk,
  place: CatalogPlace,
  change: PlacedChange,
): Promise<CatalogStep> {
  const read = (slice: Slice) => listProductsOfChange(db, chainId, change, slice);
  const vendorIds = walk.vendorIds.filter((id) => change.vendor_id === null || id === change.vendor_id);
  const { rows, at } = await readVendors(vendorIds, place.at, walk.limit, read);
  const recent = rows.filter((row) => isSince(place.since, change.position, row.updated_at));
  const next = { ...place, at };
  const hasMore = at !== undefined || (await listPlacedChanges(db, chainId, change.position, 1)).length > 0;
  return { rows: recent, next, hasMore };
}

function isSince(since: Since | undefined, position: number, updatedAt: Date): boolean {
  return since === undefined || position > since.upTo || updatedAt.getTime() >= since.ms;
}

/** Reads vendor by vendor until the page is full. `at` is where to continue; undefined after the last vendor. */
async function readVendors(
  vendorIds: string[],
  from: CatalogPlace['at'],
  limit: number,
  read: (slice: Slice) => Promise<ChainProductRow[]>,
): Promise<{ rows: ChainProductRow[]; at: CatalogPlace['at'] }> {
  const rows: ChainProductRow[] = [];
  const rest = from === undefined ? vendorIds : vendorIds.filter((id) => id >= from.vendorId);
  for (const [index, vendorId] of rest.entries()) {
    const after = vendorId === from?.vendorId ? from.sku : '';
    if (index === maxVendors) return { rows, at: { vendorId, sku: after } };
    const found = await read({ vendorId, after, limit: limit - rows.length });
    rows.push(...found);
    if (rows.length === limit) return { rows, at: { vendorId, sku: rows.at(-1)?.sku ?? after } };
  }
  return { rows, at: undefined };
}
