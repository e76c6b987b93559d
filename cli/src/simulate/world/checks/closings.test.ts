import assert from 'node:assert/strict';
import test from 'node:test';
import { newHistory, type Operation } from '../history.ts';
import { checkClosings } from './closings.ts';

type Step = [kind: 'close' | 'open', startedAt: number, endedAt: number, outcome?: Operation['outcome']];

/** An order is placed from 14 to 16, at a store that is open at first and then changes like this. */
const closed: Step[] = [['close', 10, 11]];
const opened: Step[] = [
  ['close', 5, 6],
  ['open', 10, 11],
];

for (const [name, steps, order, expected] of [
  ['accepted by an open store', [], 'accepted', 0],
  ['accepted by a closed store', closed, 'accepted', 1],
  ['accepted by a store that opened again', opened, 'accepted', 0],
  ['accepted while the store was closing', [['close', 13, 15]], 'accepted', 0],
  ['accepted while the store was opening', [...closed, ['open', 15, 18]], 'accepted', 0],
  ['accepted by a store that may have opened', [...closed, ['open', 12, 13, 'unknown']], 'accepted', 0],
  ['accepted by a store that may have closed', [['close', 10, 11, 'unknown']], 'accepted', 0],
  ['accepted by a store whose closing was rejected', [['close', 10, 11, 'rejected']], 'accepted', 0],
  ['rejected by an open store', [], 'refused', 1],
  ['rejected by a closed store', closed, 'refused', 0],
  ['rejected by a store that opened again', opened, 'refused', 1],
  ['rejected while the store was opening', [...closed, ['open', 13, 15]], 'refused', 0],
  [
    'rejected by a store that may have closed late',
    [
      ['close', 5, 6, 'unknown'],
      ['open', 7, 8],
    ],
    'refused',
    0,
  ],
] as [string, Step[], 'accepted' | 'refused', number][]) {
  test(`an order that is ${name} is ${expected === 0 ? 'correct' : 'a violation'}`, () => {
    const history = newHistory();
    const common = { chain: 'chain-1', vendorId: 'store', attempts: 1 };
    history.operations.push(
      ...steps.map(
        ([kind, startedAt, endedAt, outcome = 'acknowledged']): Operation => ({
          ...common,
          id: `chain-1-op${startedAt}`,
          kind,
          startedAt,
          endedAt,
          outcome,
        }),
      ),
      {
        ...common,
        id: 'chain-1-op99',
        kind: 'place',
        startedAt: 14,
        endedAt: 16,
        outcome: order === 'accepted' ? 'acknowledged' : 'rejected',
        result: order === 'accepted' ? { status: 201, orderId: 'order' } : { status: 400, code: 'vendor_closed' },
      },
    );
    const found = checkClosings(history).map(({ rule }) => rule);
    assert.deepEqual(
      found,
      Array.from({ length: expected }, () => 'closed stores accept no orders'),
    );
  });
}
