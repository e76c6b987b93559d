import Type from 'typebox';
import { exampleProduct, Product } from './product.ts';
import { Locale, Walk, walkQuery } from './common.ts';
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
    summary: 'List changed products of all stores',
    description: [
      'For reconciliation: every product of every store, one item per product and store. Start without `cursor`, and repeat with `next_cursor` until `has_more` is false. Then poll with the last `next_cursor`, for example once a minute: the response contains the products that were created or changed in between, in the order of the changes. `updated_since` starts at the changes since that time.',
      'No change is missed, even if products change while the list is being read. A product that changes again is returned again, so store products by `vendor_id` and `sku`. A change is what sets `updated_at`: price, stock, availability, maximum and barcode. Promotions, category names and settings of the store appear in the current state of a product but are not changes of it. Products are never deleted; one that is no longer sold is inactive. With a cursor that was not used for 7 days, the list starts over with all products.',
    ].join('\n\n'),
    access: 'catalog:read',
    rateLimit: 'read',
    query: Type.Object({
      ...walkQuery,
      vendor_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'Only products of this vendor: its platform id or external id.' }),
      ),
      locale: Type.Optional(Locale),
    }),
    responses: {
      200: {
        description: 'The next products.',
        schema: Walk('products', ChainProduct),
        example: {
          products: [{ ...exampleProduct, vendor_id: 's8ym' }],
          next_cursor: 'WyJjYXRhbG9nIiwxNzc4MjM0NjAwMDAwMDAwXQ',
          has_more: false,
        },
      },
    },
    errors: ['vendor_not_found'],
  }),
};
