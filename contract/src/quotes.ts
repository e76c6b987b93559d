import Type from 'typebox';
import { Closed, Currency, described, Id, InputError, Nullable, OneOf, Timestamp } from './common.ts';
import { exampleOrder, OrderItem, OrderSnapshot } from './order.ts';
import { outletStatuses } from './outlets.ts';
import { NewOrder } from './platform-orders.ts';
import { itemsBytes, route } from './route.ts';

const { chain_id, vendor_id, items, order_type, transport_type, payment } = NewOrder.properties;

export const QuoteRequest = Closed(
  Type.Object({
    chain_id,
    vendor_id,
    order_type,
    transport_type,
    items,
    payment: Type.Optional(
      Type.Object(
        { delivery_fee: payment.properties.delivery_fee, service_fee: payment.properties.service_fee },
        { description: 'The fees. They are added to the total.' },
      ),
    ),
  }),
);

const { type: _type, ...amounts } = OrderSnapshot.properties.payment.properties;

export const Quote = Type.Object({
  chain_id: described(Id, 'The chain that the store belongs to.'),
  vendor_id: Type.String({ description: "The store's platform id." }),
  is_accepted: Type.Boolean({
    description: 'Whether an order with these items would be accepted now: the store is open and `errors` is empty.',
  }),
  outlet_status: OneOf(outletStatuses, { description: 'Whether the store is open. A closed store accepts no orders.' }),
  closed_until: Type.Optional(described(Timestamp, 'When the store reopens. Absent if it is open or if not known.')),
  errors: Type.Array(InputError, {
    description:
      'The errors with which the order would be rejected, with pointers to the items, such as `/items/0/sku` with `unavailable`, or `/items/0/quantity` with `above_maximum`. Empty if there are none.',
  }),
  items: Type.Array(
    Type.Object({
      sku: OrderItem.properties.sku,
      name: Type.String({ description: "The title of the product in the store's language." }),
      image_url: OrderItem.properties.image_url,
      pricing: OrderItem.properties.pricing,
      promotion: OrderItem.properties.promotion,
      discount: OrderItem.properties.discount,
      maximum_sales_quantity: Nullable(
        Type.Integer({ description: 'The maximum number of units (or KG) per order. Null if there is no limit.' }),
      ),
    }),
    { description: 'The items without errors, priced as in an order that contains only these items.' },
  ),
  payment: Type.Object(
    { ...amounts, currency: Currency },
    { description: 'What the customer would pay for `items`, with the fees.' },
  ),
  quoted_at: described(Timestamp, 'When the quote was made. Prices, promotions and stock can change at any time.'),
});

const [item] = exampleOrder.items;
const { type: _method, ...exampleAmounts } = exampleOrder.payment;

export const quoteRoutes = {
  platformQuoteBasket: route({
    api: 'platform',
    tag: 'Orders',
    access: 'platform',
    rateLimit: 'platform',
    platformRole: 'READ_ONLY',
    audit: false,
    method: 'POST',
    path: '/platform/v1/quotes',
    summary: 'Quote a basket',
    description:
      'Returns the prices, promotions and limits that an order with these items would have now. The items are checked and priced by the same code as a new order, but nothing is stored, and no stock and no units of a promotion are reserved. Unlike a new order, a basket with items that cannot be sold is not rejected: the response lists the errors and prices the other items.',
    body: {
      required: true,
      maxBytes: itemsBytes,
      schema: QuoteRequest,
      example: {
        chain_id: exampleOrder.client.chain_id,
        vendor_id: 's8ym',
        items: [{ sku: 'MLK-00012', quantity: 2 }],
        payment: { delivery_fee: 5 },
      },
    },
    responses: {
      200: {
        description: 'The quote.',
        schema: Quote,
        example: {
          chain_id: exampleOrder.client.chain_id,
          vendor_id: 's8ym',
          is_accepted: true,
          outlet_status: 'OPEN',
          errors: [],
          items: [
            {
              sku: item?.sku,
              name: item?.name,
              pricing: item?.pricing,
              discount: 0,
              maximum_sales_quantity: null,
            },
          ],
          payment: exampleAmounts,
          quoted_at: '2026-05-04T09:30:00.000Z',
        },
      },
    },
    errors: ['chain_not_found', 'vendor_not_found'],
  }),
};
