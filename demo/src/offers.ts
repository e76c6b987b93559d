import { shelfPrice } from './pricing.ts';
import type { DemoProduct } from './products.ts';
import { chance, integerBetween } from './chance.ts';
import type { DemoStore } from './stores.ts';

export type DemoOffer = {
  price: number;
  quantity: number | null;
  active: boolean;
  maximum_sales_quantity: number | null;
};

/** A store's price and stock for a product, or null if the store does not carry it. */
export function demoOffer(product: DemoProduct, store: Pick<DemoStore, 'vendor_id' | 'currency'>): DemoOffer | null {
  const seed = `${product.sku} ${store.vendor_id}`;
  if (chance(`carried ${seed}`) >= 0.92) return null;
  return {
    price: shelfPrice(product.priceAED * priceLevel(seed, store.vendor_id), store.currency),
    quantity: stock(product, seed),
    active: product.active && chance(`active ${seed}`) >= 0.015,
    maximum_sales_quantity: product.maximum_sales_quantity,
  };
}

/** Two thirds of the products have the recommended price. The others vary by store. */
function priceLevel(seed: string, vendorId: string): number {
  if (chance(`level ${seed}`) < 0.66) return 1;
  return (0.97 + 0.06 * chance(`store ${vendorId}`)) * (0.95 + 0.1 * chance(`price ${seed}`));
}

function stock(product: DemoProduct, seed: string): number | null {
  if (product.quantity === null || chance(`counted ${seed}`) < 0.04) return null;
  if (chance(`sold out ${seed}`) < 0.03) return 0;
  return integerBetween(3, product.is_sold_by_weight ? 40 : 90, `stock ${seed}`);
}
