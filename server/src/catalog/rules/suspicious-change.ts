/** The part of a change that can be a mistake. */
export type RiskyChange = {
  /** By how much the price changes. Null if the old price is 0. */
  percent: number | null;
  /** Whether the stock becomes 0. */
  becomesEmpty: boolean;
};

export type Suspicion = { code: 'price_jump' | 'price_to_zero' | 'stock_to_zero'; message: string };

/** A price that changes by this share of the old one, or more, is suspicious. */
const jumpPercent = 50;
/** Stock often becomes 0. It is suspicious if it does in most of the rows that change stock, and in at least 10. */
const minRowsToZero = 10;

/** `isStockLoss` is the result of `hasStockLoss` for the rows that are checked together. */
export function findSuspicion({ percent, becomesEmpty }: RiskyChange, isStockLoss: boolean): Suspicion | undefined {
  if (percent === -100) return { code: 'price_to_zero', message: 'The price becomes 0.' };
  if (percent !== null && Math.abs(percent) >= jumpPercent) {
    return { code: 'price_jump', message: `The price changes by ${percent}%.` };
  }
  if (isStockLoss && becomesEmpty) {
    return { code: 'stock_to_zero', message: 'The stock becomes 0, as in most rows near this one.' };
  }
  return undefined;
}

/** Whether most of the rows that change stock set it to 0. */
export function hasStockLoss({ stockChanges, emptied }: { stockChanges: number; emptied: number }): boolean {
  return emptied >= minRowsToZero && emptied * 2 > stockChanges;
}

/**
 * The change of a price, which is decimal text, in percent with one decimal place, rounded toward 0. Null if the old
 * price is 0.
 */
export function changePercent(oldPrice: string, newPrice: string): number | null {
  if (oldPrice === newPrice) return 0;
  const before = thousandths(oldPrice);
  if (before === 0) return null;
  return Math.trunc(((thousandths(newPrice) - before) * 1000) / before) / 10;
}

/** Prices have at most three decimal places, so this is exact. */
function thousandths(price: string): number {
  return Math.round(Number(price) * 1000);
}
