import type { ChainPlan } from './world.ts';

/** The products of a chain, as they are sent to the API. All stores have the same ones. */
export function productsOf({ tag, products }: ChainPlan) {
  return products.map(({ sku, kind, price, quantity }) => ({
    sku,
    title: `${tag} ${sku}`,
    price,
    ...(kind === 'weighed' ? { is_sold_by_weight: true } : { quantity }),
  }));
}
