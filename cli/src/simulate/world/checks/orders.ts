import type { Change, Evidence } from '../evidence.ts';
import { groupBy } from '../group-by.ts';
import { type History, type Operation, orderDigest, type Violation } from '../history.ts';
import { orderedItems, pickedItems } from '../order-items.ts';
import type { WalkedOrder } from '../readers.ts';

/**
 * Every order is at the store to which it was sent, with the items that were ordered and picked, and has not changed
 * since its last revision.
 */
export function checkOrders(history: History, { orders, changes, feed }: Evidence): Violation[] {
  const placed = new Map(history.operations.filter(({ kind }) => kind === 'place').map((each) => [each.id, each]));
  const picked = groupBy(
    history.operations.filter(({ kind }) => kind === 'fulfil'),
    ({ orderId }) => orderId,
  );
  const changesOf = groupBy(changes, ({ order_id }) => order_id);
  const snapshots = new Map<string, string | undefined>([
    ...feed.map((event) => [`${event.orderId} ${event.revision}`, event.snapshot] as const),
    ...history.operations.map(({ result }) => [`${result?.orderId} ${result?.revision}`, result?.snapshot] as const),
  ]);
  return orders.flatMap(({ order }) => [
    ...checkPlacement(order, placed.get(order.comment)),
    ...checkPicking(order, changesOf.get(order.order_id) ?? [], picked.get(order.order_id) ?? []),
    ...checkSnapshot(order, snapshots.get(`${order.order_id} ${order.revision}`)),
  ]);
}

const rule = 'orders contain what was sent';

function checkPlacement(order: WalkedOrder, operation: Operation | undefined): Violation[] {
  const { vendorId, items } = operation ?? {};
  const atStore = vendorId === undefined || order.client.store_id === vendorId;
  return [
    ...(atStore ? [] : [violation(rule, order, `it is at the store ${order.client.store_id}, not ${vendorId}`)]),
    ...compare(order, 'ordered', orderedItems(order.items), items),
  ];
}

function checkPicking(order: WalkedOrder, changes: Change[], operations: Operation[]): Violation[] {
  const isPicked = ({ from_status: from, to_status: to }: Change) => from === 'RECEIVED' && to !== 'CANCELLED';
  const [operation] = operations;
  return changes.some(isPicked) ? compare(order, 'picked', pickedItems(order.items), operation?.items) : [];
}

function compare(order: WalkedOrder, what: string, stored: string[], sent: string[] | undefined): Violation[] {
  if (sent === undefined || stored.toSorted().join() === sent.toSorted().join()) return [];
  return [violation(rule, order, `${stored.join(', ')} are ${what}, but ${sent.join(', ')} were sent`)];
}

function checkSnapshot(order: WalkedOrder, snapshot: string | undefined): Violation[] {
  if (snapshot === undefined || snapshot === orderDigest(order)) return [];
  return [
    violation('orders match events', order, `it differs from the event or response with revision ${order.revision}`),
  ];
}

function violation(name: string, { order_id: id }: WalkedOrder, problem: string): Violation {
  return { rule: name, message: `order ${id}: ${problem}`, subject: id };
}
