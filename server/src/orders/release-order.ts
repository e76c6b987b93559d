import { minorDigits } from '../kernel/values/currency.ts';
import type { Tx } from '../kernel/database/db.ts';
import { returnStock } from './move-stock.ts';
import { releaseUnits } from './price-lines.ts';
import { type Line, readLine } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';

/** Releases the promotion units that a cancelled order holds and, if its items are still in the store, their stock. */
export async function releaseAll(tx: Tx, row: OrderRow): Promise<Line[]> {
  const lines = row.items.map(readLine);
  const released = await returnStock(tx, row, lines);
  await releaseUnits(tx, row, lines, [], minorDigits(row.currency));
  return released;
}
