import type { VendorRow } from '../identity/index.ts';
import { createBatches, type Ran } from '../kernel/database/batches.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { shareRows } from '../kernel/database/measure-rows.ts';
import { receivedBytes } from '../kernel/database/statement.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { findProduct, type ProductRow } from './queries.ts';
import type { UpdateItem } from './rules/update-item.ts';
import type { FindPromotions, ShowPromotions } from './show-products.ts';
import { updateOffers, updateOffersOnNode } from './single-queries.ts';
import { updateBarcode } from './update-queries.ts';

/** `changedBy` is the name of the credential. */
type SingleChange = { item: UpdateItem; changedBy: string };
type Call = { db: Database; transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R>; isAtomic: boolean };
/** The product after the change, and the promotions that run for it. */
export type Updated = { row: ProductRow; promotions: ShowPromotions };
type Update = { db: Database; chainId: string; vendorId: string; change: SingleChange };

/**
 * Returns a function that applies one item immediately. Updates for the same store that arrive at the same time share a
 * statement and a commit, unless they have a barcode or must happen in the request's transaction. `isSharded` says
 * whether the database is distributed.
 */
export function createSingleUpdates(findPromotions: FindPromotions, isSharded: boolean) {
  const write = isSharded ? updateOffersOnNode : updateOffers;
  const apply = async (tx: Tx, updates: Update[], isWaiting: boolean): Promise<[ProductRow[], ShowPromotions]> => {
    const [{ chainId, vendorId }] = updates as [Update];
    const skus = updates.map(({ change }) => change.item.sku);
    const changes = updates.map(({ change }) => ({ ...change.item, changedBy: change.changedBy }));
    const written = write(tx, chainId, vendorId, changes, isWaiting);
    // Promotions depend on the new price. On a distributed database, the update is not the first statement of `write`.
    if (isSharded) await written;
    return Promise.all([written, findPromotions(tx, chainId, vendorId, skus, new Date())]);
  };
  const applyOne = async (tx: Tx, update: Update): Promise<Updated> => {
    const [[row], promotions] = await apply(tx, [update], true);
    if (!row) throw notFound(update);
    return { row, promotions };
  };
  /** The statements and the commit travel together, so this takes one round trip. */
  const applyTogether = async (updates: Update[]): Promise<Ran<Updated>> => {
    const { db } = updates[0] as Update;
    const { applied } = await db.transaction(async (tx) => {
      // The database of the first request is used. It must not look as if that request had read the products of all.
      const applied = apply(shareRows(tx, updates.length), updates, false);
      if (isSharded) await applied;
      // If it fails, the commit fails with the same error.
      applied.catch(() => {});
      return { applied };
    });
    const [rows, promotions] = await applied;
    const bySku = new Map(rows.map((row) => [row.sku, row]));
    const results = updates.map((update) => {
      const row = bySku.get(update.change.item.sku);
      // The store does not have the product, or another transaction has locked it, which must not delay the others.
      return row ? { row, promotions } : update.db.transaction((tx) => applyOne(tx, update));
    });
    return { results, bytes: receivedBytes(rows) };
  };
  const together = createBatches(applyTogether, ({ change }) => change.item.sku, maxTogether);
  return async (call: Call, chainId: string, vendor: VendorRow, change: SingleChange): Promise<Updated> => {
    const { vendor_id: vendorId } = vendor;
    const { sku, barcode } = change.item;
    const update = { db: call.db, chainId, vendorId, change };
    if (barcode === undefined && !call.isAtomic) return together(`${chainId} ${vendorId}`, update);
    return call.transaction(async (tx) => {
      const updated = await applyOne(tx, update);
      if (barcode === undefined) return updated;
      // The offer is locked before the product, as in bulk updates, so single and bulk updates cannot deadlock.
      await updateBarcode(tx, chainId, sku, barcode);
      return { ...updated, row: (await findProduct(tx, chainId, vendorId, sku)) ?? updated.row };
    });
  };
}

/** Reading 1 MiB of products takes about 100 ms, in which the process does nothing else. */
const maxTogether = { items: 200, bytes: 1024 * 1024 };

function notFound({ change }: Update): Failure {
  return new Failure('product_not_found', `The vendor has no product with SKU ${change.item.sku}.`);
}
