import { type Decimal, decimal, minorUnit, roundDecimal } from '../../kernel/values/decimal.ts';
import { findOriginal, indexOriginals, type Originals } from './cart-entries.ts';
import { isOriginal, type Line } from './line.ts';
import { amountAt, amountFor } from './pricing.ts';
import type { Item } from './read-put.ts';

type Pricing = NonNullable<Item['pricing']>;

/**
 * Converts items, as picking devices send them in practice, to the strict form in the specification. All later code
 * handles only strict items, whatever the chain's profile. `typeOf` returns the pricing type of a SKU that is not in
 * the order.
 */
export function toStrictItems(
  items: Item[] | undefined,
  lines: Line[],
  typeOf: (sku: string) => 'UNIT' | 'KG' | undefined,
  digits: number,
): Item[] {
  if (items === undefined) return lines.filter(isOriginal).map(asOrdered);
  const originals = indexOriginals(lines);
  return items.map((item) => toStrictItem(item, originals, typeOf, digits));
}

function asOrdered(line: Line): Item {
  return { _id: line.id, status: 'IN_CART', pricing: { pricing_type: line.pricingType } };
}

function toStrictItem(
  item: Item,
  originals: Originals,
  typeOf: (sku: string) => 'UNIT' | 'KG' | undefined,
  digits: number,
): Item {
  const isReplacement = item.replaced_id !== undefined;
  const isPicked = item.status === undefined || item.status === 'NOT_PROCESSED';
  const status = isPicked || (isReplacement && item.status === 'ADDITION') ? 'IN_CART' : (item.status ?? 'IN_CART');
  const line = isReplacement || status === 'ADDITION' ? undefined : findOriginal(item, originals);
  const pricingType = item.pricing?.pricing_type ?? line?.pricingType ?? typeOf(item.sku ?? '');
  const pricing = { ...item.pricing, ...(pricingType && { pricing_type: pricingType }) };
  return { ...item, status, pricing: line ? withoutRepeatedPrices(pricing, line, digits) : pricing };
}

/**
 * Drops prices that a device repeats without changing them. Contradictory prices are kept, so that the strict rules
 * reject them.
 */
function withoutRepeatedPrices(pricing: Pricing, line: Line, digits: number): Pricing {
  return line.pricingType === 'KG'
    ? withoutWeightPrices(pricing, line, digits)
    : withoutUnitPrices(pricing, line, digits);
}

/** For an item sold by weight, devices repeat the total for either the ordered or the picked weight. */
function withoutWeightPrices(pricing: Pricing, { ordered }: Line, digits: number): Pricing {
  const { unit_price: unit, total_price: total, ...rest } = pricing;
  const weight = pricing.weight === undefined ? ordered.weight : decimal(pricing.weight);
  const picked = amountAt(ordered.unitPrice, 1, weight, digits);
  const isSameUnit = unit === undefined || decimal(unit) === ordered.unitPrice;
  const isSameTotal =
    total === undefined || isAbout(total, ordered.total, digits) || isAbout(total, picked.total, digits);
  return isSameUnit && isSameTotal ? rest : pricing;
}

/** Unchanged prices are dropped. If both prices changed and agree, only the one that determines the other is kept. */
function withoutUnitPrices(pricing: Pricing, { ordered }: Line, digits: number): Pricing {
  const { unit_price: unit, total_price: total, ...rest } = pricing;
  if (unit === undefined || total === undefined) return pricing;
  if (decimal(unit) === ordered.unitPrice && isAbout(total, ordered.total, digits)) return rest;
  const quantity = pricing.quantity ?? ordered.quantity;
  if (!Number.isInteger(quantity) || quantity < 1) return pricing;
  const atUnitPrice = amountAt(decimal(unit), quantity, null, digits);
  if (!isAbout(total, atUnitPrice.total, digits)) return pricing;
  const forTotal = amountFor(roundDecimal(decimal(total), digits), quantity, null, digits);
  // 3.33 is 10 ÷ 3, but 3 × 3.33 is not 10.
  const isUnitRounded = forTotal.total !== atUnitPrice.total && forTotal.unitPrice === atUnitPrice.unitPrice;
  return { ...rest, ...(isUnitRounded ? { total_price: total } : { unit_price: unit }) };
}

/** Allows a difference of one minor unit of the currency, because devices round differently. */
function isAbout(sent: number, expected: Decimal, digits: number): boolean {
  const difference = decimal(sent) - expected;
  return difference <= minorUnit(digits) && -difference <= minorUnit(digits);
}
