import assert from 'node:assert/strict';
import test from 'node:test';
import { callerFor, makeChain, makeToken, useAisle } from '../../support/aisle.ts';
import { allPicked, fulfilled, itemOf, makeShop, placeOrder, report } from '../../support/orders.ts';
import { makePicker, markOf, summary } from '../../support/picking.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useAisle();
const hasty = await aisle.another({ AISLE_PICKING_CLAIM_SECONDS: '1' });
test.after(() => hasty.stop());

const chain = await makeShop(aisle, { vendors: 2 });
const sara = await makePicker(aisle, chain, 'Sara');
const omar = await makePicker(aisle, chain, 'Omar');
const order = () => placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 2 }]);

test('a claim shows who is picking the order and when the claim expires', async () => {
  const placed = await order();
  const { status, body } = await sara.claim(placed);
  assert.equal(status, 200);
  assert.deepEqual([body.order_id, body.status, body.revision, body.is_open], [placed.order_id, 'RECEIVED', 1, true]);
  const [picker] = body.pickers;
  assert.deepEqual([picker.actor, picker.name, picker.is_me], [sara.actor, 'Sara', true]);
  assert.equal(Date.parse(picker.expires_at) - Date.parse(picker.claimed_at), 600_000);
  const seen = await omar.read(placed);
  assert.deepEqual([seen.pickers[0].name, seen.pickers[0].is_me], ['Sara', false]);
  assert.equal(seen.version, body.version);
});

test('claiming again renews the claim without a new version', async () => {
  const placed = await order();
  const first = (await sara.claim(placed)).body;
  await aisle.db.query("update picking_claims set expires_at = now() + interval '1 minute' where order_id = $1", [
    placed.order_id,
  ]);
  for (const mode of ['CLAIM', 'SHARE', 'TAKE_OVER']) {
    const again = (await sara.claim(placed, mode)).body;
    assert.equal(again.version, first.version);
    assert.equal(again.pickers.length, 1);
    assert.equal(again.pickers[0].claimed_at, first.pickers[0].claimed_at);
    assert.ok(again.pickers[0].expires_at >= first.pickers[0].expires_at);
  }
});

test('an order that another picker has claimed can be shared or taken over, but not claimed', async () => {
  const placed = await order();
  await sara.claim(placed);
  const refused = await omar.claim(placed);
  assertProblem(refused, 'order_claimed');
  assert.deepEqual(refused.body.pickers, ['Sara']);
  assert.match(refused.body.detail, /^Sara is picking this order/);
  const shared = (await omar.claim(placed, 'SHARE')).body;
  assert.deepEqual(summary(shared).pickers, ['Sara', 'Omar']);
  // A picker who shares the order can renew the claim with any mode.
  assert.equal((await omar.claim(placed)).status, 200);
  const taken = (await omar.claim(placed, 'TAKE_OVER')).body;
  assert.deepEqual(summary(taken).pickers, ['Omar']);
  assert.notEqual(taken.version, shared.version);
  assertProblem(await sara.claim(placed), 'order_claimed');
});

test('of two pickers who claim an order at the same time, one gets it', async () => {
  const placed = await order();
  const responses = await Promise.all([sara.claim(placed), omar.claim(placed)]);
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  assert.equal((await sara.read(placed)).pickers.length, 1);
});

test('a released order can be claimed by another picker, and its marks stay', async () => {
  const placed = await order();
  await sara.claim(placed);
  await sara.mark(placed, [markOf(itemOf(placed, 'MILK'), { quantity: 2 })]);
  const released = await sara.release(placed);
  assert.equal(released.status, 200);
  assert.deepEqual(summary(released.body), { pickers: [], lines: ['IN_CART 2 Sara'] });
  assert.equal((await sara.release(placed)).body.version, released.body.version);
  assert.deepEqual(summary((await omar.claim(placed)).body), { pickers: ['Omar'], lines: ['IN_CART 2 Sara'] });
});

test('a claim expires after the configured time, and a mark renews it', async () => {
  const placed = await order();
  const path = `${chain.base}/orders/${placed.order_id}/picking`;
  const claimed = await hasty.call('POST', `${path}/claim`, { token: sara.session, body: {} });
  const [picker] = claimed.body.pickers;
  assert.equal(Date.parse(picker.expires_at) - Date.parse(picker.claimed_at), 1000);
  await waitFor('the claim to expire', async () => (await omar.read(placed)).pickers.length === 0, 30);
  assert.notEqual((await omar.read(placed)).version, claimed.body.version);
  const renewed = await sara.mark(placed, [markOf(itemOf(placed, 'MILK'), { quantity: 1 })]);
  assert.equal(renewed.body.pickers[0].name, 'Sara');
  assertProblem(await omar.claim(placed), 'order_claimed');
});

test('expiry is decided by the clock of the database', async () => {
  const placed = await order();
  await sara.claim(placed);
  const setExpiry = (text: string) =>
    aisle.db.query('update picking_claims set expires_at = now() + $2::interval where order_id = $1', [
      placed.order_id,
      text,
    ]);
  await setExpiry('-1 millisecond');
  assert.deepEqual((await sara.read(placed)).pickers, []);
  assert.equal((await omar.claim(placed)).status, 200);
  const rows = await aisle.db.query('select actor from picking_claims where order_id = $1', [placed.order_id]);
  assert.deepEqual(rows, [{ actor: omar.actor }]);
});

test('a fulfilled or cancelled order cannot be claimed, and has no pickers', async () => {
  const done = await order();
  await sara.claim(done);
  await fulfilled(aisle, chain, done, allPicked(done));
  const refused = await omar.claim(done, 'SHARE');
  assertProblem(refused, 'order_changed');
  assert.deepEqual([refused.body.order_status, refused.body.revision], ['READY_FOR_PICKUP', 2]);
  const cancelled = await order();
  await report(aisle, cancelled.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' });
  const late = await sara.claim(cancelled);
  assertProblem(late, 'order_changed');
  assert.equal(late.body.changed_by, 'customer');
  const state = await sara.read(done);
  assert.deepEqual([state.is_open, state.pickers, state.changed_by], [false, [], 'all']);
  assert.equal((await sara.release(done)).status, 200);
});

test('the mode must be one of the documented ones', async () => {
  assertInvalid(await sara.claim(await order(), 'STEAL'), '/mode');
});

test("another store's and another chain's orders do not exist for a picker", async () => {
  const [first = '', second = ''] = chain.vendors;
  const limited = await makePicker(aisle, chain, 'Limited', [second]);
  const other = await makePicker(aisle, await makeChain(aisle), 'Stranger');
  const placed = await placeOrder(aisle, chain, [{ sku: 'MILK', quantity: 1 }], { vendor_id: first });
  const item = itemOf(placed, 'MILK');
  for (const picker of [limited, other]) {
    assertProblem(await picker.claim(placed), 'order_not_found');
    assertProblem(await picker.release(placed), 'order_not_found');
    assertProblem(await picker.mark(placed, [markOf(item)]), 'order_not_found');
    assertProblem(await picker.call('GET', `/orders/${placed.order_id}/picking`), 'order_not_found');
    assertProblem(await picker.call('GET', `/orders/${placed.order_id}/picking/products?code=MILK`), 'order_not_found');
    const path = `/orders/${placed.order_id}/items/${item._id}/replacement-candidates`;
    assertProblem(await picker.call('GET', path), 'order_not_found');
  }
  assert.deepEqual((await sara.read(placed)).lines, []);
});

test('a token picks with its own name', async () => {
  const placed = await order();
  const token = await makeToken(aisle, chain.chainId, { scopes: ['orders:read', 'orders:write'] });
  const { body } = await callerFor(aisle, chain, token)('POST', `/orders/${placed.order_id}/picking/claim`);
  assert.match(body.pickers[0].actor, /^token:/);
  assert.deepEqual([body.pickers[0].name, body.pickers[0].is_me], ['limited', true]);
});
