import type { InputError } from '@aisle/contract/common';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  minDecimal,
  multiplyDecimals,
  wholeDecimal,
} from '../../kernel/decimal.ts';
import type { DiscountLine, LineDiscount } from '../../promotions/index.ts';
import { type Amount, counts, type Line } from './line.ts';

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
  return lines.filter(counts).map(({ terms, picked }) => ({ terms, ...picked }));
}

/** Evaluates the promotions on the lines as they are now; what does not count has no discount. */
export function withDiscounts(lines: Line[], rule: DiscountRule, digits: number): Line[] {
  const found = rule(discountable(lines), digits);
  const counted = lines.filter(counts);
  const discountOf = new Map(counted.map((line, index) => [line.id, found[index]?.discount ?? zero]));
  return lines.map((line) => ({ ...line, discount: minDecimal(discountOf.get(line.id) ?? zero, line.picked.total) }));
}

export type Payment = { subTotal: Decimal; discount: Decimal; total: Decimal };

export function payFor(lines: Line[], fees: Decimal): Payment {
  const counted = lines.filter(counts);
  const subTotal = addDecimals(...counted.map((line) => line.picked.total));
  const discount = addDecimals(...counted.map((line) => line.discount));
  return { subTotal, discount, total: (subTotal - discount + fees) as Decimal };
}

/** What is wrong with the prices that were sent; the words after the field name say whose they are. */
export function judgePrices(at: string, pricing: SentPrices, whose: string): InputError[] {
  return (['unit_price', 'total_price'] as const).flatMap((field) => {
    const price = pricing[field];
    if (price === undefined || (price >= 0 && price <= mostMoney)) return [];
    const message = `must be from 0 to ${mostMoney} for ${whose}`;
    return [{ pointer: `${at}/pricing/${field}`, code: 'out_of_range', message }];
  });
}

type SentPrices = { unit_price?: number; total_price?: number };
const mostMoney = 9_999_999.999;

/** The most of one thing that can be in a line: units, or kilograms. */
export const mostOfOne = 100_000;
