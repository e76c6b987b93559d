import Type from 'typebox';
import { ChainProduct } from './chain-catalog.ts';
import { catalogRoutes } from './catalog.ts';
import { CursorPage, cursorQuery, Locale, Page, pageQuery, VendorFilter } from './common.ts';
import { exampleProduct } from './product.ts';
import { Promotion } from './promotion.ts';
import { route } from './route.ts';
import { skuLength } from './sizes.ts';

export const StorefrontProduct = Type.Object({
  ...ChainProduct.properties,
  effective_price: Type.Number({
    description:
      'The price of one unit (or KG) in an order placed now: `promotional_price`, or `price` rounded to the minor unit of the currency. Bundles and limits per order depend on the basket; see quotes.',
  }),
});

/** A line of the snapshot. */
export const SnapshotLine = Type.Union([
  Type.Object({ type: Type.Literal('product'), product: StorefrontProduct }),
  Type.Object({ type: Type.Literal('promotion'), promotion: Promotion }),
  Type.Object({
    type: Type.Literal('end'),
    products: Type.Integer({ description: 'The number of products in the snapshot.' }),
    promotions: Type.Integer({ description: 'The number of promotions in the snapshot.' }),
    next_cursor: Type.String({ description: 'The cursor with which to continue in the list of changes.' }),
  }),
]);

const storefront = {
  api: 'platform',
  tag: 'Storefront',
  access: 'platform',
  rateLimit: 'platform',
  method: 'GET',
} as const;
const example = { ...exampleProduct, vendor_id: 's8ym', effective_price: 4.95 };
const { query_term, sort, category_global_ids } = catalogRoutes.listCatalog.query.properties;
const vendor_id = Type.Optional(VendorFilter);
const locale = Type.Optional(Locale);
const exampleCursor = 'WyJjaGFuZ2VzIixbImNoYW5nZXMiLDE3NzgyMzQ2MDAwMDAwMDAsbnVsbCxudWxsXSwwLG51bGxd';

export const storefrontRoutes = {
  platformListAssortment: route({
    ...storefront,
    path: '/platform/v1/chains/{chain_id}/vendors/{vendor_id}/assortment',
    summary: 'List or search the products that customers can order',
    description:
      "The store's products as a customer sees them: only those that are available now, each with the price that an order would have, including running promotions. With `skus`, only these products; those that are missing in the response are not available.",
    query: Type.Object({
      query_term,
      sort,
      category_global_ids,
      skus: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: skuLength }), {
          minItems: 1,
          maxItems: 500,
          description:
            'SKUs, separated by commas or as repeated parameters. Write a comma that is part of a SKU as `\\,`. Cannot be combined with `query_term` or `category_global_ids`.',
        }),
      ),
      locale,
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of products.',
        schema: Page('products', StorefrontProduct),
        example: { products: [example], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
        headers: ['etag'],
      },
    },
    errors: [],
  }),

  platformListCategories: route({
    ...storefront,
    path: '/platform/v1/chains/{chain_id}/vendors/{vendor_id}/categories',
    summary: 'List the categories that customers see',
    description:
      'The category tree as a flat list, parents before children, without inactive categories and those below them. `product_count` counts the products that are available at the store.',
    responses: catalogRoutes.listCategories.responses,
    errors: [],
  }),

  platformListChanges: route({
    ...storefront,
    path: '/platform/v1/chains/{chain_id}/changes',
    summary: "List changes to a chain's products, offers and promotions",
    description: [
      'For a storefront that keeps its own copy of the catalog. Start with the snapshot, or without `cursor`, which returns all products. Repeat with `next_cursor` until `has_more` is false, then poll with the last `next_cursor`. The cost of a request depends on what has changed, not on the number of products.',
      '`products` contains products of any store, in their current state, one item per product and store, whether they are available or not. A product is returned when it is created, when its price, stock, availability, maximum or barcodes change, and when a promotion that covers it starts, ends, changes, is cancelled or reaches its global limit. `promotions` contains the promotions themselves. No change is missed; a product can be returned several times, so store products by `vendor_id` and `sku`, and promotions by `promotion_id`.',
      "Category names and a store's settings are part of a product's current state, but a change to them does not count as a change to its products. If a cursor has not been used for 7 days, the list starts over with all products.",
    ].join('\n\n'),
    query: Type.Object({ cursor: cursorQuery.cursor, limit: cursorQuery.limit, vendor_id, locale }),
    responses: {
      200: {
        description: 'The next changes.',
        schema: Type.Object({
          ...CursorPage('products', StorefrontProduct).properties,
          promotions: Type.Array(Promotion, {
            description: 'The promotions that have changed, started or ended. Empty if there are none.',
          }),
        }),
        example: { products: [example], promotions: [], next_cursor: exampleCursor, has_more: false },
      },
    },
    errors: ['vendor_not_found'],
  }),

  platformGetSnapshot: route({
    ...storefront,
    path: '/platform/v1/chains/{chain_id}/snapshot',
    summary: "Download all of a chain's products and promotions",
    description:
      'One JSON object per line: all products of all stores (`type` is `product`), the promotions that are running or upcoming (`promotion`), and at the end one line with the cursor to continue with in the list of changes (`end`). If the last line is missing, the connection was interrupted; start over. Changes made during the download are in the list of changes.',
    query: Type.Object({ vendor_id, locale }),
    responses: {
      200: {
        description: 'The snapshot.',
        mediaTypes: ['application/x-ndjson'],
        row: SnapshotLine,
        headers: ['content-disposition', 'cache-control'],
        example: `{"type":"end","products":0,"promotions":0,"next_cursor":"${exampleCursor}"}\n`,
      },
    },
    errors: ['vendor_not_found'],
  }),
};
