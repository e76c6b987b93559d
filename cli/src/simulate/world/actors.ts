import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from './chain.ts';
import { orderedItem, type PickedItem, pickedItems } from './order-items.ts';
import { type OrderPlan, drawOrder, drawSend } from './order-plan.ts';
import type { Random } from './random.ts';
import type { Sender } from './sender.ts';

export type Actors = {
  sender: Sender;
  chains: Chain[];
  platformToken: string;
  random: Random;
  isOver(): boolean;
  /** Multiplies the pauses between the steps of an order. */
  pace: number;
  /** Runs the work as soon as a picker is free. Returns false if the pickers have left. */
  asPicker(work: () => Promise<void>): Promise<boolean>;
};

/**
 * Simulates customers, pickers and riders, with a fixed number of orders at a time. How many orders fit into a run
 * depends on the machine.
 */
export async function runOrders(actors: Actors, concurrency: number): Promise<void> {
  let number = 0;
  const work = async () => {
    while (!actors.isOver()) {
      number += 1;
      const change = await placeOrder(actors, number);
      if (change) await finishOrder(change);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Everything that is known about an order while it is handled. */
export type Change = { actors: Actors; chain: Chain; plan: OrderPlan; order: Placed; random: Random };

/**
 * Places the order with this number, which is the same in every run with the same seed. Returns undefined if it was
 * rejected, or if it is unknown whether it was stored.
 */
export async function placeOrder(actors: Actors, number: number): Promise<Change | undefined> {
  const random = actors.random.fork(`order ${number}`);
  const plan = drawOrder(random, actors);
  const chain = actors.chains.find(({ tag }) => tag === plan.chain.tag) as Chain;
  const order = await place(actors, chain, plan, random);
  return order && { actors, chain, plan, order, random };
}

/** The store picks the order and the rider delivers it, unless the customer or the store cancels it. */
export async function finishOrder(change: Change): Promise<void> {
  const { actors, chain, plan, random } = change;
  const pause = (step: 0 | 1 | 2) => sleep((plan.pausesMs[step] ?? 0) * actors.pace);
  if (plan.cancelled === 'early') {
    await pause(0);
    return cancel(change);
  }
  if (plan.steps < 1) return;
  const isPicked = await actors.asPicker(async () => {
    await pause(0);
    const isCancelledNow = plan.cancelled === 'during' && plan.picking !== 'reject';
    await Promise.all([pick(change), isCancelledNow ? cancel(change) : undefined]);
  });
  if (!isPicked) return;
  if (random.chance(0.05)) await readAsStranger(change);
  if (plan.steps < 2 || plan.picking === 'reject') return;
  await pause(1);
  if (plan.cancelled === 'late') return cancel(change);
  if (plan.isPickup) return report(change, 'collect');
  const isDelivered = chain.stores[plan.store]?.transport === 'LOGISTICS_DELIVERY';
  if (isDelivered) await report(change, 'pickup');
  await pause(2);
  if (plan.steps > 2) await report(change, 'deliver');
}

type Item = { _id: string; sku: string; pricing: { pricing_type: string; quantity: number; weight?: number } };
type Placed = { orderId: string; items: Item[] };

async function place(actors: Actors, chain: Chain, plan: OrderPlan, random: Random): Promise<Placed | undefined> {
  const vendorId = chain.vendors[plan.store] ?? '';
  const body = (id: string) => ({
    chain_id: chain.chainId,
    vendor_id: vendorId,
    customer: { first_name: `${chain.tag} customer`, phone_number: '+971500000000' },
    items: plan.lines,
    payment: { type: 'PAID', delivery_fee: 5 },
    order_type: plan.isPickup ? 'PICKUP' : 'DELIVERY',
    comment: id,
  });
  const request = { method: 'POST', path: '/platform/v1/orders', token: actors.platformToken, body };
  const given = { chain: chain.tag, kind: 'place', vendorId, items: plan.lines.map(orderedItem) } as const;
  const { operation, body: order } = await actors.sender.write(given, request, drawSend(random));
  if (operation.outcome !== 'acknowledged') return undefined;
  return { orderId: order.order_id, items: order.items };
}

async function pick({ actors, chain, plan, order, random }: Change): Promise<void> {
  const isReject = plan.picking === 'reject';
  const status = chain.stores[plan.store]?.transport === 'VENDOR_DELIVERY' ? 'DISPATCHED' : 'READY_FOR_PICKUP';
  const items = isReject ? [] : pickItems(plan, order.items, random);
  const body = isReject
    ? { status: 'CANCELLED', items, cancellation: { reason: 'ITEM_UNAVAILABLE' } }
    : { status, items };
  const request = { method: 'PUT', path: `${chain.base}/orders/${order.orderId}`, token: chain.token, body };
  const { tag } = chain;
  if (plan.isMistaken && !isReject) {
    const added = { sku: unknownSku, status: 'ADDITION', pricing: { pricing_type: 'UNIT', quantity: 1 } };
    const mistaken = { ...request, body: { ...body, items: [...items, added] } };
    await actors.sender.write({ chain: tag, kind: 'mistake', orderId: order.orderId }, mistaken, drawSend(random));
  }
  const given = isReject ? ({ kind: 'reject' } as const) : ({ kind: 'fulfil', items: pickedItems(items) } as const);
  await actors.sender.write({ chain: tag, orderId: order.orderId, ...given }, request, drawSend(random));
}

const unknownSku = 'NO-SUCH-PRODUCT';

function pickItems({ picking, others }: OrderPlan, items: Item[], random: Random): PickedItem[] {
  const picked = items.map((item, index) => pickItem(item, picking === 'partial', index > 0, random));
  const [sku] = others;
  const added = { sku, pricing: { pricing_type: 'UNIT', quantity: random.integer(1, 3) } };
  if (sku === undefined) return picked;
  if (picking === 'add') return [...picked, { ...added, status: 'ADDITION' }];
  const [first, ...rest] = picked;
  const isReplaceable = items[0]?.pricing.pricing_type === 'UNIT';
  if (picking !== 'replace' || !first || !isReplaceable) return picked;
  const replaced = { ...first, status: 'REPLACED', pricing: { pricing_type: 'UNIT' } };
  return [replaced, { ...added, status: 'IN_CART', replaced_id: first._id }, ...rest];
}

/** The first item is always found, because an order without any items cannot be fulfilled. */
function pickItem({ _id, pricing }: Item, isPartial: boolean, canBeMissing: boolean, random: Random) {
  const { pricing_type, quantity, weight } = pricing;
  if (isPartial && canBeMissing && random.chance(0.3)) return { _id, status: 'NOT_FOUND', pricing: { pricing_type } };
  // The weight differs from the ordered one by up to a tenth.
  if (weight !== undefined) {
    const weighed = Math.round(weight * random.integer(900, 1100)) / 1000;
    return { _id, status: 'IN_CART', pricing: { pricing_type, weight: weighed } };
  }
  return {
    _id,
    status: 'IN_CART',
    pricing: { pricing_type, quantity: isPartial ? random.integer(1, quantity) : quantity },
  };
}

async function cancel({ actors, chain, order, random }: Change): Promise<void> {
  const path = `/platform/v1/orders/${order.orderId}/cancel`;
  const body = { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' };
  const request = { method: 'POST', path, token: actors.platformToken, body };
  await actors.sender.write({ chain: chain.tag, kind: 'cancel', orderId: order.orderId }, request, drawSend(random));
}

async function report({ actors, chain, order, random }: Change, kind: 'pickup' | 'deliver' | 'collect'): Promise<void> {
  const path = `/platform/v1/orders/${order.orderId}/${kind}`;
  const request = { method: 'POST', path, token: actors.platformToken };
  await actors.sender.write({ chain: chain.tag, kind, orderId: order.orderId }, request, drawSend(random));
}

/** Another chain tries to read the order. The sender reports a violation if the response contains the order's data. */
async function readAsStranger({ actors, chain, order, random }: Change): Promise<void> {
  const strangers = actors.chains.filter(({ tag }) => tag !== chain.tag);
  if (strangers.length === 0) return;
  const stranger = random.pick(strangers);
  for (const base of [stranger.base, chain.base, '/v2']) {
    await actors.sender.read(stranger.tag, stranger.token, `${base}/orders/${order.orderId}`);
  }
}
