import type { Tx } from '../kernel/database/db.ts';
import {
  discountLines,
  type GlobalUse,
  globalUses,
  grantTerms,
  releaseGlobalUnits,
  reserveGlobalUnits,
} from '../promotions/index.ts';
import type { Line } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';
import { discountable, withDiscounts } from './rules/pricing.ts';

/** Prices the lines of a new order. If a promotion has a global limit, reserves units and records them in the lines. */
export async function pricePlaced(
  tx: Tx,
  chainId: string,
  lines: Line[],
  digits: number,
  isTest: boolean,
): Promise<Line[]> {
  const priced = isTest ? lines : await reserveUnits(tx, chainId, lines, digits);
  return withDiscounts(priced, discountLines, digits).map((line) => ({ ...line, orderedDiscount: line.discount }));
}

/** Reapplies the promotions, this time to the picked quantities. */
export function pricePicked(lines: Line[], digits: number): Line[] {
  return withDiscounts(lines, discountLines, digits);
}

/** Releases the promotion units that the order no longer uses; a cancelled order uses none. */
export function releaseUnits(tx: Tx, row: OrderRow, before: Line[], after: Line[], digits: number): void {
  if (row.is_test) return;
  const used = new Map(globalUses(discountable(after), digits).map((use) => [use.promotion_id, use.units]));
  const freed = globalUses(discountable(before), digits).map(({ promotion_id, units }): GlobalUse => {
    return { promotion_id, units: units - (used.get(promotion_id) ?? 0) };
  });
  releaseGlobalUnits(tx, row.chain_id, freed);
}

async function reserveUnits(tx: Tx, chainId: string, lines: Line[], digits: number): Promise<Line[]> {
  const uses = globalUses(discountable(lines), digits);
  const granted = await reserveGlobalUnits(tx, chainId, uses);
  return lines.map((line) => ({ ...line, terms: line.terms && grantTerms(line.terms, granted) }));
}
