import type { Database, Db, Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { findProduct, type ProductRow } from './queries.ts';
import type { UpdateItem } from './rules/update-item.ts';
import { updateBarcode, updateOffer } from './update-queries.ts';

/** `changedBy` is the name of the credential. */
type SingleChange = { item: UpdateItem; changedBy: string };
type Call = { db: Database; transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R>; isKeyed: boolean };

/**
 * Applies one item immediately. If the item has no barcode and the request has no idempotency key, one statement is
 * enough.
 */
export function updateSingle(call: Call, chainId: string, vendorId: string, change: SingleChange): Promise<ProductRow> {
  const { item } = change;
  const { barcode } = item;
  if (barcode === undefined && !call.isKeyed) return apply(call.db, chainId, vendorId, change);
  return call.transaction(async (tx) => {
    const row = await apply(tx, chainId, vendorId, change);
    if (barcode === undefined) return row;
    // The offer is locked before the product, as in bulk updates, so single and bulk updates cannot deadlock.
    await updateBarcode(tx, chainId, item.sku, barcode);
    return (await findProduct(tx, chainId, vendorId, item.sku)) ?? row;
  });
}

async function apply(
  db: Db,
  chainId: string,
  vendorId: string,
  { item, changedBy }: SingleChange,
): Promise<ProductRow> {
  const row = await updateOffer(db, chainId, vendorId, item, changedBy);
  if (!row) throw new Failure('product_not_found', `The vendor has no product with SKU ${item.sku}.`);
  return row;
}
