import type { Decimal } from '../../kernel/values/decimal.ts';
import { type Discount, applyDiscount, type PricePair } from './terms.ts';

export type PromotionState = 'UPCOMING' | 'RUNNING' | 'ENDED' | 'CANCELLED';

type Period = { start_time: Date; end_time: Date };

/** A promotion runs from its start (inclusive) to its end (exclusive). */
export function promotionState(promotion: Period & { is_cancelled: boolean }, now: Date): PromotionState {
  if (promotion.is_cancelled) return 'CANCELLED';
  if (now < promotion.start_time) return 'UPCOMING';
  return now < promotion.end_time ? 'RUNNING' : 'ENDED';
}

/** A running promotion that covers a product. */
export type Candidate = Discount & { promotion_id: string; start_time: Date; created_at: Date };

/**
 * Chooses the promotion that applies to a product: among those that lower the price, the one that started last or, if
 * several started at the same time, the one created last.
 */
export function chooseRunning<C extends Candidate>(
  candidates: readonly C[],
  catalogPrice: Decimal,
  digits: number,
): (PricePair & { winner: C }) | undefined {
  for (const winner of candidates.toSorted(byPrecedence)) {
    const prices = applyDiscount(winner, catalogPrice, digits);
    if (prices) return { ...prices, winner };
  }
  return undefined;
}

function byPrecedence(a: Candidate, b: Candidate): number {
  return (
    b.start_time.getTime() - a.start_time.getTime() ||
    b.created_at.getTime() - a.created_at.getTime() ||
    (b.promotion_id > a.promotion_id ? 1 : -1)
  );
}
