import type { Body } from '../api/operations.ts';
import type { Item, Order } from './order.ts';

/** The items picked for an order so far, before the request is sent. All functions here are pure. */
export type Product = { sku: string; name: string; picture?: string | undefined; isSoldByWeight: boolean };
export type Amount = { quantity: number; weight: number };

export type Pick = { itemId: string; state: 'open' | 'found' | 'missing' | 'replaced'; amount: Amount; by?: Extra };
export type Extra = { key: string; product: Product; amount: Amount };
export type Cart = { picks: Pick[]; additions: Extra[] };

type Put = Body<'putOrder'>;
type PutItem = NonNullable<Put['items']>[number];

export function emptyCart(order: Order): Cart {
  return {
    picks: order.items.map((item) => ({ itemId: item._id, state: 'open', amount: orderedAmount(item) })),
    additions: [],
  };
}

export function changePick(cart: Cart, itemId: string, change: Partial<Pick>): Cart {
  return { ...cart, picks: cart.picks.map((pick) => (pick.itemId === itemId ? { ...pick, ...change } : pick)) };
}

export function addProduct(cart: Cart, addition: Extra): Cart {
  return { ...cart, additions: [...cart.additions, addition] };
}

export function changeAddition(cart: Cart, key: string, amount: Amount): Cart {
  return {
    ...cart,
    additions: cart.additions.map((addition) => (addition.key === key ? { ...addition, amount } : addition)),
  };
}

export function removeAddition(cart: Cart, key: string): Cart {
  return { ...cart, additions: cart.additions.filter((addition) => addition.key !== key) };
}

/** How many items have not been picked yet. */
export function countOpen(cart: Cart): number {
  return cart.picks.filter(({ state }) => state === 'open').length;
}

export function hasPickedItems(cart: Cart): boolean {
  return cart.picks.some(({ state }) => state === 'found' || state === 'replaced');
}

/** The request body. Open items are omitted, which is valid when checking a cart but not when fulfilling the order. */
export function putBody(order: Order, cart: Cart, status: Put['status']): Put {
  const items = cart.picks.flatMap((pick) => {
    const item = order.items.find((item) => item._id === pick.itemId);
    return item && pick.state !== 'open' ? putItems(item, pick) : [];
  });
  return { order_id: order.order_id, status, items: [...items, ...cart.additions.map(putAddition)] };
}

function putItems(item: Item, pick: Pick): PutItem[] {
  const { pricing_type } = item.pricing;
  const named = { _id: item._id, sku: item.sku };
  if (pick.state === 'missing') return [{ ...named, status: 'NOT_FOUND', pricing: { pricing_type } }];
  if (pick.state === 'replaced' && pick.by) {
    const replacement = { sku: pick.by.product.sku, status: 'IN_CART' as const, replaced_id: item._id };
    return [
      { ...named, status: 'REPLACED', pricing: { pricing_type } },
      { ...replacement, pricing: extraPricing(pick.by) },
    ];
  }
  const amount = pricing_type === 'KG' ? { weight: pick.amount.weight } : { quantity: pick.amount.quantity };
  return [{ ...named, status: 'IN_CART', pricing: { pricing_type, ...amount } }];
}

function putAddition(extra: Extra): PutItem {
  return { sku: extra.product.sku, status: 'ADDITION', pricing: extraPricing(extra) };
}

function extraPricing({ product, amount }: Extra) {
  if (product.isSoldByWeight) return { pricing_type: 'KG' as const, quantity: 1, weight: amount.weight };
  return { pricing_type: 'UNIT' as const, quantity: amount.quantity };
}

function orderedAmount({ pricing }: Item): Amount {
  return { quantity: pricing.quantity, weight: pricing.weight ?? 1 };
}
