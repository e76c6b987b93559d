import type { Body } from '../api/operations.ts';
import { type Draft, type Extra, findProduct, type Line } from './draft.ts';
import type { Item } from './types.ts';

type Put = Body<'putOrder'>;
type PutItem = NonNullable<Put['items']>[number];

/** The request that checks or fulfils the order. Pending items are omitted, which is valid only for a check. */
export function putBody({ order, products }: Draft, lines: readonly Line[], status: Put['status']): Put {
  const items = lines.flatMap((line): PutItem[] => {
    if (line.item) return putItem(line.item, line, products);
    return line.state === 'ADDED' ? [{ sku: line.sku, status: 'ADDITION', pricing: pricingOf(line, products) }] : [];
  });
  return { order_id: order.order_id, status, items };
}

function putItem(item: Item, line: Line, products: Draft['products']): PutItem[] {
  const { pricing_type } = item.pricing;
  const named = { _id: item._id, sku: item.sku };
  if (line.state === 'NOT_FOUND') return [{ ...named, status: 'NOT_FOUND', pricing: { pricing_type } }];
  if (line.state === 'REPLACED' && line.replacement) {
    const { sku } = line.replacement;
    return [
      { ...named, status: 'REPLACED', pricing: { pricing_type } },
      { sku, status: 'IN_CART', replaced_id: item._id, pricing: pricingOf(line.replacement, products) },
    ];
  }
  if (line.state !== 'IN_CART') return [];
  const amount = pricing_type === 'KG' ? { weight: line.weight ?? 0 } : { quantity: line.quantity ?? 0 };
  return [{ ...named, status: 'IN_CART', pricing: { pricing_type, ...amount } }];
}

function pricingOf({ sku, quantity, weight }: Extra, products: Draft['products']) {
  if (findProduct(products, sku)?.isSoldByWeight ?? weight !== null) {
    return { pricing_type: 'KG' as const, quantity: 1, weight: weight ?? 0 };
  }
  return { pricing_type: 'UNIT' as const, quantity: quantity ?? 1 };
}
