import type { Db, Tx } from '../kernel/database/db.ts';
import { type DiscountLine, discountLines } from './rules/discount.ts';
import type { PromotionTerms } from './rules/terms.ts';
import {
  addGlobalUnits,
  beginLocking,
  endLocking,
  listGlobalUnits,
  lockGlobalUnits,
  lockPromotions,
  type UnitsLeft,
} from './running-queries.ts';

/**
 * A global limit is the maximum number of discounted units across all orders. Each order reserves its units, and the
 * promotion's row stays locked until the order's transaction ends, so that orders together never exceed the limit.
 *
 *   placing    const terms = runningTerms(…);                        stored in the lines
 *              const granted = await reserveGlobalUnits(tx, chainId, globalUses(lines, digits));
 *              If a promotion has none left, start over without it.
 *              Store grantTerms(terms, granted) in each line, and only then price the order with discountLines.
 *              Do this late in the transaction, because other orders with the same promotion block from here on.
 *   picking    Call discountLines with the stored terms. Their global_limit is now the number of units reserved for the
 *              order, so the order never gets more, however much is picked. In the same transaction,
 *              releaseGlobalUnits releases the rest: globalUses(before) − globalUses(after).
 *   cancelling releaseGlobalUnits(tx, chainId, globalUses(lines, digits)) with the current lines.
 *
 * A transaction that also locks other rows (the order, its offers) locks promotions last, so that orders cannot
 * deadlock.
 */
export type GlobalUse = { promotion_id: string; units: number };

/** Counts the units that an order's lines use from each promotion with a global limit. */
export function globalUses(lines: readonly DiscountLine[], minorDigits: number): GlobalUse[] {
  const units = new Map<string, number>();
  for (const [index, { discountedUnits }] of discountLines(lines, minorDigits).entries()) {
    const terms = lines[index]?.terms;
    if (!terms || terms.limits?.global_limit === undefined || discountedUnits === 0) continue;
    units.set(terms.promotion_id, (units.get(terms.promotion_id) ?? 0) + discountedUnits);
  }
  return [...units].map(([promotion_id, count]) => ({ promotion_id, units: count }));
}

/**
 * Reserves as many of the requested units as are left, and returns how many, by promotion. If a promotion has none left,
 * nothing is reserved or stays locked, so that the caller can try others without a deadlock.
 */
export async function reserveGlobalUnits(
  tx: Tx,
  chainId: string,
  uses: readonly GlobalUse[],
): Promise<Map<string, number>> {
  if (uses.length === 0) return new Map();
  beginLocking(tx);
  const granted = limitUses(uses, await lockGlobalUnits(tx, chainId, promotionIds(uses)));
  if (granted.some(({ units }) => units === 0)) endLocking(tx);
  else addGlobalUnits(tx, chainId, granted);
  return unitsById(granted);
}

/** Returns how many of the requested units an order placed now would get, by promotion, without reserving them. */
export async function findGlobalUnits(
  db: Db,
  chainId: string,
  uses: readonly GlobalUse[],
): Promise<Map<string, number>> {
  if (uses.length === 0) return new Map();
  return unitsById(limitUses(uses, await listGlobalUnits(db, chainId, promotionIds(uses))));
}

/** Releases units held by an order that was cancelled or only partly picked, whether or not a limit is still set. */
export function releaseGlobalUnits(tx: Tx, chainId: string, uses: readonly GlobalUse[]): void {
  const returned = uses.filter((use) => use.units > 0);
  if (returned.length === 0) return;
  lockPromotions(tx, chainId, promotionIds(returned));
  addGlobalUnits(
    tx,
    chainId,
    returned.map(({ promotion_id, units }) => ({ promotion_id, units: -units })),
  );
}

/** Returns the terms to store in an order, limited to the units that were reserved for it. */
export function grantTerms(terms: PromotionTerms, granted: ReadonlyMap<string, number>): PromotionTerms {
  if (terms.limits?.global_limit === undefined) return terms;
  return { ...terms, limits: { ...terms.limits, global_limit: granted.get(terms.promotion_id) ?? 0 } };
}

/**
 * If the limit was removed after the terms were read, all units are granted. They are still counted, because they may be
 * released later.
 */
function limitUses(uses: readonly GlobalUse[], rows: UnitsLeft[]): GlobalUse[] {
  const left = new Map(rows.map((row) => [row.promotion_id, row.left]));
  return uses.map(({ promotion_id, units }) => ({
    promotion_id,
    units: Math.min(units, left.get(promotion_id) ?? units),
  }));
}

function unitsById(uses: GlobalUse[]): Map<string, number> {
  return new Map(uses.map(({ promotion_id, units }) => [promotion_id, units]));
}

function promotionIds(uses: readonly GlobalUse[]): string[] {
  return uses.map((use) => use.promotion_id);
}
