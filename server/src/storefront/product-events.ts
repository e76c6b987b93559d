import { productsPerEvent } from '@aisle/contract/platform-events';
import { endOfChanges, listChainsWithProductChanges } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import { recordPlatformEvent } from '../events/index.ts';
import { listAllVendors, listChainIds, type VendorRow } from '../identity/index.ts';
import { type Chains, listReachable, runIfReachable } from '../kernel/background/chain-loop.ts';
import { type Loop, startLoop } from '../kernel/background/loop.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { listChainsWithPromotionChanges, openPromotionChanges } from '../promotions/index.ts';
import { readStorefrontCursor, type StorefrontCursor, storefrontCursorContent } from './cursor.ts';
import { listChanges } from './list-changes.ts';
import {
  claimCursor,
  deleteCursors,
  type DueCursor,
  findCursors,
  fromTheStart,
  insertCursors,
  listDueCursors,
  saveCursor,
} from './product-event-queries.ts';
import { createShow, notBefore, sortVendors } from './show.ts';

/**
 * How changes to products become events for the platform, without any cost for those who change them.
 *
 * A bulk update writes no events. It records which SKUs it has changed, as before (catalog/list-changes.ts). A worker
 * follows these changes chain by chain like a storefront that keeps a copy, and writes what it reads as events, together
 * with its cursor. So no change is missed, none is written twice, and an event has the newest state, with prices that
 * include promotions.
 *
 * A chain is followed at most once per second, and within such a round a product is written once. So a product is in at
 * most one event per second. A round has a maximum number of products, bytes, pages (which can be empty, or repeat
 * products) and seconds, so that a large update does not keep the worker and the database from other work: the events of
 * 100,000 products take about 20 seconds. A round must end long before its claim expires; otherwise, the next one would
 * start at the same place again.
 *
 * Without a webhook or a reader of the feed that receives these events, none are written.
 */
export type ProductEventOptions = {
  db: Database;
  log: Log;
  config: Pick<Config, 'links'>;
  /** Undefined if the database is not distributed. */
  chains: Chains | undefined;
  /** Whether the platform receives these events. */
  isReceived(): Promise<boolean>;
};

const pollMs = 500;
const roundSeconds = 1;
/** If a worker stops in the middle of a round, another one starts it again after this time. */
const claimSeconds = 30;
const maxProducts = 5000;
/** A product can have 256 KiB, so its pages and rounds must not be too large for the worker's memory. */
const maxRoundBytes = 16 * 1024 * 1024;
const pageSize = 100;
const maxPages = 50;
/** Other chains wait for a round, and a page of a large change can take seconds. */
const maxRoundMs = 5000;
/** The maximum size of an event, unless a single product is larger. */
const maxEventBytes = 512 * 1024;

export function startProductEvents(options: ProductEventOptions): Loop {
  const { db, log, chains } = options;
  const follow = createFollow(options);
  let isStopped = false;
  let addCursors = createAddCursors(options);
  return startLoop({
    name: 'product_events',
    pollMs,
    log,
    async run() {
      if (!(await options.isReceived())) {
        if (!isStopped) await deleteCursors(db);
        isStopped = true;
        addCursors = createAddCursors(options);
        return false;
      }
      isStopped = false;
      await addCursors();
      for (const chainId of await listReachable(chains, (ids) => listChangedChains(db, ids))) {
        await runIfReachable(chains, chainId, () => follow(chainId));
      }
      return false;
    },
  });
}

/**
 * Adds the cursors of new chains, and once per minute those that another process has deleted. The first products of a
 * chain are events too if it was created after these events began to be received, also if no process was running then.
 */
function createAddCursors({ db, chains }: ProductEventOptions) {
  /** The chains that existed when these events began to be received. Empty if that was before this process. */
  let existing: Set<string> | undefined;
  let added = new Set<string>();
  let startedAt = performance.now();
  const insert = async (chainIds: string[]) => {
    // An older chain that has no cursor has lost it, and its products are known.
    const recent = new Set(await listChainIds(db, new Date(Date.now() - recentMs)));
    const isNew = (chainId: string) => recent.has(chainId) && !existing?.has(chainId);
    const newIds = chainIds.filter(isNew);
    await insertCursors(db, newIds, fromTheStart);
    // Those of new chains exist.
    await insertCursors(db, chainIds, null);
    return chainIds;
  };
  return async (): Promise<void> => {
    if (performance.now() - startedAt > 60_000) [added, startedAt] = [new Set(), performance.now()];
    const all = await listChainIds(db);
    if (!existing) {
      const cursors = await listReachable(chains, (ids) => findCursors(db, ids));
      existing = new Set(cursors.length > 0 ? [] : all);
    }
    const missing = all.filter((chainId) => !added.has(chainId));
    if (missing.length === 0) return;
    const inserted = await listReachable(chains, (ids) =>
      insert(ids === null ? missing : missing.filter((chainId) => ids.includes(chainId))),
    );
    for (const chainId of inserted) added.add(chainId);
  };
}

const recentMs = 24 * 60 * 60 * 1000;

/** Among these or (null) all chains. */
async function listChangedChains(db: Database, chainIds: readonly string[] | null): Promise<string[]> {
  const due = await listDueCursors(db, chainIds);
  const [again, rest] = [due.filter((one) => one.has_more), due.filter((one) => !one.has_more)];
  const changed = await listChainsWithProductChanges(db, rest.map(at('catalog_position')));
  const promoted = await listChainsWithPromotionChanges(db, rest.map(at('promotion_position')));
  return [...new Set([...again.map((one) => one.chain_id), ...changed, ...promoted])];
}

function at(name: 'catalog_position' | 'promotion_position') {
  return (one: DueCursor) => ({ chain_id: one.chain_id, position: one[name] });
}

type Show = ReturnType<typeof createShow>;
type Product = Awaited<ReturnType<Show>>[number];

function createFollow({ db, config }: ProductEventOptions) {
  const show = createShow(config);
  return async (chainId: string): Promise<void> => {
    const claimed = await claimCursor(db, chainId, claimSeconds);
    if (!claimed) return;
    const { cursor } = claimed;
    const start = cursor ? readStorefrontCursor(cursor) : undefined;
    const round =
      start || cursor?.length === fromTheStart.length
        ? await readRound(db, chainId, start, show)
        : { next: await endOfAll(db, chainId), products: [], hasMore: false };
    await db.transaction(async (tx) => {
      const isOurs = await saveCursor(tx, chainId, claimed.claim, {
        content: storefrontCursorContent(round.next),
        catalogPosition: round.next.catalog.position,
        promotionPosition: round.next.position,
        hasMore: round.hasMore,
        seconds: roundSeconds,
      });
      if (isOurs) recordProducts(tx, chainId, round.products);
    });
  };
}

async function endOfAll(db: Database, chainId: string): Promise<StorefrontCursor> {
  const { position } = await openPromotionChanges(db, chainId);
  return { catalog: await endOfChanges(db, chainId), position, at: undefined };
}

/** Without a start, it begins with all products. */
async function readRound(db: Database, chainId: string, start: StorefrontCursor | undefined, show: Show) {
  let vendors: VendorRow[] = [];
  const listVendorIds = async () => {
    vendors = sortVendors(await listAllVendors(db, chainId));
    return vendors.map((vendor) => vendor.vendor_id);
  };
  const products = new Map<string, Written>();
  let next = start;
  let [hasMore, bytes] = [true, 0];
  const startedAt = performance.now();
  const isFull = () =>
    products.size >= maxProducts || bytes >= maxRoundBytes || performance.now() - startedAt >= maxRoundMs;
  for (let pages = 0; hasMore && pages < maxPages && !isFull(); pages++) {
    const page = await listChanges(db, chainId, { cursor: next, listVendorIds, limit: pageSize });
    const now = notBefore(page.seenUntil);
    for (const product of await show(db, chainId, vendors, page.rows, { locale: undefined, now })) {
      const written = { product, bytes: Buffer.byteLength(JSON.stringify(product)) };
      products.set(`${product.vendor_id} ${product.sku}`, written);
      bytes += written.bytes;
    }
    [next, hasMore] = [page.next, page.hasMore];
  }
  next ??= await endOfAll(db, chainId);
  return { next, hasMore, products: [...products.values()] };
}

/** A product with its size as JSON. */
type Written = { product: Product; bytes: number };

/** The caller has the claim on the chain's cursor, so events of one store are written in sequence. */
function recordProducts(tx: Tx, chainId: string, products: Written[]): void {
  for (const [vendorId, own] of Map.groupBy(products, ({ product }) => product.vendor_id)) {
    for (const part of splitBySize(own)) {
      recordPlatformEvent(tx, chainId, {
        type: 'products.changed',
        body: { chain_id: chainId, vendor_id: vendorId, products: part.map(({ product }) => product) },
        vendorId,
        subject: `products ${vendorId}`,
      });
    }
  }
}

function* splitBySize(products: Written[]): Generator<Written[]> {
  let part: Written[] = [];
  let bytes = 0;
  for (const one of products) {
    if (part.length === productsPerEvent || (part.length > 0 && bytes + one.bytes > maxEventBytes)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(one);
    bytes += one.bytes;
  }
  if (part.length > 0) yield part;
}
