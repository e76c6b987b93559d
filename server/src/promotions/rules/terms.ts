import type { DiscountSubtype, PromotionType } from '@aisle/contract/promotion-types';
import { type Decimal, decimal, reduceByPercent, roundDecimal } from '../../kernel/values/decimal.ts';

/** A promotion's discount on a product. It is plain JSON, because placed orders store it in their lines. */
export type PromotionTerms = {
  promotion_id: string;
  name: string;
  type: PromotionType;
  discount_subtype: DiscountSubtype;
  /** A decimal as a string. */
  discount_value: string;
  /** For a bundle, the number of units at full price and the number of discounted units in each group. */
  purchased_quantity?: number;
  discounted_quantity?: number;
  /** The maximum number of discounted units of this SKU per order. */
  max_quantity?: number;
  limits?: PromotionLimits;
};

export type PromotionLimits = {
  /** A decimal as a string. */
  max_discount_per_order?: string;
  max_items_per_order?: number;
  /** In the lines of a placed order, this is the number of units reserved for the order (see global-units.ts). */
  global_limit?: number;
};

export type Discount = Pick<PromotionTerms, 'discount_subtype' | 'discount_value'>;

/**
 * Returns the price of a discounted unit, which is never negative. Duplicated in SQL as `promotionalPrice` in
 * apply-queries.ts.
 */
export function promotionalPrice(discount: Discount, unitPrice: Decimal, digits: number): Decimal {
  const value = decimal(discount.discount_value);
  switch (discount.discount_subtype) {
    case 'FINAL_PRICE':
      return roundDecimal(value, digits);
    case 'PERCENTAGE':
      return reduceByPercent(unitPrice, value, digits);
    case 'ABSOLUTE':
      return value < unitPrice ? roundDecimal((unitPrice - value) as Decimal, digits) : decimal(0);
    default:
      return discount.discount_subtype satisfies never;
  }
}

/** The price without and with the promotion. */
export type PricePair = { price: Decimal; promotional: Decimal };

/** Returns undefined if the discount does not lower the price. Compares the rounded prices that the customer sees. */
export function applyDiscount(discount: Discount, catalogPrice: Decimal, digits: number): PricePair | undefined {
  const price = roundDecimal(catalogPrice, digits);
  const promotional = promotionalPrice(discount, price, digits);
  return promotional < price ? { price, promotional } : undefined;
}
