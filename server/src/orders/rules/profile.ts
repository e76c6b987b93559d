import { decimal, integerDecimal } from '../../kernel/values/decimal.ts';
import { findOriginal } from './cart-entries.ts';
import { isOriginal, type Line } from './line.ts';
import { amountAt } from './pricing.ts';
import type { Item } from './read-put.ts';

type Pricing = NonNullable<Item['pricing']>;

/**
 * Converts what live picking devices send to the strict form of the specification. This is the only place where the
 * profile of a chain matters: all code after it handles strict requests only. `typeOf` returns the pricing type of a SKU
 * that is not in the order.
 */
export function toStrictItems(
  items: Item[] | undefined,
  lines: Line[],
  typeOf: (sku: string) => 'UNIT' | 'KG' | undefined,
  digits: number,
): Item[] {
  if (items === undefined) return lines.filter(isOriginal).map(asOrdered);
  return items.map((item) => toStrictItem(item, lines, typeOf, digits));
}

function asOrdered(line: Line): Item {
  return { _id: line.id, status: 'IN_CART', pricing: { pricing_type: line.pricingType } };
}

function toStrictItem(
  item: Item,
  lines: Line[],
  typeOf: (sku: string) => 'UNIT' | 'KG' | undefined,
  digits: number,
): Item {
  const isReplacement = item.replaced_id !== undefined;
  const isPicked = item.status === undefined || item.status === 'NOT_PROCESSED';
  const status = isPicked || (isReplacement && item.status === 'ADDITION') ? 'IN_CART' : (item.status ?? 'IN_CART');
  const line = isReplacement || status === 'ADDITION' ? undefined : findOriginal(item, lines);
  const pricingType = item.pricing?.pricing_type ?? line?.pricingType ?? typeOf(item.sku ?? '');
  const pricing = { ...item.pricing, ...(pricingType && { pricing_type: pricingType }) };
  return { ...item, status, pricing: line ? withoutRepeatedPrices(pricing, line, digits) : pricing };
}

/** Devices repeat both prices. Unchanged prices are dropped; of a changed pair that agrees, the unit price is kept. */
function withoutRepeatedPrices(pricing: Pricing, line: Line, digits: number): Pricing {
  const { unit_price: unit, total_price: total, ...rest } = pricing;
  if (unit === undefined || total === undefined) return pricing;
  const sent = { unit: decimal(unit), total: decimal(total) };
  if (sent.unit === line.ordered.unitPrice && sent.total === line.ordered.total) return rest;
  if (line.pricingType === 'KG') return pricing;
  const quantity = pricing.quantity ?? line.ordered.quantity;
  if (!Number.isInteger(quantity)) return pricing;
  const agrees = amountAt(sent.unit, quantity, null, digits).total === sent.total;
  return agrees && integerDecimal(quantity) > 0n ? { ...rest, unit_price: unit } : pricing;
}
