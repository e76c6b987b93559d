import Type from 'typebox';
import {
  Closed,
  Currency,
  CursorPage,
  cursorQuery,
  described,
  Id,
  Nullable,
  TimestampInput,
  VendorFilter,
} from './common.ts';
import { exampleOrder, ItemStatus, Order, OrderItem, OrderStatus } from './order.ts';
import { route } from './route.ts';

const LineAmount = Type.Object({
  quantity: Type.Integer({ description: 'The number of units; 1 for items sold by weight.' }),
  weight: Type.Optional(Type.Number({ description: 'The weight in KG, for items sold by weight.' })),
  unit_price: Type.Number({ description: 'The price per unit or per KG, before promotions.' }),
  discount: Type.Number({ description: 'The discount on the line item.' }),
  amount: Type.Number({ description: 'What the line item costs after the discount.' }),
});

/** What the customer ordered compared with what the customer pays. */
export const OrderRefund = Type.Object({
  order_id: described(Id, 'The id of the order.'),
  status: OrderStatus,
  is_settled: Type.Boolean({
    description:
      'Whether the store has fulfilled the order, or it is cancelled. Until then, the amounts are those of the order as placed.',
  }),
  currency: Currency,
  fees: Type.Number({ description: 'The delivery and service fee. They are refunded only if the order is cancelled.' }),
  ordered_total: Type.Number({ description: 'The total when the order was placed, including fees.' }),
  charged_total: Type.Number({ description: 'The current total, including fees; 0 if the order is cancelled.' }),
  refund: Type.Number({ description: '`ordered_total` − `charged_total`, or 0 if that is negative.' }),
  additional_charge: Type.Number({
    description:
      '`charged_total` − `ordered_total`, or 0 if that is negative. Larger weights, more units and additions can make an order more expensive.',
  }),
  items: Type.Array(
    Type.Object({
      _id: OrderItem.properties._id,
      sku: OrderItem.properties.sku,
      name: OrderItem.properties.name,
      status: ItemStatus,
      replaced_id: OrderItem.properties.replaced_id,
      ordered: Nullable(
        described(LineAmount, 'The line item as ordered. Null for replacements and additions, which were not ordered.'),
      ),
      charged: Nullable(
        described(LineAmount, 'What the customer pays for. Null if the item was not found, replaced or cancelled.'),
      ),
      difference: Type.Number({
        description: 'The ordered amount − the charged amount: positive for a refund, negative for a charge.',
      }),
    }),
    { description: 'All line items of the order. Together with the fees, the differences add up to the refund.' },
  ),
});

const platform = {
  api: 'platform',
  tag: 'Orders',
  access: 'platform',
  rateLimit: 'platform',
  audit: false,
} as const;

/** What a storefront needs after an order has been placed. */
export const storefrontOrderRoutes = {
  platformListOrders: route({
    ...platform,
    method: 'GET',
    path: '/platform/v1/orders',
    summary: 'List orders across chains, by their last change',
    description: [
      'Start without `cursor`, and repeat with `next_cursor` until `has_more` is false. Then poll with the last `next_cursor`: the response contains the orders that were placed or changed since, by anyone. With `updated_since`, the list starts with changes made at that time or later.',
      'No change is missed, even if orders change while the list is being read. An order that changes again is returned again, so store orders by `order_id`. Within a chain, orders are returned in the order in which they changed. Orders of any age are included.',
    ].join('\n\n'),
    query: Type.Object({
      ...cursorQuery,
      chain_id: Type.Optional(described(Id, 'Return only orders of this chain.')),
      vendor_id: Type.Optional(
        described(
          VendorFilter,
          'Return only orders of the vendor with this platform id or external id. Requires `chain_id`, because external ids are unique only within a chain.',
        ),
      ),
      status: Type.Optional(described(OrderStatus, 'Return only orders with this status.')),
      start_time: Type.Optional(described(TimestampInput, 'Return only orders placed at this time or later.')),
      end_time: Type.Optional(described(TimestampInput, 'Return only orders placed before this time.')),
      external_order_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Return only orders with this external id.' }),
      ),
    }),
    responses: {
      200: {
        description: 'The next page of orders.',
        schema: CursorPage('orders', Order),
        example: {
          orders: [exampleOrder],
          next_cursor: 'WyJwbGF0Zm9ybSBvcmRlcnMiLDE3NzgyMzQ2MDAwMDAwMDBd',
          has_more: false,
        },
      },
    },
    errors: ['chain_not_found', 'vendor_not_found'],
  }),

  platformEditOrder: route({
    ...platform,
    method: 'PATCH',
    path: '/platform/v1/orders/{order_id}',
    summary: "Change the customer's comment or the promised time",
    description:
      'Possible until the order is delivered, collected or cancelled. Absent fields are kept. The store gets the event `order.edited`, and devices in the picking app see the change at once. If nothing changes, the order keeps its revision.',
    headers: ['if-match'],
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          comment: Type.Optional(
            Nullable(Type.String({ maxLength: 1000, description: "The customer's comment. Null removes it." })),
          ),
          promised_for: Type.Optional(
            Nullable(described(TimestampInput, 'The time promised to the customer. Null means as soon as possible.')),
          ),
        }),
      ),
      example: { comment: 'Leave it at the door.', promised_for: '2031-05-04T12:30:00Z' },
    },
    responses: { 200: { description: 'The order.', schema: Order, example: exampleOrder, headers: ['etag'] } },
    errors: ['order_not_found', 'order_state_conflict', 'precondition_failed'],
  }),

  platformGetOrderRefund: route({
    ...platform,
    method: 'GET',
    path: '/platform/v1/orders/{order_id}/refund',
    summary: 'Compare what was ordered with what is charged',
    description:
      'For partial refunds: what the customer paid for when the order was placed, what the store delivered, and the difference, in total and for each line item. Aisle does not move money.',
    responses: {
      200: {
        description: 'The totals and line items. In this example, one of two units was not found.',
        schema: OrderRefund,
        example: {
          order_id: exampleOrder.order_id,
          status: 'READY_FOR_PICKUP',
          is_settled: true,
          currency: 'AED',
          fees: 5,
          ordered_total: 18,
          charged_total: 11.5,
          refund: 6.5,
          additional_charge: 0,
          items: [
            {
              _id: exampleOrder.items[0]?._id,
              sku: 'MLK-00012',
              name: 'Fresh milk 1 l',
              status: 'IN_CART',
              ordered: { quantity: 2, unit_price: 6.5, discount: 0, amount: 13 },
              charged: { quantity: 1, unit_price: 6.5, discount: 0, amount: 6.5 },
              difference: 6.5,
            },
          ],
        },
      },
    },
    errors: ['order_not_found'],
  }),
};
