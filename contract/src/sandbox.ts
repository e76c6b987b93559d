import Type from 'typebox';
import { Id, Nullable, OneOf } from './common.ts';
import { TransportType } from './identity.ts';
import { cancellingParties, exampleOrder, Order } from './order.ts';
import { NewOrder } from './platform-orders.ts';
import { route } from './route.ts';
import { skuLength } from './sizes.ts';

const Reason = Type.String({ minLength: 1, maxLength: 64 });
const TestOrder = Type.Object({
  status: OneOf(['READY_FOR_PICKUP', 'CANCELLED'], {
    description:
      'How it shall end. READY_FOR_PICKUP: you fulfil it by PUT (with VENDOR_DELIVERY as DISPATCHED). CANCELLED: the cancellation follows by itself.',
  }),
  transport_type: TransportType,
  cancelled_by: Type.Optional(OneOf(cancellingParties, { description: 'With CANCELLED; default CUSTOMER.' })),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'With CANCELLED; default TEST_ORDER.' }),
  ),
  items: Type.Array(
    Type.Object({
      sku: Type.String({ minLength: 1, maxLength: skuLength }),
      status: OneOf(['IN_CART', 'NOT_FOUND'], { description: 'How you mean to pick it.' }),
      quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Default 1.' })),
      weight: Type.Optional(Type.Number({ minimum: 0.001, maximum: 100_000, description: 'KG; default 1.' })),
    }),
    { minItems: 1, maxItems: 500 },
  ),
});
const exampleTestOrder = {
  status: 'READY_FOR_PICKUP',
  transport_type: 'LOGISTICS_DELIVERY',
  items: [{ sku: 'MLK-00012', status: 'IN_CART', quantity: 2 }],
} as const;

const sandbox = {
  api: 'partner',
  tag: 'Sandbox',
  access: 'manage',
  role: 'MANAGER',
  rateLimit: 'manage_write',
} as const;
const order = (description: string) => ({ 200: { description, schema: Order, example: exampleOrder } });
const { chain_id: _chain, ...newOrderFields } = NewOrder.properties;
const played = ['order_not_found', 'order_state_conflict', 'sandbox_unavailable'] as const;

const Rider = Type.Object({
  after_seconds: Nullable(
    Type.Integer({ minimum: 1, maximum: 600, description: 'How long it takes its time; null: none comes by itself.' }),
  ),
});
const rider = (description: string) => ({
  200: { description, schema: Rider, example: { after_seconds: 5 } },
});

export const sandboxRoutes = {
  createTestOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/test-orders',
    summary: 'Send a test order to your webhook',
    description:
      'Neither stock nor opening hours matter, and no stock moves. Needs an integration type, a webhook, and the integration switched on; `missing` names what is not there.',
    body: { required: true, schema: TestOrder, example: exampleTestOrder },
    responses: {
      201: {
        description: 'The order in RECEIVED; its event is on the way.',
        schema: Order,
        example: { ...exampleOrder, is_test: true },
      },
    },
    errors: ['test_order_unavailable'],
  }),

  getTestOrder: route({
    ...sandbox,
    role: 'VIEWER',
    rateLimit: 'read',
    method: 'GET',
    path: '/v2/chains/{chain_id}/test-orders/{order_id}',
    summary: 'Compare what became of a test order with what was expected',
    responses: {
      200: {
        description: 'The expectation and the order as it is now.',
        schema: Type.Object({ order_id: Id, expected: TestOrder, order: Order }),
        example: {
          order_id: exampleOrder.order_id,
          expected: exampleTestOrder,
          order: { ...exampleOrder, is_test: true },
        },
      },
    },
    errors: ['order_not_found'],
  }),

  sandboxPlaceOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders',
    summary: 'Play the customer: place an order at a test store',
    description: 'The same as the platform does, with all its rules, for stores that are there for trying things out.',
    body: {
      required: true,
      schema: Type.Object(newOrderFields),
      example: {
        vendor_id: 's8ym',
        customer: { first_name: 'Sam', phone_number: '+971500000000' },
        items: [{ sku: 'MLK-00012', quantity: 2 }],
        payment: { type: 'PAID' },
      },
    },
    responses: { 201: { description: 'The order in RECEIVED.', schema: Order, example: exampleOrder } },
    errors: ['vendor_not_found', 'vendor_closed', 'sandbox_unavailable'],
  }),

  getSandboxRider: route({
    ...sandbox,
    role: 'VIEWER',
    rateLimit: 'read',
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/sandbox/rider',
    summary: 'Read whether a rider comes to a test store by itself',
    responses: rider('After how many seconds it comes, if at all.'),
    errors: [],
  }),

  putSandboxRider: route({
    ...sandbox,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/sandbox/rider',
    summary: 'Let a rider come to a test store by itself',
    description:
      'So many seconds after an order is ready it is picked up (or collected by its customer), and as long after that delivered. Orders that wait already are fetched too. Whoever is quicker, a person or a call, goes first.',
    body: { required: true, schema: Rider, example: { after_seconds: 5 } },
    responses: rider('As it is set now.'),
    errors: ['sandbox_unavailable'],
  }),

  sandboxCancelOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders/{order_id}/cancel',
    summary: 'Play the customer or logistics: cancel an order of a test store',
    body: {
      required: true,
      schema: Type.Object({ cancelled_by: OneOf(cancellingParties), reason: Reason }),
      example: { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' },
    },
    responses: order('The cancelled order.'),
    errors: played,
  }),

  sandboxPickUpOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders/{order_id}/pickup',
    summary: 'Play the rider: pick an order of a test store up',
    responses: order('The order in DISPATCHED.'),
    errors: played,
  }),

  sandboxDeliverOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders/{order_id}/deliver',
    summary: 'Play the rider: deliver an order of a test store',
    responses: order('The order in DELIVERED.'),
    errors: played,
  }),

  sandboxCollectOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders/{order_id}/collect',
    summary: 'Play the customer: collect an order at a test store',
    responses: order('The order in PICKED_UP.'),
    errors: played,
  }),
};
