import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Response, useAisle } from '../../support/aisle.ts';
import {
  added,
  fulfil,
  makeShop,
  notFound,
  placeOrder,
  readEvents,
  readOrder,
  replaced,
  report,
  sentItem,
} from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { applyPromotion, percent, promotionBody } from '../../support/promotions.ts';
import { newId } from '../../../src/kernel/values/ids.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle, { settings: { unit_overpick: 5 } });
await applyPromotion(aisle, chain, promotionBody({ discount: [percent(20, 'MILK')] }));

const milk = [{ sku: 'MILK', quantity: 2 }];
const edit = (orderId: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  aisle.call('PATCH', `/platform/v1/orders/${orderId}`, { token: aisle.platformToken, body, headers });
const cancelled = { cancelled_by: 'CUSTOMER', reason: 'LATE' };

describe('editing an order', () => {
  test("the customer's comment and the promised time can be changed and removed", async () => {
    const order = await placeOrder(aisle, chain, milk, { comment: 'No bag' });
    const changed = await edit(order.order_id, { comment: 'Ring twice', promised_for: '2031-05-04T12:30:00+02:00' });
    assert.equal(changed.status, 200, changed.text);
    const { comment, promised_for, isPreorder, revision } = changed.body;
    assert.deepEqual(
      [comment, promised_for, isPreorder, revision],
      ['Ring twice', '2031-05-04T10:30:00.000Z', true, 2],
    );
    assert.equal(changed.headers['etag'], '"2"');
    assert.deepEqual(await readOrder(aisle, chain, order.order_id), changed.body);
    const removed = await edit(order.order_id, { promised_for: null });
    assert.deepEqual([removed.body.promised_for, removed.body.comment, removed.body.revision], [null, 'Ring twice', 3]);
    assert.deepEqual(removed.body.items, order.items);
  });

  test('an edit is in the history, and the store gets an event with the new values', async () => {
    const order = await placeOrder(aisle, chain, milk);
    await edit(order.order_id, { comment: 'Ring twice' });
    const path = `${chain.base}/orders/${order.order_id}/history`;
    const { changes } = (await aisle.call('GET', path, { token: chain.token })).body;
    assert.deepEqual(
      changes.map(({ action, actor, from_status, to_status }: Response['body']) => [
        action,
        actor,
        from_status,
        to_status,
      ]),
      [
        ['placed', 'platform', null, 'RECEIVED'],
        ['edited', 'platform', 'RECEIVED', 'RECEIVED'],
      ],
    );
    const events = await readEvents(aisle, order.order_id);
    assert.deepEqual(
      events.map(({ type, body }) => [type, body.comment]),
      [
        ['order.received', null],
        ['order.edited', 'Ring twice'],
      ],
    );
  });

  test('an edit that changes nothing keeps the revision', async () => {
    const order = await placeOrder(aisle, chain, milk, { comment: 'No bag', promised_for: '2031-05-04T12:30:00Z' });
    for (const body of [{}, { comment: 'No bag' }, { promised_for: '2031-05-04T14:30:00+02:00' }]) {
      assert.deepEqual((await edit(order.order_id, body)).body, order);
    }
  });

  test('an order can be edited until it is delivered or cancelled', async () => {
    const order = await placeOrder(aisle, chain, milk);
    assert.equal((await fulfil(aisle, chain, order, [sentItem(order, 'MILK')])).status, 200);
    assert.equal((await edit(order.order_id, { comment: 'a' })).body.status, 'READY_FOR_PICKUP');
    await report(aisle, order.order_id, 'pickup');
    assert.equal((await edit(order.order_id, { comment: 'b' })).body.status, 'DISPATCHED');
    await report(aisle, order.order_id, 'deliver');
    const late = await edit(order.order_id, { comment: 'c' });
    assertProblem(late, 'order_state_conflict');
    assert.deepEqual([late.body.order_status, late.body.allowed], ['DELIVERED', []]);
    const other = await placeOrder(aisle, chain, milk);
    await report(aisle, other.order_id, 'cancel', cancelled);
    assertProblem(await edit(other.order_id, { comment: 'c' }), 'order_state_conflict');
  });

  test('invalid edits are rejected and change nothing', async () => {
    const order = await placeOrder(aisle, chain, milk);
    assertInvalid(await edit(order.order_id, { comment: 'x'.repeat(1001) }), '/comment');
    assertInvalid(await edit(order.order_id, { promised_for: '2031-02-30T00:00:00Z' }), '/promised_for');
    assertInvalid(await edit(order.order_id, { status: 'CANCELLED' }), '/status');
    assertProblem(await edit(order.order_id, { comment: 'a' }, { 'if-match': '"7"' }), 'precondition_failed');
    assertProblem(await edit(newId(), { comment: 'a' }), 'order_not_found');
    assert.deepEqual(await readOrder(aisle, chain, order.order_id), order);
    assert.equal((await edit(order.order_id, { comment: 'a' }, { 'if-match': '"1"' })).status, 200);
  });
});

const refundOf = async (orderId: string): Promise<Response['body']> => {
  const response = await aisle.call('GET', `/platform/v1/orders/${orderId}/refund`, { token: aisle.platformToken });
  assert.equal(response.status, 200, response.text);
  return response.body;
};
const totals = (refund: Response['body']) => {
  const { ordered_total, charged_total, refund: amount, additional_charge } = refund;
  return [ordered_total, charged_total, amount, additional_charge];
};
const basket = [
  { sku: 'MILK', quantity: 4 },
  { sku: 'BREAD', quantity: 2 },
  { sku: 'TEA', quantity: 1 },
  { sku: 'HAM', weight: 1 },
];
const fees = { payment: { type: 'PAID', delivery_fee: 5, service_fee: 1 } };

describe('the refund of an order', () => {
  test('an order that has not been picked has no refund', async () => {
    const order = await placeOrder(aisle, chain, basket, fees);
    const refund = await refundOf(order.order_id);
    assert.deepEqual(totals(refund), [35.99, 35.99, 0, 0]);
    assert.equal(refund.is_settled, false);
    assert.equal(refund.charged_total, order.payment.order_total);
  });

  test('missing, replaced, weighed and added items are compared with what was ordered, line by line', async () => {
    const order = await placeOrder(aisle, chain, basket, fees);
    const response = await fulfil(aisle, chain, order, [
      sentItem(order, 'MILK', { quantity: 3 }),
      notFound(order, 'BREAD'),
      ...replaced(order, 'TEA', 'BREAD', { quantity: 1 }),
      sentItem(order, 'HAM', { weight: 1.1 }),
      added('TEA', { quantity: 1, unit_price: 1 }),
    ]);
    assert.equal(response.status, 200, response.text);
    const refund = await refundOf(order.order_id);
    assert.equal(refund.is_settled, true);
    assert.deepEqual(
      refund.items.map((item: Response['body']) => [
        item.sku,
        item.status,
        item.ordered?.amount,
        item.charged?.amount,
        item.difference,
      ]),
      [
        ['MILK', 'IN_CART', 8, 6, 2],
        ['BREAD', 'NOT_FOUND', 8, undefined, 8],
        ['TEA', 'REPLACED', 3.99, undefined, 3.99],
        ['BREAD', 'IN_CART', undefined, 3.99, -3.99],
        ['HAM', 'IN_CART', 10, 11, -1],
        ['TEA', 'ADDITION', undefined, 1, -1],
      ],
    );
    assert.equal(refund.items[3].replaced_id, refund.items[2]._id);
    assert.deepEqual([refund.items[0].ordered.discount, refund.items[0].charged.discount], [2, 1.5]);
    assert.deepEqual(totals(refund), [35.99, 27.99, 8, 0]);
    assert.equal(refund.charged_total, response.body.payment.order_total);
  });

  test('a more expensive order has an additional charge', async () => {
    const order = await placeOrder(aisle, chain, [{ sku: 'BREAD', quantity: 1 }], fees);
    await fulfil(aisle, chain, order, [sentItem(order, 'BREAD', { quantity: 3 })]);
    assert.deepEqual(totals(await refundOf(order.order_id)), [10, 18, 0, 8]);
  });

  test('a cancelled order is refunded with its fees, whether it was picked or not', async () => {
    for (const isPicked of [false, true]) {
      const order = await placeOrder(aisle, chain, milk, fees);
      if (isPicked) await fulfil(aisle, chain, order, [sentItem(order, 'MILK', { quantity: 1 })]);
      await report(aisle, order.order_id, 'cancel', cancelled);
      const refund = await refundOf(order.order_id);
      assert.deepEqual(totals(refund), [10, 0, 10, 0]);
      assert.deepEqual([refund.is_settled, refund.items[0].charged, refund.items[0].difference], [true, null, 4]);
    }
  });

  test('the differences of the items add up to the refund', async () => {
    const anyPick = fc.tuple(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 800, max: 1200 }),
    );
    await fc.assert(
      fc.asyncProperty(anyPick, async ([cartons, loaves, grams]) => {
        const order = await placeOrder(aisle, chain, basket, fees);
        const pick = (sku: string, quantity: number) =>
          quantity === 0 ? notFound(order, sku) : sentItem(order, sku, { quantity });
        const items = [
          pick('MILK', cartons),
          pick('BREAD', loaves),
          notFound(order, 'TEA'),
          sentItem(order, 'HAM', { weight: grams / 1000 }),
        ];
        const response = await fulfil(aisle, chain, order, items);
        assert.equal(response.status, 200, response.text);
        const refund = await refundOf(order.order_id);
        const sum = refund.items.reduce(
          (total: number, item: Response['body']) => total + Math.round(item.difference * 100),
          0,
        );
        assert.equal(sum, Math.round((refund.refund - refund.additional_charge) * 100));
        assert.equal(refund.ordered_total, order.payment.order_total);
        assert.equal(refund.charged_total, response.body.payment.order_total);
      }),
      { numRuns: 20 },
    );
  });

  test('an unknown order has no refund', async () => {
    const path = `/platform/v1/orders/${newId()}/refund`;
    assertProblem(await aisle.call('GET', path, { token: aisle.platformToken }), 'order_not_found');
  });
});
