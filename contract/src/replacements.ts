import Type from 'typebox';
import { Closed } from './common.ts';
import { exampleOrder, Order } from './order.ts';
import { pickingRoutes } from './picking.ts';
import { route } from './route.ts';
import { skuLength } from './sizes.ts';

const Sku = (description: string) => Type.String({ minLength: 1, maxLength: skuLength, description });
const response = (description: string) => ({
  200: { description, schema: Order, example: exampleOrder, headers: ['etag'] as const },
});
const partner = { api: 'partner', tag: 'Orders', access: 'orders:write', rateLimit: 'order_write' } as const;
const platform = { api: 'platform', tag: 'Orders', access: 'platform', rateLimit: 'platform' } as const;
const item = '/platform/v1/orders/{order_id}/items/{item_id}' as const;
const errors = ['order_not_found', 'order_item_not_found', 'order_state_conflict', 'approval_state_conflict'] as const;

/** Replacements that the customer has to approve. */
export const replacementRoutes = {
  proposeReplacement: route({
    ...partner,
    method: 'POST',
    path: '/v2/chains/{chain_id}/orders/{order_id}/items/{item_id}/propose-replacement',
    summary: 'Ask the customer whether an item can be replaced',
    description:
      "Only for orders with `replacement_policy` ASK. The answer is in the item's `approval`, and the event `order.replacement_decided` is sent. Once the replacement is approved, replace the item in the PUT. A new proposal for the same item replaces the last one.",
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          sku: Sku('The SKU of the replacement.'),
          quantity: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 100_000, description: 'The number of units. Default: as ordered.' }),
          ),
        }),
      ),
      example: { sku: 'MLK-00013', quantity: 1 },
    },
    responses: response('The order; the approval of the item is PROPOSED.'),
    errors: [...errors, 'item_not_found', 'approval_not_required'],
  }),
  withdrawReplacement: route({
    ...partner,
    method: 'POST',
    path: '/v2/chains/{chain_id}/orders/{order_id}/items/{item_id}/withdraw-replacement',
    summary: 'Withdraw the question about a replacement',
    responses: response('The order; the approval of the item is WITHDRAWN.'),
    errors: [...errors],
  }),
  platformListReplacementCandidates: route({
    ...platform,
    method: 'GET',
    path: `${item}/replacement-candidates`,
    summary: 'List products that can replace an item',
    description: pickingRoutes.listReplacementCandidates.description,
    responses: pickingRoutes.listReplacementCandidates.responses,
    errors: ['order_not_found', 'order_item_not_found'],
  }),
  platformApproveReplacement: route({
    ...platform,
    method: 'POST',
    path: `${item}/approve-replacement`,
    summary: 'Approve the proposed replacement for the customer',
    responses: response('The order; the approval of the item is APPROVED.'),
    errors: [...errors],
  }),
  platformRejectReplacement: route({
    ...platform,
    method: 'POST',
    path: `${item}/reject-replacement`,
    summary: 'Reject the proposed replacement for the customer',
    responses: response('The order; the approval of the item is REJECTED.'),
    errors: [...errors],
  }),
  platformCounterReplacement: route({
    ...platform,
    method: 'POST',
    path: `${item}/counter-replacement`,
    summary: 'Choose another replacement for the customer',
    description: 'The store can replace the item with this product without asking again, or make another proposal.',
    body: {
      required: true,
      schema: Closed(Type.Object({ sku: Sku('The SKU of the product that the customer wants instead.') })),
      example: { sku: 'MLK-00014' },
    },
    responses: response('The order; the approval of the item is COUNTERED.'),
    errors: [...errors, 'item_not_found'],
  }),
};
