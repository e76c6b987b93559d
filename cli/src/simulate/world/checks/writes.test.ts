import assert from 'node:assert/strict';
import test from 'node:test';
import { noEvidence } from '../evidence.ts';
import { newHistory, type Operation, type OperationKind } from '../history.ts';
import { checkWrites } from './writes.ts';

type Other = [kind: OperationKind, outcome: Operation['outcome']];

for (const [kind, others, isViolation] of [
  ['fulfil', [], true],
  ['pickup', [['fulfil', 'acknowledged']], true],
  ['pickup', [['fulfil', 'unknown']], false],
  ['fulfil', [['cancel', 'acknowledged']], false],
  ['fulfil', [['cancel', 'rejected']], true],
  ['cancel', [['fulfil', 'acknowledged']], false],
  ['deliver', [['mistake', 'unknown']], true],
] as [OperationKind, Other[], boolean][]) {
  const before = others.map((other) => other.join(' ')).join(' and ') || 'nothing';
  test(`a ${kind} that the order's status does not allow after ${before} is ${isViolation ? 'a violation' : 'correct'}`, () => {
    const common = { chain: 'chain-1', orderId: 'order', startedAt: 1, attempts: 1 };
    const history = newHistory();
    history.operations.push(
      ...others.map(([other, outcome], index) => ({ ...common, id: `chain-1-op${index}`, kind: other, outcome })),
      {
        ...common,
        id: 'chain-1-op9',
        kind,
        outcome: 'rejected',
        result: { status: 409, code: 'order_state_conflict' },
      },
    );
    const found = checkWrites(history, noEvidence).filter(({ message }) => message.includes('op9'));
    assert.deepEqual(
      found.map(({ rule }) => rule),
      isViolation ? ['valid writes are accepted'] : [],
    );
  });
}
