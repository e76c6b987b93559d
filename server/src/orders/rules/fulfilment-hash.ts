import { createHash } from 'node:crypto';
import { type Decimal, decimal, decimalText } from '../../kernel/values/decimal.ts';
import { type Entry, readEntries } from './cart-entries.ts';
import { isOriginal, type Line } from './line.ts';
import { applyToOriginal } from './original-lines.ts';
import type { Item } from './read-put.ts';

/**
 * A hash of a fulfilment request that does not depend on the order of its items. Requests with equal hashes are
 * repetitions of each other. Undefined if an item is invalid, because such a request is never a repetition.
 */
export function fulfilmentHash(status: string, items: Item[], lines: Line[], digits: number): string | undefined {
  const { entries, errors } = readEntries(items, lines.filter(isOriginal));
  if (errors.length > 0) return undefined;
  const parts: string[] = [];
  for (const entry of entries) {
    const part = entry.kind === 'original' ? originalKey(entry, digits) : newItemKey(entry);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return createHash('sha256')
    .update(JSON.stringify([status, parts.toSorted()]))
    .digest('hex');
}

function originalKey(entry: Extract<Entry, { kind: 'original' }>, digits: number): string | undefined {
  const line = applyToOriginal(entry, digits);
  if (Array.isArray(line)) return undefined;
  const { quantity, weight, unitPrice, total } = line.picked;
  return JSON.stringify([line.id, line.status, quantity, text(weight), text(unitPrice), text(total)]);
}

/** Contains every field that can be invalid, so that an invalid request never has the same hash as an accepted one. */
function newItemKey({ kind, item }: Entry): string {
  const { pricing_type: type, weight, unit_price: price, total_price: total } = item.pricing ?? {};
  const quantity = item.pricing?.quantity ?? (type === 'KG' ? 1 : null);
  const sent = (value: number | undefined) => (value === undefined ? null : text(decimal(value)));
  const amount = [item.status, item.sku, type, quantity, type === 'KG' ? sent(weight) : null];
  if (kind === 'replacement') return JSON.stringify([kind, item.replaced_id, ...amount]);
  return JSON.stringify([kind, ...amount, sent(price), sent(total)]);
}

function text(value: Decimal | null): string | null {
  return value === null ? null : decimalText(value);
}
