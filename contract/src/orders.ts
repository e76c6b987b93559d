import Type from 'typebox';
import { described, Id, OneOf, Page, pageQuery, Timestamp, TimestampInput, CursorPage, cursorQuery } from './common.ts';
import { Delivery, exampleDelivery } from './deliveries.ts';
import { HistoryEvent, OrderChange } from './order-history.ts';
import { exampleOrder, Order, orderOutcomes, OrderStatus, orderStatuses } from './order.ts';
import { SkuQuery } from './product.ts';
import { putOrderExamples } from './put-order-examples.ts';
import { PutOrder, PutOrderEnvelope, PutOrderResponse } from './put-order.ts';
import { itemsBytes, route } from './route.ts';
import { lateAfterMinutes } from './sizes.ts';

const orders = { api: 'partner', tag: 'Orders' } as const;
const rangeQuery = {
  start_time: Type.Optional(TimestampInput),
  end_time: Type.Optional(TimestampInput),
  status: Type.Optional(OrderStatus),
  query_term: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "The beginning of an order code (case-insensitive), a complete order id or external order id, a phone number (with or without `+`, `00`, spaces or the country code) or its last digits (at least 4), or words of the customer's name in any order. If no order matches, orders with a similar name are returned. Up to 1,000 orders are found, the newest ones.",
    }),
  ),
  outcome: Type.Optional(
    OneOf(orderOutcomes, {
      description: `Return only orders that the store has fulfilled and that were not cancelled afterwards. FULFILLED: all of them. MISSING_ITEMS: at least one item was not found. REPLACED_ITEMS: at least one item was replaced. TIMED: without a promised time, so that their pick time is measured. LATE: fulfilled after the promised time or, without a promised time, more than ${lateAfterMinutes} minutes after they were placed.`,
    }),
  ),
  is_test: Type.Optional(
    Type.Boolean({ description: 'Return only test orders (`true`) or only orders by customers (`false`).' }),
  ),
  ...pageQuery,
};
const rangeText =
  'Sorted by `sys.created_at`, newest first. `start_time` is inclusive and defaults to 60 days before `end_time`; `end_time` is exclusive and defaults to now. The range can be at most 60 days. Orders older than 60 days are not available.';

const ProductOrder = Type.Object({
  order_id: described(Id, 'The id of the order.'),
  order_code: Type.String({ description: 'The short code that people use for the order.' }),
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  status: OrderStatus,
  created_at: described(Timestamp, 'When the order was placed.'),
});

const chainOrderRoutes = {
  putOrder: route({
    ...orders,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/orders/{order_id}',
    summary: 'Fulfil, modify, validate or cancel an order',
    description: [
      '`READY_FOR_PICKUP` (Platform Delivery) or `DISPATCHED` (Vendor Delivery) fulfils the order. Send every item as `IN_CART`, `NOT_FOUND`, or `REPLACED` together with its replacement, and extra items as `ADDITION`. `UPDATE_CART` validates a cart without storing it. `CANCELLED` cancels the order.',
      'Sending the same fulfilment again returns the order with the same `warnings` and has no further effect. Orders older than 60 days cannot be fulfilled, but they can be cancelled for as long as they exist. If `If-Match` does not match the current ETag, the response is 412.',
    ].join('\n\n'),
    access: 'orders:write',
    rateLimit: 'order_write',
    headers: ['if-match'],
    body: {
      required: true,
      maxBytes: itemsBytes,
      schema: PutOrder,
      check: PutOrderEnvelope,
      example: putOrderExamples['fulfil'].value,
      examples: putOrderExamples,
    },
    responses: {
      200: {
        description: 'The updated order. With UPDATE_CART, the order as it would be after the update.',
        schema: PutOrderResponse,
        example: exampleOrder,
        headers: ['etag'],
      },
    },
    errors: [
      'invalid_cart_update',
      'replacement_not_approved',
      'item_not_found',
      'order_not_found',
      'precondition_failed',
      'order_state_conflict',
    ],
  }),

  getOrder: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders/{order_id}',
    summary: 'Get an order',
    description: 'Orders older than 60 days are not available.',
    access: 'orders:read',
    rateLimit: 'read',
    responses: { 200: { description: 'The order.', schema: Order, example: exampleOrder, headers: ['etag'] } },
    errors: ['order_not_found'],
  }),

  listOrders: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/orders',
    summary: "List a store's orders",
    description: rangeText,
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object(rangeQuery),
    responses: {
      200: {
        description: 'A page of orders.',
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
    summary: "List a store's orders as an array",
    description: `The same orders as a plain array, with pagination in the \`Link\` and \`X-Total-Count\` headers. ${rangeText}`,
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object(rangeQuery),
    responses: {
      200: {
        description: 'A page of orders.',
        schema: Type.Array(Order),
        example: [exampleOrder],
        headers: ['link', 'x-total-count'],
      },
    },
    errors: [],
  }),

  searchOrders: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders/search',
    summary: 'Search the orders of all stores',
    description: `The orders of all stores, or of one store. ${rangeText} To keep a copy of all orders up to date, use \`GET /v2/chains/{chain_id}/orders\` instead. A token that is restricted to certain vendors receives only the orders of those vendors.`,
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object({
      vendor_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'Return only orders of the vendor with this platform id or external id.',
        }),
      ),
      ...rangeQuery,
    }),
    responses: {
      200: {
        description: 'A page of orders.',
        schema: Page('orders', Order),
        example: { orders: [exampleOrder], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: ['vendor_not_found'],
  }),

  listChainOrders: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders',
    summary: 'List changed orders across all stores',
    description: [
      'Use this list for reconciliation. It contains the orders of all stores, sorted by their last change, oldest first. Start without `cursor` (optionally with `updated_since`), and repeat with `next_cursor` until `has_more` is false. Then poll with the last `next_cursor`, for example once a minute. The response contains the orders that were placed or changed since the last poll.',
      'No change is missed, even if orders change while the list is being read. An order that changes again is returned again, so store orders by `order_id`. A cursor does not expire. Orders older than 60 days are not available. A token that is restricted to certain vendors receives only the orders of those vendors.',
    ].join('\n\n'),
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object({
      ...cursorQuery,
      vendor_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'Return only orders of the vendor with this platform id or external id.',
        }),
      ),
      status: Type.Optional(
        OneOf(orderStatuses, { description: 'Return only orders that currently have this status.' }),
      ),
    }),
    responses: {
      200: {
        description: 'The next page of orders.',
        schema: CursorPage('orders', Order),
        example: { orders: [exampleOrder], next_cursor: 'WyJvcmRlcnMiLDE3NzgyMzQ2MDAwMDAwMDBd', has_more: false },
      },
    },
    errors: ['vendor_not_found'],
  }),

  listProductOrders: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/orders',
    summary: 'List recent orders with a product',
    description:
      'Returns the newest orders that contain the product, also as a replacement or an addition, in all stores that the caller can access. Only the most recent orders of each store are searched, 2,000 in total.',
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object({
      sku: SkuQuery,
    }),
    responses: {
      200: {
        description: 'Up to 20 orders, newest first.',
        schema: Type.Object({ orders: Type.Array(ProductOrder, { description: 'The orders, newest first.' }) }),
        example: {
          orders: [
            {
              order_id: exampleOrder.order_id,
              order_code: exampleOrder.order_code,
              vendor_id: 's8ym',
              status: 'RECEIVED',
              created_at: '2026-05-04T09:30:00.000Z',
            },
          ],
        },
      },
    },
    errors: [],
  }),

  getOrderHistory: route({
    ...orders,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders/{order_id}/history',
    summary: "Get an order's history",
    access: 'manage',
    rateLimit: 'read',
    responses: {
      200: {
        description: 'The changes, events and deliveries of the order, oldest first.',
        schema: Type.Object({
          order_id: described(Id, 'The id of the order.'),
          changes: Type.Array(OrderChange, { description: 'Every change, oldest first.' }),
          events: Type.Array(HistoryEvent, { description: 'The events of the order, oldest first.' }),
          deliveries: Type.Array(Delivery, {
            description: 'The webhook deliveries of the order. A delivery has the same id as its event.',
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

export const orderRoutes = {
  ...chainOrderRoutes,

  getOrderById: route({
    ...chainOrderRoutes.getOrder,
    path: '/v2/orders/{order_id}',
    summary: "Get an order from the token's chain",
    description:
      'Works like `GET /v2/chains/{chain_id}/orders/{order_id}`, but the token or session determines the chain. For an order of another chain, the response is 404. Platform tokens do not belong to a chain and get 403; with a platform token, use `/platform/v1/orders/{order_id}`.',
  }),
};
