import Type from 'typebox';
import { described, Id, Money, Nullable, OneOf, Timestamp } from './common.ts';
import { SkuQuery } from './product.ts';
import { route } from './route.ts';

export const changeSources = ['JOB', 'UPDATE', 'ORDER'] as const;

/** The values of an offer that have a history. */
const Values = Type.Object({
  price: described(Money, 'The price per unit, or per KG for products sold by weight.'),
  quantity: Nullable(Type.Integer({ description: 'The stock; null if unknown.' })),
  active: Type.Boolean({ description: 'Whether the product is active.' }),
  maximum_sales_quantity: Nullable(Type.Integer({ description: 'The maximum quantity per order; null if unlimited.' })),
});

export const ProductChange = Type.Object({
  changed_at: described(Timestamp, 'When the product was changed.'),
  source: OneOf(changeSources, {
    description:
      'What changed the product: a catalog JOB, an UPDATE of a single product, or an ORDER, which takes or returns stock.',
  }),
  job_id: Type.Optional(described(Id, 'The id of the job, if `source` is JOB.')),
  order_id: Type.Optional(described(Id, 'The id of the order, if `source` is ORDER.')),
  changed_by: Type.Optional(
    Type.String({ description: 'The name of the token, client or user that sent the update or created the job.' }),
  ),
  old: described(Values, 'The values before the change.'),
  new: described(Values, 'The values after the change.'),
});

const values = { price: 5.95, quantity: 40, active: true, maximum_sales_quantity: null };

export const historyRoutes = {
  listProductHistory: route({
    api: 'partner',
    tag: 'Catalog',
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/catalog/history',
    summary: "List the changes to a product's price and stock",
    description:
      'Returns the changes to price, stock, `active` and `maximum_sales_quantity` in the last 30 days, newest first. Updates that changed nothing are left out.',
    access: 'catalog:read',
    rateLimit: 'read',
    query: Type.Object({
      sku: SkuQuery,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'The maximum number of changes.' }),
      ),
    }),
    responses: {
      200: {
        description: 'The newest changes.',
        schema: Type.Object({ changes: Type.Array(ProductChange, { description: 'The changes, newest first.' }) }),
        example: {
          changes: [
            {
              changed_at: '2026-05-04T09:30:01.250Z',
              source: 'JOB',
              job_id: '0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01',
              changed_by: 'Back office',
              old: values,
              new: { ...values, price: 6.25 },
            },
          ],
        },
      },
    },
    errors: ['product_not_found'],
  }),
};
