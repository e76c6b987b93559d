import type { Body, ResponseBody } from '../api/operations.ts';

export type Order = ResponseBody<'getOrder'>;
export type Item = Order['items'][number];
export type Picking = ResponseBody<'getPicking'>;
export type PickedLine = Picking['lines'][number];
export type Mark = Body<'markItems'>['marks'][number];
export type MarkState = PickedLine['state'];
export type QueuedOrder = ResponseBody<'listPickingQueue'>['orders'][number];
export type FoundProduct = ResponseBody<'findPickingProducts'>['products'][number];
export type Candidate = ResponseBody<'listReplacementCandidates'>['candidates'][number];
export type EmbeddedRule = ResponseBody<'getPickingSettings'>['embedded_barcodes'][number];

/** What the app needs to know about a product that is not an item of the order, or to show an item in another language. */
export type Product = {
  sku: string;
  name: string;
  titles: Record<string, string>;
  picture?: string | undefined;
  barcodes: readonly string[];
  price: number;
  isSoldByWeight: boolean;
};

export function toProduct(found: FoundProduct): Product {
  return {
    sku: found.sku,
    name: found.title ?? found.sku,
    titles: found.translations,
    picture: found.images[0],
    barcodes: found.barcodes,
    price: found.promotional_price ?? found.price,
    isSoldByWeight: found.is_sold_by_weight,
  };
}
