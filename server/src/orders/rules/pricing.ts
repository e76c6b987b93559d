import type { InputError } from '@aisle/contract/common';
import { maxMoney } from '@aisle/contract/sizes';
import {
  addDecimals,
  type Decimal,
  decimal,
  decimalNumber,
  divideDecimals,
  minDecimal,
  minorUnit,
  multiplyDecimals,
  integerDecimal,
  roundDecimal,
} from '../../kernel/values/decimal.ts';
import type { DiscountLine, LineDiscount } from '../../promotions/index.ts';
import { type Amount, isBillable, type Line, type NewLine } from './line.ts';

const zero = 0n as Decimal;

/**
 * Calculates the amount from a unit price. The unit price is rounded to the currency's minor unit first, then the
 * total.
 */
export function amountAt(price: Decimal, quantity: number, weight: Decimal | null, digits: number): Amount {
  const unitPrice = roundDecimal(price, digits);
  return { quantity, weight, unitPrice, total: multiplyDecimals(unitPrice, measure(quantity, weight), digits) };
}

/** Calculates the amount, including the unit price, from a total. */
export function amountFor(total: Decimal, quantity: number, weight: Decimal | null, digits: number): Amount {
  return { quantity, weight, unitPrice: divideDecimals(total, measure(quantity, weight), digits), total };
}

/** The quantity in units or kilograms. */
export function measure(quantity: number, weight: Decimal | null): Decimal {
  return weight ?? integerDecimal(quantity);
}

/** Returns the discounts on the billable lines, in the order of the lines. */
export type DiscountRule = (lines: DiscountLine[], minorDigits: number) => LineDiscount[];

/** Converts the billable lines to the form that promotions use. */
export function discountable(lines: Line[]): DiscountLine[] {
  return lines.filter(isBillable).map(({ terms, picked }) => ({ terms, ...picked }));
}

/** Applies the promotions to the current lines. Lines that are not billable get no discount. */
export function withDiscounts(lines: Line[], rule: DiscountRule, digits: number): Line[] {
  const found = rule(discountable(lines), digits);
  const billable = lines.filter(isBillable);
  const discountOf = new Map(billable.map((line, index) => [line.id, found[index]?.discount ?? zero]));
  return lines.map((line) => ({ ...line, discount: minDecimal(discountOf.get(line.id) ?? zero, line.picked.total) }));
}

export type Payment = { subTotal: Decimal; discount: Decimal; total: Decimal };

export function payFor(lines: Pick<Line, 'status' | 'picked' | 'discount'>[], fees: Decimal): Payment {
  const billable = lines.filter(isBillable);
  const subTotal = addDecimals(...billable.map((line) => line.picked.total));
  const discount = addDecimals(...billable.map((line) => line.discount));
  return { subTotal, discount, total: (subTotal - discount + fees) as Decimal };
}

/** Returns the errors in the prices sent for an item. */
export function checkPrices(at: string, pricing: SentPrices, name: string, digits: number): InputError[] {
  const { unit_price: unit, total_price: total } = pricing;
  if (unit !== undefined && total !== undefined) {
    const message = `must contain unit_price or total_price for ${name}, not both`;
    return [{ pointer: `${at}/pricing`, code: 'both_prices', message }];
  }
  const price = unit ?? total ?? 0;
  const max = maxPrice(digits);
  const isInRange = price >= 0 && price <= maxMoney && roundDecimal(decimal(price), digits) <= max;
  if (isInRange && (price === 0 || roundDecimal(decimal(price), digits) > 0n)) return [];
  const field = unit === undefined ? 'total_price' : 'unit_price';
  const message = isInRange
    ? `must be 0 or at least ${decimalNumber(minorUnit(digits))} for ${name}: ${price} would be rounded to 0`
    : `must be between 0 and ${decimalNumber(max)} for ${name}`;
  return [{ pointer: `${at}/pricing/${field}`, code: 'out_of_range', message }];
}

/** The highest price with this many decimal places, so that a rounded price cannot exceed the limit. */
function maxPrice(digits: number): Decimal {
  const max = decimal(maxMoney);
  return (max - (max % minorUnit(digits))) as Decimal;
}

/** Limits the total, because very large JSON numbers lose precision. */
export function checkSum(lines: NewLine[]): InputError[] {
  if (payFor(lines, zero).subTotal <= integerDecimal(maxOrderTotal)) return [];
  const message = `the order total must be at most ${maxOrderTotal.toLocaleString('en')}`;
  return [{ pointer: '/items', code: 'out_of_range', message }];
}

const maxOrderTotal = 9_000_000_000_000;

export type SentPrices = { unit_price?: number; total_price?: number };

/** The maximum quantity in a line, in units or kilograms. */
export const maxLineQuantity = 100_000;
