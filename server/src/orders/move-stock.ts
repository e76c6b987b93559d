import { lockOffers, type OfferRow, setStock } from '../catalog/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Line } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';
import { returnHeld, heldSkus, type MovedStock, movedSkus, movePicked, type Stock } from './rules/stock.ts';

/**
 * Updates the store's stock to match the picked quantities. Each returned line records how much stock it holds. `locked`
 * contains the offers that the transaction has already locked.
 */
export function moveStock(tx: Tx, row: OrderRow, locked: OfferRow[], before: Line[], after: Line[]): Promise<Line[]> {
  if (row.is_test) return Promise.resolve(after);
  return withStock(tx, row, locked, movedSkus(before, after), after, (stock) => movePicked(before, after, stock));
}

/** Puts back the stock of a cancelled order if its items are still in the store. */
export function returnStock(tx: Tx, row: OrderRow, locked: OfferRow[], lines: Line[]): Promise<Line[]> {
  const isInStore = row.status === 'RECEIVED' || row.status === 'READY_FOR_PICKUP';
  if (!isInStore || row.is_test) return Promise.resolve(lines);
  return withStock(tx, row, locked, heldSkus(lines), lines, (stock) => returnHeld(lines, stock));
}

async function withStock(
  tx: Tx,
  row: OrderRow,
  locked: OfferRow[],
  skus: string[],
  lines: Line[],
  move: (stock: Stock) => MovedStock,
): Promise<Line[]> {
  if (skus.length === 0) return lines;
  const offers = await lockOthers(tx, row, locked, skus);
  const moved = move(new Map(offers.map(({ sku, quantity }) => [sku, quantity])));
  setStock(tx, row.chain_id, row.vendor_id, row.order_id, offers, moved.stock);
  return moved.lines;
}

/** Returns the offers for these SKUs, after locking those that are not locked yet. */
async function lockOthers(tx: Tx, row: OrderRow, locked: OfferRow[], skus: string[]): Promise<OfferRow[]> {
  const bySku = new Map(locked.map((offer) => [offer.sku, offer]));
  const others = skus.filter((sku) => !bySku.has(sku));
  const added = others.length === 0 ? [] : await lockOffers(tx, row.chain_id, row.vendor_id, others);
  return [...skus.flatMap((sku) => bySku.get(sku) ?? []), ...added];
}
