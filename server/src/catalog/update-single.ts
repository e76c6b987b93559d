import type { Database, Db, Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { findProduct, type ProductRow } from './queries.ts';
import type { UpdateItem } from './rules/update-item.ts';
import { updateBarcode, updateOffer } from './update-queries.ts';

type Doors = { db: Database; transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R>; isKeyed: boolean };

/** Applies one item at once. Where one statement does it all, that statement is the transaction. */
export function updateSingle(doors: Doors, chainId: string, vendorId: string, item: UpdateItem): Promise<ProductRow> {
  const { barcode } = item;
  if (barcode === undefined && !doors.isKeyed) return apply(doors.db, chainId, vendorId, item);
  return doors.transaction(async (tx) => {
    const row = await apply(tx, chainId, vendorId, item);
    if (barcode === undefined) return row;
    // The offer before the product, as in bulk updates: they could deadlock otherwise.
    await updateBarcode(tx, chainId, item.sku, barcode);
    return (await findProduct(tx, chainId, vendorId, item.sku)) ?? row;
  });
}

async function apply(db: Db, chainId: string, vendorId: string, item: UpdateItem): Promise<ProductRow> {
  const row = await updateOffer(db, chainId, vendorId, item);
  if (!row) throw new Failure('product_not_found', `The vendor has no product with the SKU ${item.sku}.`);
  return row;
}
