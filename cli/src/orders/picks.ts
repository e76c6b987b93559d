import type { Order, OrderItem, PutItem, PutOrder } from '@aisle/sdk';

/** What the picker did with a line item. The amount is a number of units, or kilograms for products sold by weight. */
export type Pick = { kind: 'found'; amount: number } | { kind: 'not found' } | { kind: 'replaced'; by: PickedProduct };

/** A product that replaces an item, or that is added. */
export type PickedProduct = { sku: string; title: string; isSoldByWeight: boolean; amount: number };

export type Cart = { picks: Map<string, Pick>; additions: PickedProduct[] };

/** The request that fulfils, or checks, the order. Items without a pick are left out. */
export function fulfilBody(order: Order, { picks, additions }: Cart, status: PutOrder['status']): PutOrder {
  const items = order.items.flatMap((item) => {
    const pick = picks.get(item._id);
    return pick ? itemsFor(item, pick) : [];
  });
  const added = additions.map(
    (product): PutItem => ({
      sku: product.sku,
      status: 'ADDITION',
      pricing: pricingOf(product),
    }),
  );
  return { order_id: order.order_id, status, items: [...items, ...added] };
}

/** Every item exactly as ordered. */
export function everythingFound({ items }: Order): Cart {
  return {
    picks: new Map(items.map((item) => [item._id, { kind: 'found', amount: orderedAmount(item) }])),
    additions: [],
  };
}

export function isByWeight({ pricing }: OrderItem): boolean {
  return pricing.pricing_type === 'KG';
}

export function orderedAmount(item: OrderItem): number {
  const { quantity, weight = 1 } = item.pricing;
  return isByWeight(item) ? weight : quantity;
}

/** READY_FOR_PICKUP, or DISPATCHED if the store delivers. Undefined if the order cannot be fulfilled now. */
export function fulfilStatus({ allowed_actions }: Order): 'READY_FOR_PICKUP' | 'DISPATCHED' | undefined {
  const isAllowed = (status: string) => allowed_actions.some(({ by, action }) => by === 'partner' && action === status);
  return (['READY_FOR_PICKUP', 'DISPATCHED'] as const).find(isAllowed);
}

function itemsFor(item: OrderItem, pick: Pick): PutItem[] {
  const { _id, sku, pricing } = item;
  const { pricing_type } = pricing;
  if (pick.kind === 'not found') return [{ _id, sku, status: 'NOT_FOUND', pricing: { pricing_type } }];
  if (pick.kind === 'replaced') {
    return [
      { _id, sku, status: 'REPLACED', pricing: { pricing_type } },
      { sku: pick.by.sku, status: 'IN_CART', replaced_id: _id, pricing: pricingOf(pick.by) },
    ];
  }
  const amount = isByWeight(item) ? { weight: pick.amount } : { quantity: pick.amount };
  return [{ _id, sku, status: 'IN_CART', pricing: { pricing_type, ...amount } }];
}

function pricingOf({ isSoldByWeight, amount }: PickedProduct): PutItem['pricing'] {
  return isSoldByWeight
    ? { pricing_type: 'KG', quantity: 1, weight: amount }
    : { pricing_type: 'UNIT', quantity: amount };
}
