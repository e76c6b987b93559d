import type { Item, Order } from './types.ts';

/** What changed between two revisions of an order, for the picker who saw the first one. Pure. */
export type OrderChange =
  | { kind: 'added'; item: Item }
  | { kind: 'removed'; item: Item }
  | { kind: 'amount'; item: Item; before: Item }
  | { kind: 'status'; item: Item };

export function changesBetween(before: Order, after: Order): OrderChange[] {
  const old = new Map(before.items.map((item) => [item._id, item]));
  const kept = new Set(after.items.map(({ _id }) => _id));
  const changed = after.items.flatMap((item): OrderChange[] => {
    const known = old.get(item._id);
    if (!known) return [{ kind: 'added', item }];
    if (item.status !== known.status) return [{ kind: 'status', item }];
    return isSameAmount(item, known) ? [] : [{ kind: 'amount', item, before: known }];
  });
  const removed = before.items.filter(({ _id }) => !kept.has(_id));
  return [...changed, ...removed.map((item): OrderChange => ({ kind: 'removed', item }))];
}

function isSameAmount({ pricing: a }: Item, { pricing: b }: Item): boolean {
  return a.quantity === b.quantity && a.weight === b.weight;
}
