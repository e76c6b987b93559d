import Type from 'typebox';
import { Closed, described, Id, Money, OneOf, TimestampInput } from './common.ts';
import { ApprovalTerms } from './approval.ts';
import { TransportType } from './identity.ts';
import { DeliveryAddress } from './address.ts';
import { cancellingParties, exampleOrder, Order, orderTypes } from './order.ts';
import { itemsBytes, route } from './route.ts';
import { skuLength } from './sizes.ts';

const Sku = Type.String({ minLength: 1, maxLength: skuLength, description: "A SKU from the store's catalog." });
const PersonName = Type.String({ minLength: 1, maxLength: 200, description: 'The name, up to 200 characters.' });
const maxAmount = 100_000;

export const NewOrder = Closed(
  Type.Object({
    chain_id: described(Id, 'The chain that the store belongs to.'),
    vendor_id: Type.String({ description: 'The platform id or external id of the vendor.' }),
    transport_type: Type.Optional(TransportType),
    order_type: Type.Optional(
      OneOf(orderTypes, { description: 'Default: DELIVERY. PICKUP is only allowed with LOGISTICS_DELIVERY.' }),
    ),
    customer: Type.Object(
      {
        first_name: PersonName,
        last_name: Type.Optional(PersonName),
        phone_number: Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'The phone number, as the customer entered it.',
        }),
        delivery_address: Type.Optional(DeliveryAddress),
      },
      { description: 'The customer who places the order.' },
    ),
    items: Type.Array(
      Type.Object({
        sku: Sku,
        quantity: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: maxAmount,
            description: 'The number of units, for products sold by unit.',
          }),
        ),
        weight: Type.Optional(
          Type.Number({
            minimum: 0.001,
            maximum: maxAmount,
            description: 'The weight in KG, for products sold by weight.',
          }),
        ),
        instructions: Type.Optional(Type.String({ maxLength: 500, description: 'A note for the picker.' })),
        replacement: Type.Optional(
          Type.Object(
            {
              preference: Type.String({
                maxLength: 64,
                description: "The customer's choice, passed on to the store unchanged.",
              }),
              suggestions: Type.Optional(
                Type.Array(Type.Object({ sku: Sku }), {
                  maxItems: 20,
                  description: 'Products that the customer would accept instead.',
                }),
              ),
            },
            { description: 'What the customer chose in case the item is unavailable.' },
          ),
        ),
      }),
      { minItems: 1, maxItems: 500, description: 'The ordered items. Each SKU can appear only once.' },
    ),
    payment: Type.Object(
      {
        type: Type.String({ minLength: 1, maxLength: 64, description: 'The payment method, e.g. PAID or CASH.' }),
        delivery_fee: Type.Optional(Money),
        service_fee: Type.Optional(Money),
      },
      { description: 'How the customer pays, and the fees.' },
    ),
    comment: Type.Optional(Type.String({ maxLength: 1000, description: "The customer's comment on the order." })),
    external_order_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Your id for the order, unique within the chain. An empty string is treated as absent. If the chain already has an order with this id, the response is 409 with the `order_id` of that order.',
      }),
    ),
    replacement_policy: Type.Optional(
      OneOf(['ASK', 'STORE'], {
        description:
          'ASK: the store proposes replacements, and the customer has to approve them. Default: STORE, which means that the store decides.',
      }),
    ),
    replacement_approval: Type.Optional(ApprovalTerms),
    promised_for: Type.Optional(
      described(
        TimestampInput,
        'The time promised to the customer. If absent, as soon as possible. UTC is assumed if there is no offset.',
      ),
    ),
  }),
);

const platform = {
  api: 'platform',
  tag: 'Orders',
  access: 'platform',
  rateLimit: 'platform',
  audit: false,
} as const;
const response = (description: string, example: Order = exampleOrder) => ({
  200: { description, schema: Order, example, headers: ['etag'] as const },
});

export const platformOrderRoutes = {
  platformPlaceOrder: route({
    ...platform,
    method: 'POST',
    path: '/platform/v1/orders',
    summary: 'Place an order for a customer',
    description:
      'Prices come from the catalog and the running promotions. If an item cannot be sold, the request is rejected with a pointer to the item, and nothing is stored.',
    body: {
      required: true,
      maxBytes: itemsBytes,
      schema: NewOrder,
      example: {
        chain_id: exampleOrder.client.chain_id,
        vendor_id: 's8ym',
        customer: { first_name: 'Sam', phone_number: '+971500000000' },
        items: [{ sku: 'MLK-00012', quantity: 2 }],
        payment: { type: 'PAID', delivery_fee: 5 },
      },
    },
    responses: {
      201: {
        description: 'The new order, with status RECEIVED.',
        schema: Order,
        example: exampleOrder,
        headers: ['etag'],
      },
    },
    errors: ['chain_not_found', 'vendor_not_found', 'vendor_closed', 'external_order_id_taken'],
  }),

  platformGetOrder: route({
    ...platform,
    method: 'GET',
    path: '/platform/v1/orders/{order_id}',
    summary: 'Get an order of any age from any chain',
    responses: response('The order.'),
    errors: ['order_not_found'],
  }),

  platformCancelOrder: route({
    ...platform,
    method: 'POST',
    path: '/platform/v1/orders/{order_id}/cancel',
    summary: 'Cancel an order on behalf of the customer or logistics',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          cancelled_by: OneOf(cancellingParties, { description: 'Who cancels the order.' }),
          reason: Type.String({ minLength: 1, maxLength: 64, description: 'The reason, which is shown to the store.' }),
        }),
      ),
      example: { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' },
    },
    responses: response('The cancelled order.'),
    errors: ['order_not_found', 'order_state_conflict'],
  }),

  platformPickUpOrder: route({
    ...platform,
    method: 'POST',
    path: '/platform/v1/orders/{order_id}/pickup',
    summary: 'Mark an order as picked up by the rider',
    responses: response('The order, with status DISPATCHED.'),
    errors: ['order_not_found', 'order_state_conflict'],
  }),

  platformDeliverOrder: route({
    ...platform,
    method: 'POST',
    path: '/platform/v1/orders/{order_id}/deliver',
    summary: 'Mark an order as delivered',
    responses: response('The order, with status DELIVERED.'),
    errors: ['order_not_found', 'order_state_conflict'],
  }),

  platformCollectOrder: route({
    ...platform,
    method: 'POST',
    path: '/platform/v1/orders/{order_id}/collect',
    summary: 'Mark an order as collected by the customer',
    responses: response('The order, with status PICKED_UP.'),
    errors: ['order_not_found', 'order_state_conflict'],
  }),
};
