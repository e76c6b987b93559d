import type { OfferRow } from '../catalog/index.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import type { Tx } from '../kernel/database/db.ts';
import { returnStock } from './move-stock.ts';
import { releaseUnits } from './price-lines.ts';
import { type Line, readLine } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';

/**
 * Releases the promotion units that a cancelled order holds and, if its items are still in the store, their stock.
 * `locked` contains the order's offers.
 */
export async function releaseAll(tx: Tx, row: OrderRow, locked: OfferRow[]): Promise<Line[]> {
  const lines = row.items.map(readLine);
  const released = await returnStock(tx, row, locked, lines);
  releaseUnits(tx, row, lines, [], minorDigits(row.currency));
  return released;
}
