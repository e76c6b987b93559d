import { minorDigits } from '../kernel/values/currency.ts';
import type { Tx } from '../kernel/database/db.ts';
import { returnStock } from './move-stock.ts';
import { releaseUnits } from './price-lines.ts';
import { type Line, readLine } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';

/** Releases what a cancelled order holds: stock, if it is still in the store, and promotion units. */
export async function releaseAll(tx: Tx, row: OrderRow): Promise<Line[]> {
  const lines = row.items.map(readLine);
  const released = await returnStock(tx, row, lines);
  await releaseUnits(tx, row, lines, [], minorDigits(row.currency));
  return released;
}
