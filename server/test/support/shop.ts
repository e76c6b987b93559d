import { type Response, type TestAisle, type TestChain, useAisle } from './aisle.ts';
import { addProducts } from './catalog.ts';
import { assertCartRejected, fulfil, makeShop, sentItem, placeOrder } from './orders.ts';

/** A server with a shop for all tests in a file, and the operations that these tests share. */
export type Shop = {
  aisle: TestAisle;
  chain: TestChain;
  place(items: unknown[], more?: Record<string, unknown>): Promise<Response['body']>;
  /** Places an order for three cartons of milk at 2.50, two loaves of bread at 4 and one kilogram of ham at 10. */
  placeBasket(more?: Record<string, unknown>): Promise<Response['body']>;
  send(order: Response['body'], ...items: unknown[]): Promise<Response>;
  /** Checks that the items are rejected for these reasons, and that the order is unchanged. */
  assertRejected(order: Response['body'], items: unknown[], ...reasons: string[]): Promise<void>;
};

/** Starts the server and creates the shop. The shop's second store sells `ELSEWHERE`, which the first does not have. */
export async function startShop(): Promise<Shop> {
  const aisle = await useAisle();
  const chain = await makeShop(aisle, { vendors: 2 });
  await addProducts(aisle, chain, [{ sku: 'ELSEWHERE', title: 'Sold elsewhere', price: 1 }], [chain.vendors[1] ?? '']);
  const place: Shop['place'] = (items, more = {}) => placeOrder(aisle, chain, items, more);
  const send: Shop['send'] = (order, ...items) => fulfil(aisle, chain, order, items);
  return {
    aisle,
    chain,
    place,
    placeBasket: (more) => place(basket, more),
    send,
    assertRejected: async (order, items, ...reasons) =>
      assertCartRejected(aisle, chain, order, await send(order, ...items), ...reasons),
  };
}

const basket = [
  { sku: 'MILK', quantity: 3 },
  { sku: 'BREAD', quantity: 2 },
  { sku: 'HAM', weight: 1 },
];

/** Returns the basket as ordered, except for this item. */
export function basketExcept(
  order: Response['body'],
  sku: string,
  pricing: Record<string, unknown>,
  status = 'IN_CART',
): Response['body'][] {
  return basket.map((one) => (one.sku === sku ? sentItem(order, sku, pricing, status) : sentItem(order, one.sku)));
}
