import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleOrder, type Order } from '@aisle/contract/order';
import { checkStep, type Clock, type Observed, quietSeconds } from './check-step.ts';
import type { Plan } from './plan.ts';
import {
  accepted,
  cancelledByStore,
  type Check,
  conflict,
  fulfilled,
  quietAfterDuplicate,
  rejectedSignature,
} from './steps.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 4, 4, 9, 30, seconds));
const clock = (seconds: number): Clock => ({ now: at(seconds), startedAt: at(0), actedAt: at(0), stepSeconds: 10 });
const plan: Plan = { items: [{ do: 'PICK', sku: 'MLK-00012', ordered: 2, quantity: 2 }], order: null };
const nothing: Observed = { order: exampleOrder, deliveries: [], puts: [] };

const attempted = (...statuses: (number | null)[]): Observed => ({
  ...nothing,
  deliveries: [
    {
      delivery_id: 'd',
      type: 'order.received',
      attempts: statuses.map((status, index) => ({
        attempt_no: index + 1,
        outcome: status === null ? 'timeout' : status < 300 ? 'success' : 'http_error',
        http_status: status,
      })),
    },
  ],
});
const put = (status: number, seconds: number) => ({ request_id: `r${seconds}`, received_at: at(seconds), status });
const picked = (status: Order['status'], quantity: number): Order => ({
  ...exampleOrder,
  status,
  items: exampleOrder.items.map((item) => ({ ...item, status: 'IN_CART', pricing: { ...item.pricing, quantity } })),
});
const cancelled = (cancelled_by: string): Order => ({
  ...exampleOrder,
  status: 'CANCELLED',
  cancellation: { cancelled_by, reason: 'ITEM_UNAVAILABLE' },
});

const cases: [what: string, check: Check, observed: Observed, seconds: number, status: string, actual?: RegExp][] = [
  ['a message that was not sent yet', accepted('received'), nothing, 1, 'RUNNING'],
  ['a message that was never sent', accepted('received'), nothing, 10, 'FAILED', /No message was sent within 10/],
  ['a message that got 200', accepted('received'), attempted(200), 1, 'PASSED', /returned 200/],
  ['a message that got 500', accepted('received'), attempted(500), 1, 'FAILED', /returned 500/],
  ['a message that got 500 before a retry', accepted('received'), attempted(500, 200), 1, 'FAILED', /returned 500/],
  ['a message that timed out', accepted('received'), attempted(null), 1, 'FAILED', /timeout/],
  ['a second message that was not sent yet', accepted('received', 2), attempted(200), 1, 'RUNNING'],
  ['a forged message that got 401', rejectedSignature, attempted(401), 1, 'PASSED', /returned 401/],
  ['a forged message that got 200', rejectedSignature, attempted(200), 1, 'FAILED', /returned 200/],
  ['a forged message without a response', rejectedSignature, attempted(null), 1, 'FAILED', /No response/],
  ['an order that is not picked yet', fulfilled, nothing, 1, 'RUNNING'],
  ['an order that is never picked', fulfilled, nothing, 10, 'FAILED', /still RECEIVED.*no PUT was received/],
  ['a PUT that was just rejected', fulfilled, { ...nothing, puts: [put(400, 1)] }, 3, 'RUNNING'],
  ['a rejected PUT that is not corrected', fulfilled, { ...nothing, puts: [put(400, 1)] }, 6, 'FAILED', /with 400/],
  ['an order picked as instructed', fulfilled, { ...nothing, order: picked('DISPATCHED', 2) }, 1, 'PASSED'],
  [
    'an order picked differently',
    fulfilled,
    { ...nothing, order: picked('READY_FOR_PICKUP', 1), puts: [put(200, 1)] },
    1,
    'FAILED',
    /MLK-00012: IN_CART, 1 unit$/,
  ],
  ['a change whose PUT is not logged yet', fulfilled, { ...nothing, order: picked('DISPATCHED', 1) }, 1, 'RUNNING'],
  ['a cancelled order', fulfilled, { ...nothing, order: cancelled('VENDOR') }, 9, 'FAILED', /CANCELLED by VENDOR/],
  ['a cancellation by the store', cancelledByStore, { ...nothing, order: cancelled('VENDOR') }, 1, 'PASSED'],
  ['a cancellation by another party', cancelledByStore, { ...nothing, order: cancelled('LOGISTICS') }, 9, 'FAILED'],
  ['a PUT that got 409', conflict, { ...nothing, puts: [put(409, 1)] }, 2, 'PASSED'],
  ['a PUT that got 412', conflict, { ...nothing, puts: [put(412, 1)] }, 2, 'PASSED'],
  ['a PUT that got 400', conflict, { ...nothing, puts: [put(400, 1)] }, 2, 'FAILED'],
  ['no PUT', conflict, nothing, 10, 'FAILED'],
  ['no PUT for a short time', quietAfterDuplicate, nothing, 3, 'RUNNING'],
  ['no PUT for long enough', quietAfterDuplicate, nothing, 4, 'PASSED'],
  ['a PUT after the duplicate', quietAfterDuplicate, { ...nothing, puts: [put(200, 1)] }, 2, 'FAILED', /got 200/],
  ['a PUT before the duplicate', quietAfterDuplicate, { ...nothing, puts: [put(200, -1)] }, 4, 'PASSED'],
  ['no request log', quietAfterDuplicate, { ...nothing, puts: undefined }, 1, 'SKIPPED', /request log/],
];
for (const [what, check, observed, seconds, status, actual] of cases) {
  test(`"${check.title}" is ${status} with ${what}`, () => {
    const recent = { ...exampleOrder.sys, updated_at: at(0).toISOString() };
    const order = observed.order && { ...observed.order, sys: recent };
    const verdict = checkStep(check, plan, { ...observed, order }, clock(seconds));
    assert.equal(verdict.status, status);
    if (actual) assert.match('found' in verdict ? verdict.found.actual : '', actual);
  });
}

test('a failure names the message or the request that caused it', () => {
  const causeOf = (check: Check, observed: Observed) => {
    const verdict = checkStep(check, plan, observed, clock(10));
    return verdict.status === 'FAILED' ? verdict.cause : undefined;
  };
  assert.deepEqual(causeOf(accepted('received'), attempted(500)), { deliveryId: 'd', attemptNo: 1 });
  assert.deepEqual(causeOf(fulfilled, attempted(200)), { deliveryId: 'd', attemptNo: 1 });
  assert.deepEqual(causeOf(fulfilled, { ...nothing, puts: [put(400, 1)] }), { put: put(400, 1) });
});

test('the time without requests grows with the time limit, and is longer than the delay of the request log', () => {
  assert.deepEqual([5, 30, 600].map(quietSeconds), [4, 7.5, 150]);
});
