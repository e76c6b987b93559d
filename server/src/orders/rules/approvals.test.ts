import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type Approval,
  type ApprovalAction,
  approvalActions,
  type ApprovalActor,
  approvalActors,
  type ApprovalState,
  approvalStates,
  timeoutActions,
} from '@aisle/contract/approval';
import { approvalTransitions, closeApprovals, defaultTerms, findApprovalTransition, isApproved } from './approvals.ts';

/** What is expected, written down a second time and in another form: everything else is not allowed. */
const proposed: [ApprovalActor, ApprovalAction, ApprovalState][] = [
  ['partner', 'withdraw', 'WITHDRAWN'],
  ['platform', 'approve', 'APPROVED'],
  ['platform', 'reject', 'REJECTED'],
  ['platform', 'counter', 'COUNTERED'],
  ['order', 'close', 'WITHDRAWN'],
];

for (const on_timeout of timeoutActions) {
  for (const state of approvalStates) {
    for (const action of approvalActions) {
      for (const actor of approvalActors) {
        const expected = expectedState(state, action, actor, on_timeout);
        test(`${state}, ${action} by ${actor}, ${on_timeout} on timeout: ${expected ?? 'not allowed'}`, () => {
          const found = findApprovalTransition(state, action, actor, { seconds: 60, on_timeout });
          assert.equal(found?.to, expected);
        });
      }
    }
  }
}

function expectedState(
  state: ApprovalState,
  action: ApprovalAction,
  actor: ApprovalActor,
  onTimeout: 'APPROVE' | 'REJECT',
): ApprovalState | undefined {
  if (action === 'propose' && actor === 'partner') return 'PROPOSED';
  if (state !== 'PROPOSED') return undefined;
  if (action === 'expire' && actor === 'clock') return onTimeout === 'APPROVE' ? 'APPROVED' : 'REJECTED';
  return proposed.find(([by, what]) => by === actor && what === action)?.[2];
}

test('every change has one event, except that the order has its own when it closes questions', () => {
  for (const { action, event, platformEvent } of approvalTransitions) {
    const count = [event, platformEvent].filter(Boolean).length;
    assert.equal(count, action === 'close' ? 0 : 1, action);
  }
});

const approval = {
  proposal_id: 'p',
  sku: 'A',
  name: 'A',
  unit_price: 1,
  deadline: '2026-05-04T09:30:00.000Z',
} as const;

test('only the approved product, or the one that the customer named, can be a replacement', () => {
  assert.equal(isApproved(undefined, 'A'), false);
  assert.equal(isApproved({ ...approval, state: 'PROPOSED' }, 'A'), false);
  assert.equal(isApproved({ ...approval, state: 'APPROVED' }, 'A'), true);
  assert.equal(isApproved({ ...approval, state: 'APPROVED' }, 'B'), false);
  assert.equal(isApproved({ ...approval, state: 'COUNTERED', counter_sku: 'B' }, 'B'), true);
  assert.equal(isApproved({ ...approval, state: 'COUNTERED', counter_sku: 'B' }, 'A'), false);
});

test('closing an order withdraws open questions and leaves the others', () => {
  const items: { approval?: Approval }[] = [
    { approval: { ...approval, state: 'PROPOSED' } },
    {},
    { approval: { ...approval, state: 'REJECTED' } },
  ];
  const states = closeApprovals(items, defaultTerms).map((item) => item.approval?.state);
  assert.deepEqual(states, ['WITHDRAWN', undefined, 'REJECTED']);
});
