import { type Decimal, decimal, floorDecimal, minDecimal, multiplyDecimals } from '../../kernel/values/decimal.ts';
import { type PromotionTerms, promotionalPrice } from './terms.ts';

/**
 * A line in an order. For a product sold by weight, `quantity` is 1 and the price is per kilogram. Otherwise, `weight`
 * is null.
 */
export type DiscountLine = {
  terms: PromotionTerms | null;
  unitPrice: Decimal;
  quantity: number;
  weight: Decimal | null;
};

export type LineDiscount = { discount: Decimal; discountedUnits: number };

const nothing: LineDiscount = { discount: decimal(0), discountedUnits: 0 };

/**
 * Calculates the discount on each line of an order: (unit price − promotional unit price) × discounted units (or ×
 * weight), rounded half up, never negative and never above the line's price. Earlier lines use up the per-order limits
 * first.
 */
export function discountLines(lines: readonly DiscountLine[], minorDigits: number): LineDiscount[] {
  const allowances = new Map<string, Allowance>();
  return lines.map((line) => {
    if (line.terms === null) return nothing;
    const allowance = allowances.get(line.terms.promotion_id) ?? fullAllowance(line.terms, minorDigits);
    const taken = discountLine(line, line.terms, allowance, minorDigits);
    allowances.set(line.terms.promotion_id, {
      units: allowance.units - taken.discountedUnits,
      money: allowance.money && ((allowance.money - taken.discount) as Decimal),
    });
    return taken;
  });
}

/** Returns the number of units that can be discounted, ignoring limits. In a bundle, only complete groups count. */
export function discountableUnits(terms: PromotionTerms, quantity: number): number {
  const { purchased_quantity: purchased = 1, discounted_quantity: discounted = 1 } = terms;
  switch (terms.type) {
    case 'STRIKETHROUGH':
      return quantity;
    case 'SAME_ITEM_BUNDLE':
      return Math.floor(quantity / (purchased + discounted)) * discounted;
    default:
      return terms.type satisfies never;
  }
}

/** The part of a promotion's limits that is left for an order's remaining lines. Null `money` means no limit. */
type Allowance = { units: number; money: Decimal | null };

function fullAllowance({ limits = {} }: PromotionTerms, digits: number): Allowance {
  const { max_items_per_order: items, global_limit: reserved, max_discount_per_order: money } = limits;
  return {
    units: Math.min(items ?? Number.POSITIVE_INFINITY, reserved ?? Number.POSITIVE_INFINITY),
    money: money === undefined ? null : floorDecimal(decimal(money), digits),
  };
}

function discountLine(line: DiscountLine, terms: PromotionTerms, allowance: Allowance, digits: number): LineDiscount {
  const saved = (line.unitPrice - promotionalPrice(terms, line.unitPrice, digits)) as Decimal;
  const units = Math.min(
    discountableUnits(terms, line.quantity),
    terms.max_quantity ?? Number.POSITIVE_INFINITY,
    allowance.units,
  );
  if (saved <= 0n || units <= 0) return nothing;
  const off = multiplyDecimals(saved, line.weight ?? decimal(units), digits);
  const lineTotal = multiplyDecimals(line.unitPrice, line.weight ?? decimal(line.quantity), digits);
  const discount = minDecimal(off, lineTotal, allowance.money ?? off);
  return discount > 0n ? { discount, discountedUnits: units } : nothing;
}
