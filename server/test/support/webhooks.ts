import assert from 'node:assert/strict';
import { exampleSnapshot, type OrderSnapshot } from '@aisle/contract/order';
import { recordEvent } from '../../src/events/index.ts';
import type { Database } from '../../src/kernel/database/db.ts';
import { newId } from '../../src/kernel/values/ids.ts';
import type { Response, TestAisle, TestChain } from './aisle.ts';
import { makeChain } from './chain.ts';
import { waitFor } from './wait.ts';

/** Sets this URL as the webhook of the chain or of one vendor. */
export async function setWebhook(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  body: Record<string, unknown>,
  vendor?: string,
): Promise<Response['body']> {
  const path = vendor === undefined ? `${chain.base}/webhook` : `${chain.base}/vendors/${vendor}/webhook`;
  const response = await aisle.call('PUT', path, { token: chain.token, body: { environment: 'production', ...body } });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

type OrderChange = {
  orderId: string;
  status: keyof typeof eventTypeOf;
  revision: number;
  order: Partial<OrderSnapshot>;
};

/** Records the event for an order change without creating the order. Returns the order's id. */
export async function changeOrder(
  { db }: { db: Database },
  chain: TestChain,
  change: Partial<OrderChange> & { vendor?: string | undefined } = {},
): Promise<string> {
  const { orderId = newId(), vendor = chain.vendors[0] ?? null } = change;
  const event = { ...orderEvent({ ...change, orderId }), vendorId: vendor, about: { orderId } };
  await db.transaction((tx) => recordEvent(tx, chain.chainId, event));
  return orderId;
}

/** Returns the event for an order change, with a complete body. */
export function orderEvent({ orderId = newId(), status = 'RECEIVED', revision = 1, order = {} }: Partial<OrderChange>) {
  const type = eventTypeOf[status];
  const body: OrderSnapshot = { ...exampleSnapshot, ...order, order_id: orderId, status, revision };
  return type === 'order.cancelled' ? { type, body: { ...body, post_pickup_flag: false } } : { type, body };
}

const eventTypeOf = {
  RECEIVED: 'order.received',
  READY_FOR_PICKUP: 'order.ready_for_pickup',
  DISPATCHED: 'order.dispatched',
  DELIVERED: 'order.delivered',
  CANCELLED: 'order.cancelled',
} as const;

/** An order's statuses from placement to delivery. */
export const orderStatuses = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'] as const;

/** Reads an order's deliveries, oldest first. */
export async function deliveriesOf(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  orderId: string,
): Promise<Response['body'][]> {
  const response = await aisle.call('GET', `${chain.base}/deliveries?order_id=${orderId}`, { token: chain.token });
  assert.equal(response.status, 200, response.text);
  return response.body.deliveries.toReversed();
}

export async function getDelivery(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  id: string,
): Promise<Response['body']> {
  const response = await aisle.call('GET', `${chain.base}/deliveries/${id}`, { token: chain.token });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** Waits until all of the order's deliveries have one of these statuses, and returns them. */
export async function waitForDeliveries(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  orderId: string,
  ...statuses: string[]
): Promise<Response['body'][]> {
  let found: Response['body'][] = [];
  await waitFor(`deliveries ${statuses.join(', ')}`, async () => {
    found = await deliveriesOf(aisle, chain, orderId);
    return found.length === statuses.length && found.every(({ status }, index) => status === statuses[index]);
  });
  return found;
}

/** Makes all pending retries due now. */
export async function makeRetriesDue({ db }: { db: Database }): Promise<void> {
  await db.query('update delivery_lanes set due_at = now() where not is_leased');
}

/** By the time that an attempt of another chain, to this URL, is recorded, so are those that ended before. */
export async function untilRecorded(aisle: Pick<TestAisle, 'call' | 'db'>, url: string): Promise<void> {
  const other = await makeChain(aisle);
  await setWebhook(aisle, other, { production_url: url });
  await waitForDeliveries(aisle, other, await changeOrder(aisle, other), 'DELIVERED');
}
