import { lockOffers, lockSelected, type OfferRow } from '../catalog/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { lockOrder, selectOffers } from './queries.ts';
import type { OrderRow } from './rules/order-response.ts';

/** The offers whose stock a change can affect: those of `skus`, and of the order's lines except `unchanged`. */
export type Movable = { skus: string[]; unchanged: string[] };

/** Locks the order and then the offers, in one round trip unless the database is distributed. */
export function lockWithOffers(
  tx: Tx,
  chainId: string,
  orderId: string,
  movable: Movable | undefined,
): Promise<[OrderRow | undefined, OfferRow[]]> {
  if (tx.isDistributed) return lockOneByOne(tx, chainId, orderId, movable);
  return Promise.all([
    lockOrder(tx, chainId, orderId),
    movable ? lockSelected(tx, chainId, selectOffers(orderId, movable)) : [],
  ]);
}

/** Statements about one table each cost a fraction of one about three there (decision 0126). */
async function lockOneByOne(
  tx: Tx,
  chainId: string,
  orderId: string,
  movable: Movable | undefined,
): Promise<[OrderRow | undefined, OfferRow[]]> {
  const row = await lockOrder(tx, chainId, orderId);
  if (!row || !movable) return [row, []];
  const unchanged = new Set(movable.unchanged);
  const moved = row.items.filter((line) => !unchanged.has(line.id)).map((line) => line.sku);
  const skus = [...new Set([...movable.skus, ...moved])];
  return [row, skus.length === 0 ? [] : await lockOffers(tx, chainId, row.vendor_id, skus)];
}
