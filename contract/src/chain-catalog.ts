import Type from 'typebox';
import { exampleProduct, Product, SkuQuery } from './product.ts';
import { CursorPage, cursorQuery, Locale } from './common.ts';
import { route } from './route.ts';

export const ChainProduct = Type.Object({
  ...Product.properties,
  vendor_id: Type.String({ description: 'The platform id of the vendor that offers the product.' }),
});

export const chainCatalogRoutes = {
  listChainProducts: route({
    api: 'partner',
    tag: 'Catalog',
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog',
    summary: 'List changed products across all stores',
    description: [
      'Use this list for reconciliation. It contains the products of all stores, one item per product and store. Start without `cursor`, and repeat with `next_cursor` until `has_more` is false. Then poll with the last `next_cursor`, for example once a minute. The response contains the products that were created or changed since the last poll, in the order in which they changed. With `updated_since`, the list starts with changes made at that time or later.',
      "No change is missed, even if products change while the list is being read. A product that changes again is returned again, so store products by `vendor_id` and `sku`. A product counts as changed when its `updated_at` is set, which happens when its price, stock, availability, maximum or barcode changes. Promotions, category names and store settings are part of a product's current state, but a change to them does not count. Products are never deleted; a product that is no longer sold is inactive. If a cursor has not been used for 7 days, the list starts over with all products.",
    ].join('\n\n'),
    access: 'catalog:read',
    rateLimit: 'read',
    query: Type.Object({
      ...cursorQuery,
      vendor_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'Return only products of the vendor with this platform id or external id.',
        }),
      ),
      locale: Type.Optional(Locale),
    }),
    responses: {
      200: {
        description: 'The next page of products.',
        schema: CursorPage('products', ChainProduct),
        example: {
          products: [{ ...exampleProduct, vendor_id: 's8ym' }],
          next_cursor: 'WyJjYXRhbG9nIiwxNzc4MjM0NjAwMDAwMDAwXQ',
          has_more: false,
        },
      },
    },
    errors: ['vendor_not_found'],
  }),

  listProductOffers: route({
    api: 'partner',
    tag: 'Catalog',
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/offers',
    summary: 'Get a product in all stores',
    description: 'Returns the product once for each store that offers it and that the caller can access.',
    access: 'catalog:read',
    rateLimit: 'read',
    query: Type.Object({
      sku: SkuQuery,
      locale: Type.Optional(Locale),
    }),
    responses: {
      200: {
        description: 'The product in each store, sorted by the platform id of the store.',
        schema: Type.Object({
          products: Type.Array(ChainProduct, {
            description: 'The product in each store. Empty if no store offers it.',
          }),
        }),
        example: { products: [{ ...exampleProduct, vendor_id: 's8ym' }] },
      },
    },
    errors: [],
  }),
};
