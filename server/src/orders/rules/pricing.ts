import { addDecimals, type Decimal, divideDecimals, multiplyDecimals, wholeDecimal } from '../../kernel/decimal.ts';
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

/** What the promotions of an order take off each line, given in the order of the lines. */
export type DiscountRule = (
  lines: { terms: unknown; unitPrice: Decimal; quantity: number; weight: Decimal | null }[],
  minorDigits: number,
) => { discount: Decimal; discountedUnits: number }[];

/** Evaluates the promotions on the lines as they are now; what does not count has no discount. */
export function withDiscounts(lines: Line[], rule: DiscountRule, digits: number): Line[] {
  const counted = lines.filter(counts);
  const found = rule(
    counted.map(({ terms, picked }) => ({ terms, ...picked })),
    digits,
  );
  const discountOf = new Map(counted.map((line, index) => [line.id, found[index]?.discount ?? zero]));
  return lines.map((line) => ({ ...line, discount: discountOf.get(line.id) ?? zero }));
}

export type Payment = { subTotal: Decimal; discount: Decimal; total: Decimal };

export function payFor(lines: Line[], fees: Decimal): Payment {
  const counted = lines.filter(counts);
  const subTotal = addDecimals(...counted.map((line) => line.picked.total));
  const discount = addDecimals(...counted.map((line) => line.discount));
  return { subTotal, discount, total: (subTotal - discount + fees) as Decimal };
}

export const noDiscounts: DiscountRule = (lines) => lines.map(() => ({ discount: zero, discountedUnits: 0 }));
