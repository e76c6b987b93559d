import { decimalNumber } from '../../kernel/values/decimal.ts';
import { type Line, nameOf } from './line.ts';

export type ItemChange = { _id: string; sku: string; name: string; change: string };

/** Describes what picking changed in each line. */
export function describePicking(before: Line[], after: Line[]): ItemChange[] {
  const known = new Map(before.map((line) => [line.id, line]));
  return after.map((line) => ({
    _id: line.id,
    sku: line.sku,
    name: line.name,
    change: describe(line, known.has(line.id), before),
  }));
}

function describe(line: Line, isKnown: boolean, before: Line[]): string {
  if (line.status === 'NOT_FOUND') return 'not found';
  if (line.status === 'REPLACED') return 'replaced by another item';
  if (line.status === 'ADDITION') return `added: ${quantityText(line, 'picked')} at ${price(line)}`;
  if (!isKnown) {
    const replaced = before.find(({ id }) => id === line.replacedId);
    return `replaces ${replaced ? nameOf(replaced) : 'another item'}: ${quantityText(line, 'picked')} at ${price(line)}`;
  }
  const isRepriced = line.picked.unitPrice !== line.ordered.unitPrice;
  const repriced = isRepriced ? `, at ${price(line)} instead of ${decimalNumber(line.ordered.unitPrice)}` : '';
  const [picked, ordered] = [quantityText(line, 'picked'), quantityText(line, 'ordered')];
  return picked === ordered ? `picked as ordered${repriced}` : `picked ${picked} instead of ${ordered}${repriced}`;
}

function quantityText(line: Line, which: 'picked' | 'ordered'): string {
  const { quantity, weight } = line[which];
  return weight === null ? String(quantity) : `${decimalNumber(weight)} kg`;
}

function price(line: Line): number {
  return decimalNumber(line.picked.unitPrice);
}
