import Type from 'typebox';
import { Closed, described, Id } from './common.ts';
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

/** The store can make another proposal while the customer decides, so a decision should say which one it is about. */
const decided = {
  proposal_id: Type.Optional(
    described(
      Id,
      'The proposal that the customer has seen: `approval.proposal_id`. If the store has made another one since, the response is 409. If omitted, the decision applies to the current proposal.',
    ),
  ),
};
const decision = {
  required: false,
  schema: Closed(Type.Object(decided)),
  example: { proposal_id: '01890c4e-5a77-7b3a-9c42-0f6a8d1c2b3e' },
} as const;

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
    body: decision,
    responses: response('The order; the approval of the item is APPROVED.'),
    errors: [...errors],
  }),
  platformRejectReplacement: route({
    ...platform,
    method: 'POST',
    path: `${item}/reject-replacement`,
    summary: 'Reject the proposed replacement for the customer',
    body: decision,
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
      schema: Closed(Type.Object({ sku: Sku('The SKU of the product that the customer wants instead.'), ...decided })),
      example: { ...decision.example, sku: 'MLK-00014' },
    },
    responses: response('The order; the approval of the item is COUNTERED.'),
    errors: [...errors, 'item_not_found'],
  }),
};
