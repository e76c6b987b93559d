import Type, { type Static } from 'typebox';
import { described, Id, OneOf, Timestamp } from './common.ts';

/** The states of a question to the customer about a replacement. NONE: there was no question yet. */
export const approvalStates = ['NONE', 'PROPOSED', 'APPROVED', 'REJECTED', 'COUNTERED', 'WITHDRAWN'] as const;
export type ApprovalState = (typeof approvalStates)[number];
export const approvalActions = ['propose', 'withdraw', 'approve', 'reject', 'counter', 'expire', 'close'] as const;
export type ApprovalAction = (typeof approvalActions)[number];
/** `clock`: the deadline has passed. `order`: the order was fulfilled or cancelled. */
export const approvalActors = ['partner', 'platform', 'clock', 'order'] as const;
export type ApprovalActor = (typeof approvalActors)[number];

export const timeoutActions = ['APPROVE', 'REJECT'] as const;
export const ApprovalTerms = Type.Object(
  {
    seconds: Type.Integer({
      minimum: 10,
      maximum: 3600,
      description: 'How long the store waits for the customer, in seconds.',
    }),
    on_timeout: OneOf(timeoutActions, { description: 'What happens if there is no answer in time.' }),
  },
  { description: 'How the customer is asked. Default: 300 seconds, then REJECT.' },
);
export type ApprovalTerms = Static<typeof ApprovalTerms>;

export const Approval = Type.Object(
  {
    proposal_id: described(Id, 'The id of the proposal.'),
    state: OneOf(
      approvalStates.filter((state) => state !== 'NONE'),
      {
        description:
          'PROPOSED: waiting for the customer. APPROVED: the item can be replaced with `sku`. REJECTED: it cannot. COUNTERED: the customer wants `counter_sku` instead. WITHDRAWN: the question is void.',
      },
    ),
    sku: Type.String({ description: 'The SKU of the proposed replacement.' }),
    name: Type.String({ description: 'The title of the proposed replacement.' }),
    unit_price: Type.Number({
      description: 'The price of the proposed replacement per unit or KG, before promotions.',
    }),
    quantity: Type.Optional(Type.Integer({ description: 'The proposed number of units. Absent for KG.' })),
    deadline: described(Timestamp, 'When the waiting ends.'),
    counter_sku: Type.Optional(Type.String({ description: 'The SKU that the customer wants instead.' })),
    counter_name: Type.Optional(
      Type.String({ description: 'The title of the product that the customer wants instead.' }),
    ),
    decided_by: Type.Optional(
      OneOf(['platform', 'clock'], { description: 'Who decided: the platform for the customer, or the deadline.' }),
    ),
  },
  { description: 'The last question to the customer about a replacement of this item. Absent if there was none.' },
);
export type Approval = Static<typeof Approval>;
