import { useEffect } from 'react';
import { type Draft, findProduct, linesOf } from './draft.ts';
import { findDraft, updateDraft } from './drafts.ts';
import { request } from './request.ts';
import { toProduct } from './types.ts';

/**
 * Loads the products of an order that are not on the device yet: for their titles in other languages, and for the
 * replacements and additions that were marked on other devices.
 */
export function useProducts(draft: Draft): void {
  const { order_id: orderId } = draft.order;
  const missing = missingSkus(draft).join('\n');
  useEffect(() => {
    // Without a network, the names in the order are shown.
    if (missing !== '') loadProducts(orderId, missing.split('\n')).catch(() => undefined);
  }, [orderId, missing]);
}

function missingSkus(draft: Draft): string[] {
  const skus = linesOf(draft).flatMap(({ sku, replacement }) => [sku, ...(replacement ? [replacement.sku] : [])]);
  return [...new Set(skus)].filter((sku) => !findProduct(draft.products, sku));
}

async function loadProducts(orderId: string, skus: readonly string[]): Promise<void> {
  for (const sku of skus) {
    if (findProduct(findDraft(orderId)?.products ?? {}, sku)) continue;
    const found = await request('findPickingProducts', { params: { order_id: orderId }, query: { code: sku } });
    const product = found.products.find((one) => one.sku === sku);
    if (!product) continue;
    updateDraft(orderId, (draft) => ({ ...draft, products: { ...draft.products, [sku]: toProduct(product) } }));
  }
}
