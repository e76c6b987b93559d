import assert from 'node:assert/strict';
import type { Response, TestAisle } from './aisle.ts';
import { makeChain, type TestChain } from './chain.ts';
import { addProducts } from './catalog.ts';
import { assertProblem } from './problem.ts';

/** Returns the request body for a new order. `more` overrides the defaults. */
export function newOrder<Item>(chain: TestChain, items: Item[], more: Record<string, unknown> = {}) {
  return {
    chain_id: chain.chainId,
    vendor_id: String(chain.vendors[0]),
    customer: { first_name: 'Sam', phone_number: '+971500000000' },
    items,
    payment: { type: 'PAID' as const },
    ...more,
  };
}

/** Places an order as the platform and returns it. */
export async function placeOrder(
  aisle: TestAisle,
  chain: TestChain,
  items: unknown[],
  more: Record<string, unknown> = {},
): Promise<Response['body']> {
  const response = await aisle.call('POST', '/platform/v1/orders', {
    token: aisle.platformToken,
    body: newOrder(chain, items, more),
  });
  assert.equal(response.status, 201, response.text);
  return response.body;
}

export function putOrder(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  orderId: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return aisle.call('PUT', `${chain.base}/orders/${orderId}`, { token: chain.token, headers, body });
}

/** Reports a platform action: pickup, deliver, collect or cancel. Only cancel has a body. */
export function report(aisle: TestAisle, orderId: string, action: string, body?: unknown): Promise<Response> {
  return aisle.call('POST', `/platform/v1/orders/${orderId}/${action}`, {
    token: aisle.platformToken,
    ...(body !== undefined && { body }),
  });
}

/** Reads an order's events with their bodies, oldest first. */
export function readEvents(
  { db }: Pick<TestAisle, 'db'>,
  orderId: string,
): Promise<{ type: string; body: Response['body'] }[]> {
  return db.query(`select type, body from events where body->>'order_id' = $1 order by event_no`, [orderId]);
}

/** Returns the order as it appears in its events, without `allowed_actions`. */
export function snapshot(order: Response['body']): Response['body'] {
  return Object.fromEntries(Object.entries(order).filter(([name]) => name !== 'allowed_actions'));
}

/** Returns all items in the order, picked as ordered. */
export function allPicked(
  order: Response['body'],
): { _id: string; status: 'IN_CART'; pricing: { pricing_type: 'UNIT' | 'KG' } }[] {
  return order.items.map((item: Response['body']) => ({
    _id: item._id,
    status: 'IN_CART',
    pricing: { pricing_type: item.pricing.pricing_type },
  }));
}

/** Creates a chain, by default with one store, and products sold by the piece and by weight, one of them inactive. */
export async function makeShop(
  aisle: TestAisle,
  options: {
    profile?: 'strict' | 'tolerant';
    currency?: string;
    vendors?: number;
    settings?: Record<string, unknown>;
  } = {},
): Promise<TestChain> {
  const chain = await makeChain(aisle, { vendors: 1, ...options });
  await addProducts(aisle, chain, [
    { sku: 'MILK', title: 'Milk', price: 2.5, barcode: '6291000000017' },
    { sku: 'BREAD', title: 'Bread', price: 4 },
    { sku: 'TEA', title: 'Tea', price: 3.99 },
    { sku: 'OLD', title: 'Old tea', price: 2, active: false, quantity: 0, maximum_sales_quantity: 0 },
    { sku: 'HAM', title: 'Ham', price: 10, is_sold_by_weight: true },
    { sku: 'CHEESE', title: 'Cheese', price: 24.9, is_sold_by_weight: true },
  ]);
  if (options.settings) await changeVendor(aisle, chain, { settings: options.settings });
  return chain;
}

/** Changes settings of the chain's first store through the platform API. */
export async function changeVendor(aisle: TestAisle, chain: TestChain, body: unknown): Promise<void> {
  const path = `/platform/v1/chains/${chain.chainId}/vendors/${chain.vendors[0]}`;
  const response = await aisle.call('PATCH', path, { token: aisle.platformToken, body });
  assert.equal(response.status, 200, response.text);
}

export function itemOf(order: Response['body'], sku: string): Response['body'] {
  const items = order.items.filter((item: Response['body']) => item.sku === sku);
  assert.equal(items.length, 1, `${items.length} items with the SKU ${sku}`);
  return items[0];
}

/** Returns an item in the order as a picking device sends it. By default, the item is picked. */
export function sentItem(
  order: Response['body'],
  sku: string,
  pricing: Record<string, unknown> = {},
  status = 'IN_CART',
): Response['body'] {
  const { _id, pricing: own } = itemOf(order, sku);
  return { _id, status, pricing: { pricing_type: own.pricing_type, ...pricing } };
}

export const notFound = (order: Response['body'], sku: string) => sentItem(order, sku, {}, 'NOT_FOUND');

/** Returns the item with the status REPLACED, and its replacement. */
export function replaced(
  order: Response['body'],
  sku: string,
  by: string,
  pricing: Record<string, unknown>,
): Response['body'][] {
  const old = sentItem(order, sku, {}, 'REPLACED');
  const pricing_type = by === 'HAM' || by === 'CHEESE' ? 'KG' : 'UNIT';
  return [old, { sku: by, status: 'IN_CART', replaced_id: old._id, pricing: { pricing_type, ...pricing } }];
}

export function added(sku: string, pricing: Record<string, unknown>): Response['body'] {
  const pricing_type = sku === 'HAM' || sku === 'CHEESE' ? 'KG' : 'UNIT';
  return { sku, status: 'ADDITION', pricing: { pricing_type, ...pricing } };
}

/** Sends the items with the status that fulfils this order. */
export function fulfil(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  order: Response['body'],
  items: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const status = order.transport_type === 'VENDOR_DELIVERY' ? 'DISPATCHED' : 'READY_FOR_PICKUP';
  return putOrder(aisle, chain, order.order_id, { order_id: order.order_id, status, items }, headers);
}

/** Sends a fulfilment that must succeed, and returns the order. */
export async function fulfilled(
  aisle: TestAisle,
  chain: TestChain,
  order: Response['body'],
  items: unknown,
): Promise<Response['body']> {
  const response = await fulfil(aisle, chain, order, items);
  assert.equal(response.status, 200, response.text);
  return response.body;
}

export function validate(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  order: Response['body'],
  items: unknown,
): Promise<Response> {
  return putOrder(aisle, chain, order.order_id, { status: 'UPDATE_CART', items });
}

export async function readOrder(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  orderId: string,
): Promise<Response['body']> {
  const response = await aisle.call('GET', `${chain.base}/orders/${orderId}`, { token: chain.token });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

/** Reads the types of the order's events, without the `order.` prefix. */
export async function eventNames(aisle: Pick<TestAisle, 'db'>, orderId: string): Promise<string[]> {
  return (await readEvents(aisle, orderId)).map(({ type }) => type.replace(/^order\./, ''));
}

/** Checks that the cart is rejected for these reasons (`pointer code`), with no change to the order and no event. */
export async function assertCartRejected(
  aisle: TestAisle,
  chain: TestChain,
  order: Response['body'],
  response: Response,
  ...reasons: string[]
): Promise<void> {
  const isUnknown = reasons.every((reason) => reason.endsWith(' unknown_sku'));
  assertProblem(response, isUnknown ? 'item_not_found' : 'invalid_cart_update');
  const found = response.body.errors.map((error: Response['body']) => `${error.pointer} ${error.code}`);
  assert.deepEqual(found.toSorted(), reasons.toSorted(), response.text);
  await assertUnchanged(aisle, chain, order);
}

export async function assertUnchanged(aisle: TestAisle, chain: TestChain, order: Response['body']): Promise<void> {
  assert.deepEqual(await readOrder(aisle, chain, order.order_id), order);
  assert.deepEqual(await eventNames(aisle, order.order_id), ['received']);
}

/** Checks that the payment equals the sum of the line items and fees, computed in thousandths. */
export function assertSums(order: Response['body']): void {
  const thousandths = (value: number) => Math.round(value * 1000);
  const counted = order.items.filter((item: Response['body']) => !['NOT_FOUND', 'REPLACED'].includes(item.status));
  const sum = (values: number[]) => values.reduce((total, value) => total + thousandths(value), 0);
  const { payment } = order;
  const subTotal = sum(counted.map((item: Response['body']) => item.pricing.total_price));
  const discount = sum(counted.map((item: Response['body']) => item.discount));
  assert.equal(thousandths(payment.sub_total), subTotal);
  assert.equal(thousandths(payment.discount), discount);
  const fees = thousandths(payment.delivery_fee) + thousandths(payment.service_fee);
  assert.equal(thousandths(payment.order_total), subTotal - discount + fees);
}

export function ageOrder({ db }: Pick<TestAisle, 'db'>, orderId: string, createdAt: Date): Promise<unknown> {
  return db.query('update orders set created_at = $2 where order_id = $1', [orderId, createdAt]);
}
