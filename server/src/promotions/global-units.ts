import type { Tx } from '../kernel/database/db.ts';
import { type DiscountLine, discountLines } from './rules/discount.ts';
import type { PromotionTerms } from './rules/terms.ts';
import { addGlobalUnits, lockGlobalUnits } from './running-queries.ts';

/**
 * A global limit is a number of discounted units for all orders together. Each order books its units, and the row of the
 * promotion is locked from the booking until the order's transaction ends, so that together they never book too many.
 *
 *   placing    const terms = await findRunningTerms(…);              into the lines
 *              const granted = await reserveGlobalUnits(tx, chainId, globalUses(lines, digits));
 *              freeze each line's terms as grantTerms(terms, granted), and only then price the order by discountLines.
 *              Late in the transaction: others who want the same promotion wait from here on.
 *   picking    discountLines over the frozen terms. Their global_limit is now what the order has booked, so that it never
 *              gets more than that, however much is picked; what it no longer needs is
 *              globalUses(before) − globalUses(after), given back by returnGlobalUnits in the same transaction.
 *   cancelling returnGlobalUnits(tx, chainId, globalUses(lines, digits)) with the lines as they count at that moment.
 *
 * Where an order locks other rows too (its own, its offers), it always takes these last, so that orders cannot
 * deadlock.
 */
export type GlobalUse = { promotion_id: string; units: number };

/** The units that these lines of an order use of promotions with a global limit, promotion by promotion. */
export function globalUses(lines: readonly DiscountLine[], minorDigits: number): GlobalUse[] {
  const units = new Map<string, number>();
  for (const [index, { discountedUnits }] of discountLines(lines, minorDigits).entries()) {
    const terms = lines[index]?.terms;
    if (!terms || terms.limits?.global_limit === undefined || discountedUnits === 0) continue;
    units.set(terms.promotion_id, (units.get(terms.promotion_id) ?? 0) + discountedUnits);
  }
  return [...units].map(([promotion_id, count]) => ({ promotion_id, units: count }));
}

/** Books as many of the wanted units as are left; says how many, for each promotion that was asked for. */
export async function reserveGlobalUnits(
  tx: Tx,
  chainId: string,
  uses: readonly GlobalUse[],
): Promise<Map<string, number>> {
  if (uses.length === 0) return new Map();
  const held = await lockGlobalUnits(tx, chainId, promotionIds(uses));
  const left = new Map(held.map((row) => [row.promotion_id, row.left]));
  // A limit that was lifted since the terms were read no longer bounds anything; what is booked will be given back.
  const granted = uses.map(({ promotion_id, units }) => ({
    promotion_id,
    units: Math.min(units, left.get(promotion_id) ?? units),
  }));
  await addGlobalUnits(tx, chainId, granted);
  return new Map(granted.map(({ promotion_id, units }) => [promotion_id, units]));
}

/** Gives units back that an order had booked: it was cancelled, or less was picked. Whether or not there is a limit now. */
export async function returnGlobalUnits(tx: Tx, chainId: string, uses: readonly GlobalUse[]): Promise<void> {
  const returned = uses.filter((use) => use.units > 0);
  if (returned.length === 0) return;
  await lockGlobalUnits(tx, chainId, promotionIds(returned));
  await addGlobalUnits(
    tx,
    chainId,
    returned.map(({ promotion_id, units }) => ({ promotion_id, units: -units })),
  );
}

/** The terms as an order freezes them: bound to the units that were booked for it. */
export function grantTerms(terms: PromotionTerms, granted: ReadonlyMap<string, number>): PromotionTerms {
  if (terms.limits?.global_limit === undefined) return terms;
  return { ...terms, limits: { ...terms.limits, global_limit: granted.get(terms.promotion_id) ?? 0 } };
}

function promotionIds(uses: readonly GlobalUse[]): string[] {
  return uses.map((use) => use.promotion_id);
}
