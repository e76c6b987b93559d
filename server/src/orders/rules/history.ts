import { type Decimal, decimalNumber } from '../../kernel/values/decimal.ts';
import { type Line, nameOf } from './line.ts';

export type ItemChange = { _id: string; sku: string; name: string; change: string };

/** Describes what picking changed in each line. */
export function describePicking(before: Line[], after: Line[], currency: string): ItemChange[] {
  const known = new Map(before.map((line) => [line.id, line]));
  return after.map((line) => ({
    _id: line.id,
    sku: line.sku,
    name: line.name,
    change: describe(line, known.has(line.id), before, currency),
  }));
}

function describe(line: Line, isKnown: boolean, before: Line[], currency: string): string {
  const price = money(line.picked.unitPrice, currency);
  if (line.status === 'NOT_FOUND') return 'not found';
  if (line.status === 'REPLACED') return 'replaced by another item';
  if (line.status === 'ADDITION') return `added: ${quantityText(line, 'picked')} at ${price}`;
  if (!isKnown) {
    const replaced = before.find(({ id }) => id === line.replacedId);
    return `replaces ${replaced ? nameOf(replaced) : 'another item'}: ${quantityText(line, 'picked')} at ${price}`;
  }
  const isRepriced = line.picked.unitPrice !== line.ordered.unitPrice;
  const repriced = isRepriced ? `, at ${price} instead of ${money(line.ordered.unitPrice, currency)}` : '';
  const [picked, ordered] = [quantityText(line, 'picked'), quantityText(line, 'ordered')];
  return picked === ordered ? `picked as ordered${repriced}` : `picked ${picked} instead of ${ordered}${repriced}`;
}

function quantityText(line: Line, which: 'picked' | 'ordered'): string {
  const { quantity, weight } = line[which];
  return weight === null ? String(quantity) : `${decimalNumber(weight)} kg`;
}

function money(value: Decimal, currency: string): string {
  return `${decimalNumber(value)} ${currency}`;
}
