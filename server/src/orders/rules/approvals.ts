import type { Approval, ApprovalAction, ApprovalActor, ApprovalState, ApprovalTerms } from '@aisle/contract/approval';
import type { OrderEventType } from '@aisle/contract/events';
import type { PlatformOrderEventType } from '@aisle/contract/platform-events';
import type { Line } from './line.ts';

export type ApprovalTransition = {
  from: readonly ApprovalState[];
  action: ApprovalAction;
  by: ApprovalActor;
  /** The terms to which this transition applies; all terms if absent. */
  for?: Pick<ApprovalTerms, 'on_timeout'>;
  to: Exclude<ApprovalState, 'NONE'>;
  event?: OrderEventType;
  platformEvent?: PlatformOrderEventType;
};

const any = ['NONE', 'PROPOSED', 'APPROVED', 'REJECTED', 'COUNTERED', 'WITHDRAWN'] as const;
const waiting = ['PROPOSED'] as const;
const decided = { event: 'order.replacement_decided' } as const;

/** Every way a question about a replacement can change, with the event that it causes. */
export const approvalTransitions: readonly ApprovalTransition[] = [
  { from: any, action: 'propose', by: 'partner', to: 'PROPOSED', platformEvent: 'order.replacement_proposed' },
  { from: waiting, action: 'withdraw', by: 'partner', to: 'WITHDRAWN', platformEvent: 'order.replacement_withdrawn' },
  { from: waiting, action: 'approve', by: 'platform', to: 'APPROVED', ...decided },
  { from: waiting, action: 'reject', by: 'platform', to: 'REJECTED', ...decided },
  { from: waiting, action: 'counter', by: 'platform', to: 'COUNTERED', ...decided },
  { from: waiting, action: 'expire', by: 'clock', for: { on_timeout: 'APPROVE' }, to: 'APPROVED', ...decided },
  { from: waiting, action: 'expire', by: 'clock', for: { on_timeout: 'REJECT' }, to: 'REJECTED', ...decided },
  // Fulfilling or cancelling the order has an event of its own.
  { from: waiting, action: 'close', by: 'order', to: 'WITHDRAWN' },
];

export const defaultTerms: ApprovalTerms = { seconds: 300, on_timeout: 'REJECT' };

export function findApprovalTransition(
  state: ApprovalState,
  action: ApprovalAction,
  by: ApprovalActor,
  terms: ApprovalTerms,
): ApprovalTransition | undefined {
  return approvalTransitions.find(
    (row) =>
      row.from.includes(state) &&
      row.action === action &&
      row.by === by &&
      (row.for === undefined || row.for.on_timeout === terms.on_timeout),
  );
}

/** How the customer is asked about replacements of this order. Undefined if the store decides. */
export function approvalTermsOf({
  items,
}: {
  items: readonly Pick<Line, 'approvalTerms'>[];
}): ApprovalTerms | undefined {
  return items.find((item) => item.approvalTerms)?.approvalTerms;
}

export function stateOf(approval: Approval | undefined): ApprovalState {
  return approval?.state ?? 'NONE';
}

/** Whether the customer has agreed to this replacement. */
export function isApproved(approval: Approval | undefined, sku: string): boolean {
  if (approval?.state === 'APPROVED') return approval.sku === sku;
  return approval?.state === 'COUNTERED' && approval.counter_sku === sku;
}

/** The replacements in the cart that the customer has not agreed to. */
export function unapproved(lines: readonly Line[]): Line[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return lines.filter(({ replacedId, sku }) => replacedId !== null && !isApproved(byId.get(replacedId)?.approval, sku));
}

/** Questions that are still open when the order is fulfilled or cancelled are void. */
export function closeApprovals<Item extends { approval?: Approval }>(items: Item[], terms: ApprovalTerms): Item[] {
  return items.map((item) => {
    const row = findApprovalTransition(stateOf(item.approval), 'close', 'order', terms);
    return row && item.approval ? { ...item, approval: { ...item.approval, state: row.to } } : item;
  });
}
