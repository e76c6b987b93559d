import { randomUUID } from 'node:crypto';
import type { MarkInput, Order, OrderItem, PickingState } from '@aisle/sdk';
import { type Cart, isByWeight, type PickedProduct, type Pick } from './picks.ts';

type Line = PickingState['lines'][number];

/** The mark that shows the other pickers what happened to an item of the order. */
export function markOf(item: OrderItem, pick: Pick): MarkInput {
  if (pick.kind === 'not found') return mark(item._id, { state: 'NOT_FOUND' });
  if (pick.kind === 'found') return mark(item._id, { state: 'IN_CART', ...amountOf(isByWeight(item), pick.amount) });
  const { sku, isSoldByWeight, amount } = pick.by;
  return mark(item._id, { state: 'REPLACED', replacement: { sku, ...amountOf(isSoldByWeight, amount) } });
}

export function markOfAddition({ sku, isSoldByWeight, amount }: PickedProduct): MarkInput {
  return mark(randomUUID(), { state: 'ADDED', sku, ...amountOf(isSoldByWeight, amount) });
}

function mark(lineId: string, rest: Omit<MarkInput, 'mark_id' | 'line_id' | 'marked_at'>): MarkInput {
  return { mark_id: randomUUID(), line_id: lineId, marked_at: new Date().toISOString(), ...rest };
}

function amountOf(isSoldByWeight: boolean, amount: number): { weight: number } | { quantity: number } {
  return isSoldByWeight ? { weight: amount } : { quantity: amount };
}

/** What was marked before, by this picker or by others. */
export function cartFrom({ items }: Order, lines: readonly Line[]): Cart {
  const picks = new Map<string, Pick>();
  for (const item of items) {
    const pick = pickFrom(lines.find(({ line_id }) => line_id === item._id));
    if (pick) picks.set(item._id, pick);
  }
  const additions = lines.flatMap((line) =>
    line.state === 'ADDED' && line.sku !== null ? [productOf(line.sku, line)] : [],
  );
  return { picks, additions };
}

function pickFrom(line: Line | undefined): Pick | undefined {
  if (line?.state === 'NOT_FOUND') return { kind: 'not found' };
  if (line?.state === 'REPLACED' && line.replacement) {
    return { kind: 'replaced', by: productOf(line.replacement.sku, line.replacement) };
  }
  const amount = line?.weight ?? line?.quantity;
  return line?.state === 'IN_CART' && amount ? { kind: 'found', amount } : undefined;
}

/** The state has no titles. */
function productOf(sku: string, { weight, quantity }: Amount): PickedProduct {
  return { sku, title: sku, isSoldByWeight: weight !== null, amount: weight ?? quantity ?? 1 };
}

type Amount = { weight: number | null; quantity: number | null };
