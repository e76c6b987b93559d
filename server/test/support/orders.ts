import assert from 'node:assert/strict';
import type { Answer, TestAisle, TestChain } from './aisle.ts';

/** The body of a placed order; whatever is not given is plain. */
export function newOrder(chain: TestChain, items: unknown[], more: Record<string, unknown> = {}) {
  return {
    chain_id: chain.chainId,
    vendor_id: chain.vendors[0],
    customer: { first_name: 'Sam', phone_number: '+971500000000' },
    items,
    payment: { type: 'PAID' },
    ...more,
  };
}

/** Places an order as the platform; the order as it was answered. */
export async function placeOrder(
  aisle: TestAisle,
  chain: TestChain,
  items: unknown[],
  more: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const answer = await aisle.call('POST', '/platform/v1/orders', {
    token: aisle.platformToken,
    body: newOrder(chain, items, more),
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

export function putOrder(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  orderId: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return aisle.call('PUT', `${chain.base}/orders/${orderId}`, { token: chain.token, headers, body });
}

/** The platform reports: pickup, deliver, collect, or cancel with its body. */
export function report(aisle: TestAisle, orderId: string, action: string, body?: unknown): Promise<Answer> {
  return aisle.call('POST', `/platform/v1/orders/${orderId}/${action}`, {
    token: aisle.platformToken,
    ...(body !== undefined && { body }),
  });
}

/** The events of an order in the order they were recorded, with their bodies. */
export function readEvents(
  { db }: Pick<TestAisle, 'db'>,
  orderId: string,
): Promise<{ type: string; body: Answer['body'] }[]> {
  return db.query(`select type, body from events where body->>'order_id' = $1 order by event_no`, [orderId]);
}

/** Every item of the order as picked as ordered. */
export function allPicked(order: Answer['body']): { _id: string; status: string; pricing: { pricing_type: string } }[] {
  return order.items.map((item: Answer['body']) => ({
    _id: item._id,
    status: 'IN_CART',
    pricing: { pricing_type: item.pricing.pricing_type },
  }));
}
