import Type from 'typebox';
import { Id, Nullable, OneOf, Page, pageQuery, Timestamp, TimestampInput } from './common.ts';
import { Delivery, exampleDelivery } from './deliveries.ts';
import {
  exampleOrder,
  itemStatuses,
  Order,
  orderStatuses,
  partnerReasons,
  pricingTypes,
  putStatuses,
} from './order.ts';
import { route } from './route.ts';
import { skuLength } from './sizes.ts';

export const PutItem = Type.Object({
  _id: Type.Optional(Type.String({ maxLength: 64, description: 'The item; or name it by `sku`.' })),
  sku: Type.Optional(Type.String({ minLength: 1, maxLength: skuLength })),
  name: Type.Optional(Type.String()),
  status: Type.Optional(OneOf(itemStatuses, { description: 'Required in the strict profile.' })),
  replaced_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'On a replacement: the `_id` of the item it stands for.' }),
  ),
  pricing: Type.Optional(
    Type.Object(
      {
        pricing_type: Type.Optional(OneOf(pricingTypes, { description: 'Required in the strict profile.' })),
        quantity: Type.Optional(Type.Number({ description: 'Absent: as ordered.' })),
        weight: Type.Optional(Type.Number({ description: 'KG only. Absent: as ordered.' })),
        unit_price: Type.Optional(Type.Number({ description: 'From 0 to 9,999,999.999.' })),
        total_price: Type.Optional(Type.Number({ description: 'From 0 to 9,999,999.999.' })),
        min_quantity: Type.Optional(Type.Number({ description: 'Ignored: the bounds are those of the order.' })),
        max_quantity: Type.Optional(Type.Number({ description: 'Ignored: the bounds are those of the order.' })),
      },
      { description: 'Required in the strict profile. A price change is unit_price or total_price, never both.' },
    ),
  ),
});

const PutOrder = Type.Object({
  order_id: Type.Optional(Id),
  status: OneOf(putStatuses),
  items: Type.Optional(
    Type.Array(PutItem, { maxItems: 1000, description: 'Required in the strict profile; with CANCELLED not read.' }),
  ),
  cancellation: Type.Optional(
    Type.Object({ reason: OneOf(partnerReasons) }, { description: 'Required with CANCELLED, otherwise ignored.' }),
  ),
});

/** What can be judged without knowing the profile, the status or the order. */
const PutOrderEnvelope = Type.Object({
  order_id: Type.Optional(Id),
  status: Type.String(),
  items: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 1000 })),
  cancellation: Type.Optional(Type.Unknown()),
});

export const Warning = Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() });
const PutResponse = Type.Object({
  ...Order.properties,
  warnings: Type.Optional(Type.Array(Warning, { description: 'What was accepted otherwise than it was sent.' })),
});

const Change = Type.Object({
  revision: Type.Integer(),
  at: Timestamp,
  actor: Type.String({ description: 'Who: customer, logistics, rider, platform, or a token or user of the chain.' }),
  action: Type.String({ description: 'What: placed, fulfilled, cancelled, picked_up, delivered, collected.' }),
  from_status: Nullable(OneOf(orderStatuses)),
  to_status: OneOf(orderStatuses),
  items: Type.Array(
    Type.Object({
      _id: Type.String(),
      sku: Type.String(),
      name: Type.String(),
      change: Type.String({ description: 'In a sentence.' }),
    }),
  ),
});
const HistoryEvent = Type.Object({ event_id: Id, type: Type.String(), created_at: Timestamp });

const orders = { api: 'partner', tag: 'Orders' } as const;
const rangeQuery = {
  start_time: Type.Optional(TimestampInput),
  end_time: Type.Optional(TimestampInput),
  status: Type.Optional(OneOf(orderStatuses)),
  query_term: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'The beginning of an order code, in any case, or a whole order id, external order id or phone number.',
    }),
  ),
  ...pageQuery,
};
const rangeText =
  'Newest first, by `sys.created_at`: from `start_time` (inclusive; default 60 days before the end) to `end_time` (exclusive; default now), at most 60 days. Orders older than 60 days are not available.';
const exampleItem = exampleOrder.items[0];

export const orderRoutes = {
  putOrder: route({
    ...orders,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/orders/{order_id}',
    summary: 'Fulfil, modify, validate or cancel an order',
    description: [
      '`READY_FOR_PICKUP` (Platform Delivery) or `DISPATCHED` (Vendor Delivery) fulfils the order: every item as `IN_CART` or `NOT_FOUND`, replaced ones as `REPLACED` with their replacement, extra ones as `ADDITION`. `UPDATE_CART` validates a cart and stores nothing. `CANCELLED` cancels.',
      'The same fulfilment sent again is answered with the order and has no second effect. An `If-Match` with another ETag than the present one is 412.',
    ].join('\n\n'),
    access: 'orders:write',
    rateLimit: 'order_write',
    body: {
      required: true,
      schema: PutOrder,
      check: PutOrderEnvelope,
      example: {
        status: 'READY_FOR_PICKUP',
        items: [{ sku: exampleItem?.sku, status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 2 } }],
      },
    },
    responses: {
      200: {
        description: 'The order as it is now (with UPDATE_CART: as it would become).',
        schema: PutResponse,
        example: exampleOrder,
      },
    },
    errors: ['invalid_cart_update', 'item_not_found', 'order_not_found', 'precondition_failed', 'order_state_conflict'],
  }),

  getOrder: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders/{order_id}',
    summary: 'Read an order',
    description: 'Orders older than 60 days are not available.',
    access: 'orders:read',
    rateLimit: 'read',
    responses: { 200: { description: 'The order.', schema: Order, example: exampleOrder } },
    errors: ['order_not_found'],
  }),

  listOrders: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/orders',
    summary: 'List the orders of a store',
    description: rangeText,
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object(rangeQuery),
    responses: {
      200: {
        description: 'One page.',
        schema: Page('orders', Order),
        example: { orders: [exampleOrder], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: [],
  }),

  listOrdersBare: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}',
    summary: 'List the orders of a store as a bare array',
    description: `The same orders without the page around them; \`Link\` and \`X-Total-Count\` say where the rest is. ${rangeText}`,
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object(rangeQuery),
    responses: { 200: { description: 'One page.', schema: Type.Array(Order), example: [exampleOrder] } },
    errors: [],
  }),

  getOrderHistory: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders/{order_id}/history',
    summary: 'Read who changed what when',
    access: 'manage',
    rateLimit: 'read',
    responses: {
      200: {
        description: 'Oldest first.',
        schema: Type.Object({
          order_id: Id,
          changes: Type.Array(Change),
          events: Type.Array(HistoryEvent),
          deliveries: Type.Array(Delivery, {
            description: 'What was sent to the webhook; a delivery has the id of its event.',
          }),
        }),
        example: {
          order_id: exampleOrder.order_id,
          changes: [
            {
              revision: 1,
              at: exampleOrder.sys.created_at,
              actor: 'platform',
              action: 'placed',
              from_status: null,
              to_status: 'RECEIVED',
              items: [],
            },
          ],
          events: [
            {
              event_id: '0191f3a4-6c1e-7b7e-9a3d-77aa0a4e8b10',
              type: 'order.received',
              created_at: exampleOrder.sys.created_at,
            },
          ],
          deliveries: [exampleDelivery],
        },
      },
    },
    errors: ['order_not_found'],
  }),
};
