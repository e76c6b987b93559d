import type { InputError } from '@aisle/contract/common';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  minDecimal,
  multiplyDecimals,
  wholeDecimal,
} from '../../kernel/values/decimal.ts';
import type { DiscountLine, LineDiscount } from '../../promotions/index.ts';
import { type Amount, isBillable, type Line, type NewLine } from './line.ts';

const zero = 0n as Decimal;

/** So much at this price; the total is rounded to the digits of the currency. */
export function amountAt(unitPrice: Decimal, quantity: number, weight: Decimal | null, digits: number): Amount {
  return { quantity, weight, unitPrice, total: multiplyDecimals(unitPrice, measure(quantity, weight), digits) };
}

/** So much for this total; the unit price follows from it. */
export function amountFor(total: Decimal, quantity: number, weight: Decimal | null, digits: number): Amount {
  return { quantity, weight, unitPrice: divideDecimals(total, measure(quantity, weight), digits), total };
}

/** Units or kilograms. */
export function measure(quantity: number, weight: Decimal | null): Decimal {
  return weight ?? wholeDecimal(quantity);
}

/** What the lines that count have off, in their order. */
export type DiscountRule = (lines: DiscountLine[], minorDigits: number) => LineDiscount[];

/** The lines that count, as promotions see them. */
export function discountable(lines: Line[]): DiscountLine[] {
  return lines.filter(isBillable).map(({ terms, picked }) => ({ terms, ...picked }));
}

/** Evaluates the promotions on the lines as they are now; what does not count has no discount. */
export function withDiscounts(lines: Line[], rule: DiscountRule, digits: number): Line[] {
  const found = rule(discountable(lines), digits);
  const counted = lines.filter(isBillable);
  const discountOf = new Map(counted.map((line, index) => [line.id, found[index]?.discount ?? zero]));
  return lines.map((line) => ({ ...line, discount: minDecimal(discountOf.get(line.id) ?? zero, line.picked.total) }));
}

export type Payment = { subTotal: Decimal; discount: Decimal; total: Decimal };

export function payFor(lines: Pick<Line, 'status' | 'picked' | 'discount'>[], fees: Decimal): Payment {
  const counted = lines.filter(isBillable);
  const subTotal = addDecimals(...counted.map((line) => line.picked.total));
  const discount = addDecimals(...counted.map((line) => line.discount));
  return { subTotal, discount, total: (subTotal - discount + fees) as Decimal };
}

/** What is wrong with the prices that were sent for an item, whatever it is. */
export function judgePrices(at: string, pricing: SentPrices, name: string): InputError[] {
  const { unit_price: unit, total_price: total } = pricing;
  if (unit !== undefined && total !== undefined) {
    const message = `must have unit_price or total_price for ${name}, not both`;
    return [{ pointer: `${at}/pricing`, code: 'both_prices', message }];
  }
  const price = unit ?? total ?? 0;
  if (price >= 0 && price <= maxMoney) return [];
  const field = unit === undefined ? 'total_price' : 'unit_price';
  const message = `must be from 0 to ${maxMoney} for ${name}`;
  return [{ pointer: `${at}/pricing/${field}`, code: 'out_of_range', message }];
}

/** Nobody orders for more; and above it a JSON number could no longer hold every cent. */
export function judgeSum(lines: NewLine[]): InputError[] {
  if (payFor(lines, zero).subTotal <= wholeDecimal(maxOrder)) return [];
  const message = `the order would cost more than ${maxOrder.toLocaleString('en')}; take something out`;
  return [{ pointer: '/items', code: 'out_of_range', message }];
}

const maxOrder = 9_000_000_000_000;

type SentPrices = { unit_price?: number; total_price?: number };
const maxMoney = 9_999_999.999;

/** The most of one thing that can be in a line: units, or kilograms. */
export const maxLineQuantity = 100_000;
