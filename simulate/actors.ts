import { setTimeout as sleep } from 'node:timers/promises';
import { type OrderPlan, drawOrder, drawSend } from './order-plan.ts';
import type { Chain } from './populate.ts';
import type { Random } from './random.ts';
import type { Response, Sender } from './sender.ts';

export type Actors = {
  sender: Sender;
  chains: Chain[];
  platformToken: string;
  random: Random;
  isOver(): boolean;
};

/**
 * Simulates customers, pickers and riders. The order with a given number is the same in every run with the same seed,
 * but how many orders fit into a run depends on the machine.
 */
export async function runOrders(actors: Actors, concurrency: number): Promise<void> {
  let number = 0;
  const work = async () => {
    while (!actors.isOver()) {
      number += 1;
      const random = actors.random.fork(`order ${number}`);
      await runOrder(actors, drawOrder(random, actors), random);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

type Item = { _id: string; sku: string; pricing: { pricing_type: string; quantity: number; weight?: number } };
type Placed = { orderId: string; items: Item[] };

async function runOrder(actors: Actors, plan: OrderPlan & { chain: { tag: string } }, random: Random): Promise<void> {
  const chain = actors.chains.find(({ tag }) => tag === plan.chain.tag) as Chain;
  const order = await place(actors, chain, plan, random);
  if (!order) return;
  const change = { actors, chain, plan, order, random };
  await sleep(plan.pausesMs[0]);
  if (plan.cancelled === 'early') return cancel(change);
  if (plan.steps < 1) return;
  await Promise.all([
    pick(change),
    plan.cancelled === 'during' && plan.picking !== 'reject' ? cancel(change) : undefined,
  ]);
  if (random.chance(0.05)) await readAsStranger(change);
  if (plan.steps < 2 || plan.picking === 'reject') return;
  await sleep(plan.pausesMs[1]);
  if (plan.cancelled === 'late') return cancel(change);
  if (plan.isPickup) return report(change, 'collect');
  const isDelivered = chain.stores[plan.store]?.transport === 'LOGISTICS_DELIVERY';
  if (isDelivered) await report(change, 'pickup');
  await sleep(plan.pausesMs[2]);
  if (plan.steps > 2) await report(change, 'deliver');
}

/** Returns undefined if the order was rejected, or if it is unknown whether it was stored. */
async function place(actors: Actors, chain: Chain, plan: OrderPlan, random: Random): Promise<Placed | undefined> {
  const body = (id: string) => ({
    chain_id: chain.chainId,
    vendor_id: chain.vendors[plan.store],
    customer: { first_name: `${chain.tag} customer`, phone_number: '+971500000000' },
    items: plan.lines,
    payment: { type: 'PAID', delivery_fee: 5 },
    order_type: plan.isPickup ? 'PICKUP' : 'DELIVERY',
    comment: id,
  });
  const request = { method: 'POST', path: '/platform/v1/orders', token: actors.platformToken, body };
  const operation = await actors.sender.write({ chain: chain.tag, kind: 'place' }, request, drawSend(random));
  const orderId = operation.result?.orderId;
  if (operation.outcome !== 'acknowledged' || orderId === undefined) return undefined;
  const order = await readUntilFound(actors, chain, orderId);
  return order && { orderId, items: order.body.items };
}

async function readUntilFound({ sender }: Actors, chain: Chain, orderId: string): Promise<Response | undefined> {
  for (let tries = 0; tries < 60; tries++) {
    const response = await sender.read(chain.tag, chain.token, `${chain.base}/orders/${orderId}`);
    if (response?.status === 200) return response;
    await sleep(500);
  }
  return undefined;
}

type Change = { actors: Actors; chain: Chain; plan: OrderPlan; order: Placed; random: Random };

async function pick({ actors, chain, plan, order, random }: Change): Promise<void> {
  const isReject = plan.picking === 'reject';
  const status = chain.stores[plan.store]?.transport === 'VENDOR_DELIVERY' ? 'DISPATCHED' : 'READY_FOR_PICKUP';
  const body = isReject
    ? { status: 'CANCELLED', items: [], cancellation: { reason: 'ITEM_UNAVAILABLE' } }
    : { status, items: pickItems(plan, order.items, random) };
  const request = { method: 'PUT', path: `${chain.base}/orders/${order.orderId}`, token: chain.token, body };
  const kind = isReject ? 'reject' : 'fulfil';
  await actors.sender.write({ chain: chain.tag, kind, orderId: order.orderId }, request, drawSend(random));
}

function pickItems({ picking, others }: OrderPlan, items: Item[], random: Random): unknown[] {
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
  const stranger = random.pick(actors.chains.filter(({ tag }) => tag !== chain.tag));
  for (const base of [stranger.base, chain.base, '/v2']) {
    await actors.sender.read(stranger.tag, stranger.token, `${base}/orders/${order.orderId}`);
  }
}
