import { createHash } from 'node:crypto';
import { type Decimal, decimal, decimalText } from '../../kernel/decimal.ts';
import { type Entry, readEntries } from './cart-entries.ts';
import { isOriginal, type Line } from './line.ts';
import { decideOriginal } from './original-lines.ts';
import type { Item } from './profile.ts';

/**
 * Names what a fulfilment asks for, the order of its items aside: two requests with the same name are the same.
 * Undefined where an item of the order cannot be understood, for that is no repetition of anything.
 */
export function fulfilmentName(status: string, items: Item[], lines: Line[], digits: number): string | undefined {
  const { entries, errors } = readEntries(items, lines.filter(isOriginal));
  if (errors.length > 0) return undefined;
  const parts: string[] = [];
  for (const entry of entries) {
    const part = entry.kind === 'original' ? originalName(entry, digits) : newName(entry);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return createHash('sha256')
    .update(JSON.stringify([status, parts.toSorted()]))
    .digest('hex');
}

function originalName(entry: Extract<Entry, { kind: 'original' }>, digits: number): string | undefined {
  const line = decideOriginal(entry, digits);
  if (Array.isArray(line)) return undefined;
  const { quantity, weight, unitPrice, total } = line.picked;
  return JSON.stringify([line.id, line.status, quantity, text(weight), text(unitPrice), text(total)]);
}

function newName({ kind, item }: Entry): string {
  const { quantity, weight, unit_price: price } = item.pricing ?? {};
  const amount = [item.sku, quantity ?? 1, weight === undefined ? null : text(decimal(weight))];
  if (kind === 'replacement') return JSON.stringify(['replacement', item.replaced_id, ...amount]);
  return JSON.stringify(['addition', ...amount, price === undefined ? null : text(decimal(price))]);
}

function text(value: Decimal | null): string | null {
  return value === null ? null : decimalText(value);
}
