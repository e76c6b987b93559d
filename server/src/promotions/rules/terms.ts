import { type Decimal, decimal, reduceByPercent, roundDecimal } from '../../kernel/values/decimal.ts';

export type PromotionType = 'STRIKETHROUGH' | 'SAME_ITEM_BUNDLE';
export type DiscountSubtype = 'FINAL_PRICE' | 'PERCENTAGE' | 'ABSOLUTE';

/** What a promotion gives on a product. Plain JSON: an order freezes it in its line when it is placed. */
export type PromotionTerms = {
  promotion_id: string;
  name: string;
  type: PromotionType;
  discount_subtype: DiscountSubtype;
  /** A decimal as text. */
  discount_value: string;
  /** Of a bundle: in every group so many at full price, and so many with the discount. */
  purchased_quantity?: number;
  discounted_quantity?: number;
  /** Discounted units of this SKU in one order. */
  max_quantity?: number;
  limits?: PromotionLimits;
};

export type PromotionLimits = {
  /** A decimal as text. */
  max_discount_per_order?: string;
  max_items_per_order?: number;
  /** In a line of a placed order: the units that were booked for the order (see global-units.ts). */
  global_limit?: number;
};

export type Discount = Pick<PromotionTerms, 'discount_subtype' | 'discount_value'>;

/** What a discounted unit costs, never below zero. The same is said in SQL by `promotionalPrice` in apply-queries.ts. */
export function promotionalPrice(discount: Discount, unitPrice: Decimal, digits: number): Decimal {
  const value = decimal(discount.discount_value);
  if (discount.discount_subtype === 'FINAL_PRICE') return roundDecimal(value, digits);
  if (discount.discount_subtype === 'PERCENTAGE') return reduceByPercent(unitPrice, value, digits);
  return value < unitPrice ? roundDecimal((unitPrice - value) as Decimal, digits) : decimal(0);
}

/** What a customer would pay without the promotion and with it. */
export type PricePair = { price: Decimal; promotional: Decimal };

/** Undefined if the discounted price is not below the price: both are compared as the customer would see them. */
export function decidePrices(discount: Discount, catalogPrice: Decimal, digits: number): PricePair | undefined {
  const price = roundDecimal(catalogPrice, digits);
  const promotional = promotionalPrice(discount, price, digits);
  return promotional < price ? { price, promotional } : undefined;
}
