import Type from 'typebox';
import { Timestamp, described } from './common.ts';
import {
  ClaimInput,
  exampleCandidate,
  exampleMarks,
  examplePickingSettings,
  examplePickingState,
  exampleQueue,
  FoundProducts,
  MarksInput,
  PickingSettings,
  PickingSettingsInput,
  PickingState,
  QueuedOrder,
  ReplacementCandidate,
} from './picking-state.ts';
import { exampleProduct } from './product.ts';
import { itemsBytes, route } from './route.ts';

const picking = { api: 'partner', tag: 'Picking' } as const;
const state = (description: string) => ({
  200: { description, schema: PickingState, example: examplePickingState },
});

export const pickingRoutes = {
  listPickingQueue: route({
    ...picking,
    method: 'GET',
    path: '/v2/chains/{chain_id}/picking/queue',
    summary: 'List the orders to pick',
    description:
      'The orders with the status RECEIVED in all stores that the caller can access, sorted by `promised_for` (by `created_at` for orders to be delivered as soon as possible), earliest first. At most 500.',
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object({
      vendor_id: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          maxItems: 200,
          description:
            'Return only orders of these vendors, given by platform id or external id, separated by commas or as repeated parameters.',
        }),
      ),
    }),
    responses: {
      200: {
        description: 'The orders, and the current time.',
        schema: Type.Object({
          orders: Type.Array(QueuedOrder, { description: 'The orders, most urgent first.' }),
          has_more: Type.Boolean({ description: 'Whether there are more than 500 orders. If so, filter by vendor.' }),
          server_time: described(
            Timestamp,
            'The current time at the server, for showing how long an order has been waiting.',
          ),
        }),
        example: exampleQueue,
      },
    },
    errors: ['vendor_not_found'],
  }),

  getPicking: route({
    ...picking,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders/{order_id}/picking',
    summary: 'Get what has been picked of an order, or wait for a change',
    description:
      'Who is picking the order, and what has been marked. With `version` and `wait_seconds`, the request is held open until the state differs from that version (long polling): another picker marked an item, a claim began or ended, or the order was fulfilled or cancelled. If nothing changes, the same state is returned after the time has passed.',
    access: 'orders:read',
    rateLimit: 'read',
    query: Type.Object({
      version: Type.Optional(
        Type.String({ maxLength: 100, description: 'The `version` of the state that the device shows.' }),
      ),
      wait_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 20,
          default: 0,
          description: 'The maximum number of seconds to wait for a change. Has no effect without `version`.',
        }),
      ),
    }),
    responses: state('The picking state.'),
    errors: ['order_not_found'],
  }),

  claimOrder: route({
    ...picking,
    method: 'POST',
    path: '/v2/chains/{chain_id}/orders/{order_id}/picking/claim',
    summary: 'Start picking an order, join its pickers, or take it over',
    description:
      'A claim shows the other pickers that someone is working on the order; it does not lock the order. It expires after 10 minutes (the operator can change this) without a mark. Claiming again renews it, so send the request every few minutes while the order is open on the device.',
    access: 'orders:write',
    rateLimit: 'order_write',
    body: { required: false, schema: ClaimInput, example: { mode: 'SHARE' } },
    responses: state('The picking state, with the caller among the pickers.'),
    errors: ['order_not_found', 'order_claimed', 'order_changed'],
  }),

  releaseOrder: route({
    ...picking,
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/orders/{order_id}/picking/claim',
    summary: 'Stop picking an order',
    description: "Ends the caller's claim, if there is one. What has been marked stays.",
    access: 'orders:write',
    rateLimit: 'order_write',
    responses: state('The picking state, without the caller among the pickers.'),
    errors: ['order_not_found'],
  }),

  markItems: route({
    ...picking,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/orders/{order_id}/picking/marks',
    summary: 'Store what has been picked so far',
    description: [
      'The marks are a draft that all devices of the store share. They are applied in the order of the list, and the last mark of a line wins, in the order in which the server receives them. A mark whose `mark_id` was already stored is ignored, so a device can send marks again if it did not get a response. Finish the order with `putOrder`.',
      "If the order's revision is not `order_revision`, or the order can no longer be picked, nothing is stored and the response is 409 `order_changed`. Marks also renew the caller's claim. A picker without a claim can send marks, too: the marks are stored, and the caller gets a claim if there is no other picker.",
    ].join('\n\n'),
    access: 'orders:write',
    rateLimit: 'order_write',
    body: { required: true, maxBytes: itemsBytes, schema: MarksInput, example: exampleMarks },
    responses: state('The picking state after the marks.'),
    errors: ['order_not_found', 'order_changed'],
  }),

  listReplacementCandidates: route({
    ...picking,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders/{order_id}/items/{item_id}/replacement-candidates',
    summary: 'List products that can replace an item',
    description:
      "At most 7 products of the store that can be ordered now, and never the item itself or another product in the order. The customer's suggestions come first, then products of the same category and products with a similar title, those with a similar price first.",
    access: 'orders:read',
    rateLimit: 'read',
    responses: {
      200: {
        description: 'The candidates, best first.',
        schema: Type.Object({
          candidates: Type.Array(ReplacementCandidate, { description: 'The candidates; may be empty.' }),
        }),
        example: { candidates: [exampleCandidate] },
      },
    },
    errors: ['order_not_found', 'order_item_not_found'],
  }),

  findPickingProducts: route({
    ...picking,
    method: 'GET',
    path: '/v2/chains/{chain_id}/orders/{order_id}/picking/products',
    summary: 'Find products to add to an order or to replace an item',
    description:
      "Searches the catalog of the order's store, by a scanned code or by words. `code` and `query` cannot be combined; without both, the first products by SKU are returned. A code is compared with barcodes and SKUs. If no product has it, it is read as a barcode printed by a scale, as configured in the picking settings, and `embedded` contains the weight or the price.",
    access: 'orders:write',
    rateLimit: 'read',
    query: Type.Object({
      code: Type.Optional(Type.String({ maxLength: 128, description: 'A scanned barcode, or a SKU.' })),
      query: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Matches any part of the title in any language, or the beginning of a SKU or barcode.',
        }),
      ),
    }),
    responses: {
      200: {
        description: 'The products that match.',
        schema: FoundProducts,
        example: { products: [exampleProduct], embedded: null },
      },
    },
    errors: ['order_not_found'],
  }),

  getPickingSettings: route({
    ...picking,
    method: 'GET',
    path: '/v2/chains/{chain_id}/picking/settings',
    summary: 'Get the picking settings',
    access: 'orders:read',
    rateLimit: 'read',
    responses: {
      200: { description: 'The settings.', schema: PickingSettings, example: examplePickingSettings },
    },
    errors: [],
  }),

  updatePickingSettings: route({
    ...picking,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/picking/settings',
    summary: 'Replace the picking settings',
    description: 'The settings apply to all stores of the chain.',
    access: 'manage',
    rateLimit: 'manage_write',
    body: { required: true, schema: PickingSettingsInput, example: examplePickingSettings },
    responses: {
      200: { description: 'The new settings.', schema: PickingSettings, example: examplePickingSettings },
    },
    errors: [],
  }),
};
