import { decimal, integerDecimal } from '../../src/kernel/values/decimal.ts';
import type { Line } from '../../src/orders/rules/line.ts';
import { amountAt } from '../../src/orders/rules/pricing.ts';

/** Returns a line item sold by the piece, as ordered, in a currency with two decimal places. */
export function unitLine(id: string, quantity: number, unitPrice: number, more: Partial<Line> = {}): Line {
  const amount = amountAt(decimal(unitPrice), quantity, null, 2);
  const bounds = { min: integerDecimal(1), max: integerDecimal(quantity) };
  return { ...plain(id), ...bounds, pricingType: 'UNIT', ordered: amount, picked: amount, ...more };
}

/** Returns a line item sold by weight. Between half and twice the weight can be picked. */
export function weightLine(id: string, weight: number, unitPrice: number, more: Partial<Line> = {}): Line {
  const amount = amountAt(decimal(unitPrice), 1, decimal(weight), 2);
  const bounds = { min: decimal(weight / 2), max: decimal(weight * 2) };
  return { ...plain(id), ...bounds, pricingType: 'KG', ordered: amount, picked: amount, ...more };
}

function plain(id: string) {
  return {
    id,
    sku: id.toUpperCase(),
    name: id,
    barcodes: [],
    image: null,
    instructions: null,
    status: 'NOT_PROCESSED' as const,
    orderedDiscount: decimal(0),
    discount: decimal(0),
    terms: null,
    replacedId: null,
    wish: null,
    taken: null,
  };
}
