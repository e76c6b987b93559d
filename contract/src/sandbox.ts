import Type from 'typebox';
import { Closed, described, Id, Nullable, OneOf } from './common.ts';
import { TransportType } from './identity.ts';
import { cancellingParties, exampleOrder, Order } from './order.ts';
import { NewOrder } from './platform-orders.ts';
import { itemsBytes, route } from './route.ts';
import { skuLength } from './sizes.ts';

const Reason = Type.String({ minLength: 1, maxLength: 64, description: 'The reason, which is shown to the store.' });
export const TestOrder = Type.Object({
  status: OneOf(['READY_FOR_PICKUP', 'CANCELLED'], {
    description:
      'The expected outcome. READY_FOR_PICKUP: you fulfil the order with PUT (with status DISPATCHED for VENDOR_DELIVERY). CANCELLED: the order is cancelled automatically.',
  }),
  transport_type: TransportType,
  cancelled_by: Type.Optional(OneOf(cancellingParties, { description: 'Used with CANCELLED. Default: CUSTOMER.' })),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Used with CANCELLED. Default: TEST_ORDER.' }),
  ),
  items: Type.Array(
    Type.Object({
      sku: Type.String({ minLength: 1, maxLength: skuLength, description: "A SKU from the store's catalog." }),
      status: OneOf(['IN_CART', 'NOT_FOUND'], { description: 'The expected status of the item after picking.' }),
      quantity: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100_000, description: 'The number of units. Default: 1.' }),
      ),
      weight: Type.Optional(
        Type.Number({ minimum: 0.001, maximum: 100_000, description: 'The weight in KG. Default: 1.' }),
      ),
    }),
    { minItems: 1, maxItems: 500, description: 'The ordered items, and the expected result for each.' },
  ),
});
export const TestOrderInput = Closed(TestOrder);
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
export const SandboxOrder = Closed(Type.Object(newOrderFields));
const sandboxErrors = ['order_not_found', 'order_state_conflict', 'sandbox_unavailable'] as const;

export const SandboxRider = Type.Object({
  after_seconds: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      description: 'The delay in seconds before each step of the simulated rider. Null disables the rider.',
    }),
  ),
});
export const SandboxRiderInput = Closed(SandboxRider);
const rider = (description: string) => ({
  200: { description, schema: SandboxRider, example: { after_seconds: 5 } },
});

export const sandboxRoutes = {
  createTestOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/test-orders',
    summary: 'Send a test order',
    description:
      'Sends an order to your webhook, regardless of stock and even if the store is closed. Stock is not changed. Requires an integration type, an enabled integration and a webhook. Otherwise, `missing` lists what is not set up.',
    body: { required: true, maxBytes: itemsBytes, schema: TestOrderInput, example: exampleTestOrder },
    responses: {
      201: {
        description: 'The test order, with status RECEIVED. Its event is sent in the background.',
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
    summary: 'Compare a test order with the expected outcome',
    responses: {
      200: {
        description: 'The expected outcome and the current order.',
        schema: Type.Object({
          order_id: described(Id, 'The id of the test order.'),
          expected: described(TestOrder, 'The expected outcome, as requested.'),
          order: described(Order, 'The current order.'),
        }),
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
    summary: 'Place an order at a test store as the customer',
    description: 'The same rules apply as for orders placed by the platform.',
    body: {
      required: true,
      maxBytes: itemsBytes,
      schema: SandboxOrder,
      example: {
        vendor_id: 's8ym',
        customer: { first_name: 'Sam', phone_number: '+971500000000' },
        items: [{ sku: 'MLK-00012', quantity: 2 }],
        payment: { type: 'PAID' },
      },
    },
    responses: { 201: { description: 'The new order, with status RECEIVED.', schema: Order, example: exampleOrder } },
    errors: ['vendor_not_found', 'vendor_closed', 'sandbox_unavailable', 'external_order_id_taken'],
  }),

  getSandboxRider: route({
    ...sandbox,
    role: 'VIEWER',
    rateLimit: 'read',
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/sandbox/rider',
    summary: "Get a test store's simulated rider",
    responses: rider('The current configuration.'),
    errors: [],
  }),

  putSandboxRider: route({
    ...sandbox,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/sandbox/rider',
    summary: "Configure a test store's simulated rider",
    description:
      'An order is picked up (or collected by the customer) `after_seconds` seconds after it is ready, and delivered after the same delay. This also applies to orders that are already waiting. You can still perform a step earlier, in the portal or with the API.',
    body: { required: true, schema: SandboxRiderInput, example: { after_seconds: 5 } },
    responses: rider('The updated configuration.'),
    errors: ['sandbox_unavailable'],
  }),

  sandboxCancelOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders/{order_id}/cancel',
    summary: 'Cancel an order at a test store as the customer or logistics',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          cancelled_by: OneOf(cancellingParties, { description: 'Who cancels the order.' }),
          reason: Reason,
        }),
      ),
      example: { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' },
    },
    responses: order('The cancelled order.'),
    errors: sandboxErrors,
  }),

  sandboxPickUpOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders/{order_id}/pickup',
    summary: 'Pick up an order at a test store as the rider',
    responses: order('The order, with status DISPATCHED.'),
    errors: sandboxErrors,
  }),

  sandboxDeliverOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders/{order_id}/deliver',
    summary: 'Deliver an order at a test store as the rider',
    responses: order('The order, with status DELIVERED.'),
    errors: sandboxErrors,
  }),

  sandboxCollectOrder: route({
    ...sandbox,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sandbox/orders/{order_id}/collect',
    summary: 'Collect an order at a test store as the customer',
    responses: order('The order, with status PICKED_UP.'),
    errors: sandboxErrors,
  }),
};
