import { lockSelected, type OfferRow } from '../catalog/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { lockOrder, selectOffers } from './queries.ts';
import type { OrderRow } from './rules/order-response.ts';

/** The offers whose stock a change can affect: those of `skus`, and of the order's lines except `unchanged`. */
export type Movable = { skus: string[]; unchanged: string[] };

/** Locks the order and then the offers, in one round trip. */
export function lockWithOffers(
  tx: Tx,
  chainId: string,
  orderId: string,
  movable: Movable | undefined,
): Promise<[OrderRow | undefined, OfferRow[]]> {
  return Promise.all([
    lockOrder(tx, chainId, orderId),
    movable ? lockSelected(tx, chainId, selectOffers(orderId, movable)) : [],
  ]);
}
