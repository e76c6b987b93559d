import { readDevice, writeDevice } from './device.ts';
import { type Draft, isTaken } from './draft.ts';
import { findDraft, listDrafts, removeDraft } from './drafts.ts';
import { codeOf, pause, request } from './request.ts';
import { viewOf } from './route.ts';
import { ownKey, session } from './session.ts';
import { createStore } from './store.ts';
import { loadDraft, sendAllDrafts } from './sync.ts';
import type { QueuedOrder } from './types.ts';

export type Queue = { orders: QueuedOrder[]; serverTime: number; receivedAt: number };

/** The orders that wait for picking, or undefined until they have been loaded once. */
export const queue = createStore<Queue | undefined>(undefined);

/** The current time at the server, because clocks of devices are often wrong. */
export function serverNow({ serverTime, receivedAt }: Queue): number {
  return serverTime + (Date.now() - receivedAt);
}

/** The orders that are done or cancelled, as this device knows. A queue that was requested before can still contain them. */
const closed = new Set<string>();

/** Removes an order that is done or cancelled from the device. */
export function closeOrder(orderId: string): void {
  removeDraft(orderId);
  closed.add(orderId);
  const current = queue.get();
  if (current) store({ ...current, orders: current.orders.filter(({ order_id }) => order_id !== orderId) });
}

type Callbacks = { onNew(orders: QueuedOrder[]): void };

/** Loads the queue again and again until the signal is aborted, and keeps its orders on the device. */
export async function followQueue(signal: AbortSignal, { onNew }: Callbacks): Promise<void> {
  queue.set(readDevice(ownKey('queue')) as Queue | undefined);
  let known: Set<string> | undefined;
  while (!signal.aborted && session.get()) {
    try {
      const { orders: queued, server_time } = await request('listPickingQueue', { query: {} }, { signal });
      const orders = queued.filter(({ order_id }) => !closed.has(order_id));
      store({ orders, serverTime: Date.parse(server_time), receivedAt: Date.now() });
      const added = known ? orders.filter(({ order_id }) => !known?.has(order_id)) : [];
      known = new Set(orders.map(({ order_id }) => order_id));
      if (added.length > 0) onNew(added);
      sendAllDrafts();
      await checkDrafts(known);
      await storeOrders(orders, signal);
    } catch {
      // The banner says that the server cannot be reached. The next attempt follows.
    }
    await pause(document.hidden ? 15_000 : 4000, signal);
  }
}

function store(next: Queue): void {
  queue.set(next);
  writeDevice(ownKey('queue'), next);
}

/** Orders to keep on the device, so that they open without a network. */
const maxStored = 20;

async function storeOrders(orders: readonly QueuedOrder[], signal: AbortSignal): Promise<void> {
  for (const { order_id } of orders.slice(0, maxStored)) {
    if (signal.aborted) return;
    if (!findDraft(order_id) && !closed.has(order_id)) await loadDraft(order_id);
  }
}

/**
 * An order that is no longer in the queue was fulfilled or cancelled. If this user was picking it, it stays on the device
 * until they have seen what happened.
 */
async function checkDrafts(queued: ReadonlySet<string>): Promise<void> {
  const view = viewOf(location.pathname);
  for (const draft of listDrafts()) {
    const { order_id } = draft.order;
    const isShown = view.name === 'order' && view.orderId === order_id;
    if (queued.has(order_id) || isShown || draft.seenBefore) continue;
    if (!isOwn(draft) || draft.order.status !== 'RECEIVED') removeDraft(order_id);
    else await loadDraft(order_id).catch((error: unknown) => removeLost(order_id, error));
  }
}

/** The user no longer has access to the order's store, or the order is too old. */
function removeLost(orderId: string, error: unknown): void {
  if (codeOf(error) !== 'order_not_found') throw error;
  removeDraft(orderId);
}

/** A picker whose order was taken over knows that others complete it. */
function isOwn(draft: Draft): boolean {
  const { unsent, picking } = draft;
  const isPicker = picking?.pickers.some(({ is_me }) => is_me) ?? false;
  const hasMarked = picking?.lines.some(({ marked_by }) => marked_by.is_me) ?? false;
  return unsent.length > 0 || isPicker || (hasMarked && !isTaken(draft));
}
