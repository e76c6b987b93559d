import type { Tx } from '../kernel/database/db.ts';
import {
  discountLines,
  type GlobalUse,
  globalUses,
  grantTerms,
  type PromotionTerms,
  releaseGlobalUnits,
} from '../promotions/index.ts';
import type { Line } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';
import { discountable, withDiscounts } from './rules/pricing.ts';

/**
 * Returns how many of the requested units of promotions with a global limit an order gets, by promotion. If it gets none
 * of one, it gets none of the others either, and asks again.
 */
export type GrantUnits = (tx: Tx, chainId: string, uses: readonly GlobalUse[]) => Promise<Map<string, number>>;

/** The terms that apply to each SKU without these promotions. */
export type FindTerms = (without: ReadonlySet<string>) => ReadonlyMap<string, PromotionTerms>;

/**
 * Prices the lines of a new order. If a promotion has a global limit, the granted units are recorded in the lines. If
 * other orders have taken its last units since it was read, the next promotion applies. Without `grantUnits`, global
 * limits are ignored.
 */
export async function pricePlaced(
  tx: Tx,
  chainId: string,
  lines: Line[],
  digits: number,
  { grantUnits, findTerms }: { grantUnits: GrantUnits | undefined; findTerms: FindTerms },
): Promise<Line[]> {
  const priced = grantUnits ? await withUnits(tx, chainId, lines, digits, grantUnits, findTerms) : lines;
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

async function withUnits(
  tx: Tx,
  chainId: string,
  lines: Line[],
  digits: number,
  grantUnits: GrantUnits,
  findTerms: FindTerms,
): Promise<Line[]> {
  const usedUp = new Set<string>();
  for (let current = lines; ; ) {
    const granted = await grantUnits(tx, chainId, globalUses(discountable(current), digits));
    const none = [...granted].filter(([, units]) => units === 0).map(([id]) => id);
    if (none.length === 0) {
      return current.map((line) => ({ ...line, terms: line.terms && grantTerms(line.terms, granted) }));
    }
    for (const id of none) usedUp.add(id);
    const terms = findTerms(usedUp);
    current = current.map((line) =>
      usedUp.has(line.terms?.promotion_id ?? '') ? { ...line, terms: terms.get(line.sku) ?? null } : line,
    );
  }
}
