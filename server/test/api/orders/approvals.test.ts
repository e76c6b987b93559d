import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { type ApprovalState, approvalStates } from '@aisle/contract/approval';
import { makeChain, type Response, type TestChain, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { allPicked, placeOrder, putOrder } from '../../support/orders.ts';
import { followPlatformFeed } from '../../support/platform-webhooks.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const chain = await makeStore();
type Order = Response['body'];

async function makeStore(): Promise<TestChain> {
  const made = await makeChain(aisle);
  const products = ['A', 'B', 'C', 'D'].map((sku) => ({ sku, title: `Milk ${sku}`, price: 10, quantity: 10_000 }));
  await addProducts(aisle, made, products);
  return made;
}

const ask = (more = {}) =>
  placeOrder(aisle, chain, [{ sku: 'A', quantity: 2 }], { replacement_policy: 'ASK', ...more });
const approvalOf = (order: Order) => order.items[0].approval;

/** The routes that change the state, with the token of the party that may use them. */
const actions = {
  propose: { by: 'partner', body: { sku: 'B' } },
  withdraw: { by: 'partner' },
  approve: { by: 'platform' },
  reject: { by: 'platform' },
  counter: { by: 'platform', body: { sku: 'C' } },
} as const;
type Action = keyof typeof actions;

function act(order: Order, action: Action, body?: unknown, token?: string): Promise<Response> {
  const { by } = actions[action];
  const base = by === 'partner' ? `${chain.base}/orders` : '/platform/v1/orders';
  const path = `${base}/${order.order_id}/items/${order.items[0]._id}/${action}-replacement`;
  const own = by === 'partner' ? chain.token : aisle.platformToken;
  const sent = body ?? ('body' in actions[action] ? (actions[action] as { body: unknown }).body : undefined);
  return aisle.call('POST', path, { token: token ?? own, ...(sent !== undefined && { body: sent }) });
}

/** How an item gets into each state. */
const ways: Record<ApprovalState, Action[]> = {
  NONE: [],
  PROPOSED: ['propose'],
  APPROVED: ['propose', 'approve'],
  REJECTED: ['propose', 'reject'],
  COUNTERED: ['propose', 'counter'],
  WITHDRAWN: ['propose', 'withdraw'],
};
const results: Record<Action, ApprovalState> = {
  propose: 'PROPOSED',
  withdraw: 'WITHDRAWN',
  approve: 'APPROVED',
  reject: 'REJECTED',
  counter: 'COUNTERED',
};

describe('every action in every state, by each party', () => {
  for (const state of approvalStates) {
    test(state, async () => {
      for (const action of Object.keys(actions) as Action[]) {
        const order = await ask();
        for (const step of ways[state]) assert.equal((await act(order, step)).status, 200);
        const before = (await read(order)).body;
        const other = actions[action].by === 'partner' ? aisle.platformToken : chain.token;
        assert.ok([403, 404].includes((await act(order, action, undefined, other)).status), `${action} by the other`);
        const response = await act(order, action);
        if (state === 'PROPOSED' || action === 'propose') {
          assert.deepEqual([response.status, approvalOf(response.body)?.state], [200, results[action]], response.text);
          assert.equal(response.body.revision, before.revision + 1);
          assert.deepEqual((await read(order)).body, response.body);
        } else {
          assertProblem(response, 'approval_state_conflict');
          assert.equal(response.body.approval_state, state);
          assert.deepEqual((await read(order)).body, before);
        }
      }
    });
  }
});

test('a decision about a proposal that the store has replaced is rejected', async () => {
  const order = await ask();
  const seen = approvalOf((await act(order, 'propose', { sku: 'B' })).body).proposal_id;
  const current = approvalOf((await act(order, 'propose', { sku: 'D', quantity: 100 })).body).proposal_id;
  for (const [action, more] of [
    ['approve', {}],
    ['reject', {}],
    ['counter', { sku: 'C' }],
  ] as const) {
    assertProblem(await act(order, action, { proposal_id: seen, ...more }), 'approval_state_conflict');
  }
  assertInvalid(await act(order, 'approve', { proposal_id: 'x' }), '/proposal_id');
  const approved = await act(order, 'approve', { proposal_id: current });
  assert.deepEqual([approved.status, approvalOf(approved.body).state], [200, 'APPROVED'], approved.text);
});

test('an item can be replaced only with what the customer has approved', async () => {
  const order = await ask();
  const replace = (sku: string) => putOrder(aisle, chain, order.order_id, replacing(order, sku));
  assertProblem(await replace('B'), 'replacement_not_approved');
  await act(order, 'propose');
  assertProblem(await replace('B'), 'replacement_not_approved');
  await act(order, 'counter');
  assertProblem(await replace('B'), 'replacement_not_approved');
  const done = await replace('C');
  assert.equal(done.status, 200, done.text);
  assert.deepEqual(
    done.body.items.map((item: Order) => [item.sku, item.status]),
    [
      ['A', 'REPLACED'],
      ['C', 'IN_CART'],
    ],
  );
});

test('without ASK, the store replaces items as before, and has nothing to ask', async () => {
  const order = await placeOrder(aisle, chain, [{ sku: 'A', quantity: 2 }]);
  assert.equal('replacement_policy' in order, false);
  assertProblem(await act(order, 'propose'), 'approval_not_required');
  assert.equal((await putOrder(aisle, chain, order.order_id, replacing(order, 'B'))).status, 200);
});

test('both parties hear of a proposal and its decision', async () => {
  const feed = await followPlatformFeed(aisle, `&chain_id=${chain.chainId}`);
  const order = await ask();
  await act(order, 'propose');
  await act(order, 'approve');
  const isOwn = (event: Order) => event.body.order_id === order.order_id;
  const events = await feed.waitFor(3, isOwn);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['order.received', 'order.replacement_proposed', 'order.replacement_decided'],
  );
  assert.equal(events[1]?.body.item_id, order.items[0]._id);
  assert.equal(events[2]?.body.items[0].approval.state, 'APPROVED');
  const { body } = await aisle.call('GET', `${chain.base}/events?limit=500`, { token: chain.token });
  assert.deepEqual(
    body.events.filter(isOwn).map(({ type }: Order) => type),
    ['order.received', 'order.replacement_decided'],
  );
});

for (const [on_timeout, expected] of [
  ['APPROVE', 'APPROVED'],
  ['REJECT', 'REJECTED'],
]) {
  test(`without an answer, the deadline decides: ${expected}`, async () => {
    const order = await ask({ replacement_approval: { seconds: 10, on_timeout } });
    const proposed = await act(order, 'propose');
    const left = Date.parse(approvalOf(proposed.body).deadline) - Date.now();
    assert.ok(left > 0 && left <= 10_000, String(left));
    await aisle.db.query("update queue_tasks set run_at = now() where kind = 'orders.expire_approval'");
    await waitFor('the decision', async () => approvalOf((await read(order)).body).state === expected);
    assert.equal(approvalOf((await read(order)).body).decided_by, 'clock');
  });
}

test('the deadline of an answered or replaced proposal changes nothing', async () => {
  const order = await ask({ replacement_approval: { seconds: 10, on_timeout: 'APPROVE' } });
  await act(order, 'propose');
  await act(order, 'reject');
  await aisle.db.query("update queue_tasks set run_at = now() where kind = 'orders.expire_approval'");
  await waitFor('the task', async () => {
    const rows = await aisle.db.query(
      "select 1 from queue_tasks where kind = 'orders.expire_approval' and run_at <= now()",
    );
    return rows.length === 0;
  });
  assert.equal(approvalOf((await read(order)).body).state, 'REJECTED');
});

test('questions that are open when the order is fulfilled are withdrawn, and none can be asked afterwards', async () => {
  const order = await ask();
  await act(order, 'propose');
  const items = allPicked(order);
  const done = await putOrder(aisle, chain, order.order_id, { status: 'READY_FOR_PICKUP', items });
  assert.equal(approvalOf(done.body).state, 'WITHDRAWN');
  assertProblem(await act(order, 'approve'), 'order_state_conflict');
  assertProblem(await act(order, 'propose'), 'order_state_conflict');
});

test('a proposal must be another product of the store', async () => {
  const order = await ask();
  assertProblem(await act(order, 'propose', { sku: 'UNKNOWN' }), 'item_not_found');
  assertInvalid(await act(order, 'propose', { sku: 'A' }), '/sku');
  const path = `${chain.base}/orders/${order.order_id}/items/nothing/propose-replacement`;
  assertProblem(await aisle.call('POST', path, { token: chain.token, body: { sku: 'B' } }), 'order_item_not_found');
});

test('the platform gets the same candidates as the picker', async () => {
  const order = await ask();
  const path = `/${order.order_id}/items/${order.items[0]._id}/replacement-candidates`;
  const mine = await aisle.call('GET', `${chain.base}/orders${path}`, { token: chain.token });
  const theirs = await aisle.call('GET', `/platform/v1/orders${path}`, { token: aisle.platformToken });
  assert.deepEqual(theirs.body, mine.body);
  assert.ok(theirs.body.candidates.length > 0);
});

const read = (order: Order): Promise<Response> =>
  aisle.call('GET', `/platform/v1/orders/${order.order_id}`, { token: aisle.platformToken });

function replacing(order: Order, sku: string) {
  const [item] = order.items;
  const pricing = { pricing_type: 'UNIT', quantity: 2 };
  return {
    status: 'READY_FOR_PICKUP',
    items: [
      { _id: item._id, sku: item.sku, status: 'REPLACED', pricing },
      { sku, status: 'IN_CART', replaced_id: item._id, pricing },
    ],
  };
}
