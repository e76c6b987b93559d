import assert from 'node:assert/strict';
import test from 'node:test';
import { newId } from '../../../src/kernel/values/ids.ts';
import { useAisle } from '../../support/aisle.ts';
import { allPicked, fulfilled, itemOf, makeShop, placeOrder, report } from '../../support/orders.ts';
import { addition, makePicker, markOf, summary } from '../../support/picking.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const another = await aisle.another();
test.after(() => another.stop());

const chain = await makeShop(aisle);
const sara = await makePicker(aisle, chain, 'Sara');
const omar = await makePicker(aisle, chain, 'Omar');
const order = () =>
  placeOrder(aisle, chain, [
    { sku: 'MILK', quantity: 2 },
    { sku: 'BREAD', quantity: 1 },
    { sku: 'HAM', weight: 0.5 },
  ]);

test('marks are stored with what was scanned and who marked them', async () => {
  const placed = await order();
  const milk = itemOf(placed, 'MILK');
  const codes = ['6291000000017', '6291000000017'];
  const mark = markOf(milk, { quantity: 2, scanned_codes: codes, marked_at: '2026-05-04T13:33:12+04:00' });
  const { status, body } = await sara.mark(placed, [
    mark,
    markOf(itemOf(placed, 'BREAD'), { state: 'REPLACED', replacement: { sku: 'TEA', quantity: 1 } }),
    markOf(itemOf(placed, 'HAM'), { weight: 0.4979 }),
    addition('CHEESE', { quantity: null, weight: 0.25 }),
  ]);
  assert.equal(status, 200);
  assert.deepEqual(summary(body), {
    pickers: ['Sara'],
    lines: ['IN_CART 2 Sara', 'REPLACED  Sara', 'IN_CART 0.497 Sara', 'ADDED 0.25 Sara'],
  });
  const { received_at, ...line } = body.lines[0];
  assert.deepEqual(line, {
    line_id: milk._id,
    state: 'IN_CART',
    quantity: 2,
    weight: null,
    sku: null,
    replacement: null,
    scanned_codes: codes,
    mark_id: mark.mark_id,
    marked_at: '2026-05-04T09:33:12.000Z',
    marked_by: { actor: sara.actor, name: 'Sara', is_me: true },
  });
  assert.ok(Date.parse(received_at) > Date.parse(placed.sys.created_at) - 1000);
  assert.deepEqual(body.lines[1].replacement, { sku: 'TEA', quantity: 1, weight: null });
  assert.deepEqual([body.lines[3].sku, body.lines[3].weight], ['CHEESE', 0.25]);
});

test('the scanned codes of an order have a limit together, so that its picking state stays small', async () => {
  const placed = await order();
  const codes = Array.from({ length: 200 }, () => '7'.repeat(128));
  for (let count = 0; count < 3; count++) {
    assert.equal((await sara.mark(placed, [addition('TEA', { scanned_codes: codes })])).status, 200);
  }
  const milk = markOf(itemOf(placed, 'MILK'), { scanned_codes: codes });
  assertInvalid(await sara.mark(placed, [milk]), '/marks');
  assert.equal((await sara.mark(placed, [{ ...milk, scanned_codes: codes.slice(0, 100) }])).status, 200);
});

test('the last mark of a line applies, in one request and in several', async () => {
  const placed = await order();
  const milk = itemOf(placed, 'MILK');
  const first = await sara.mark(placed, [
    markOf(milk, { state: 'PENDING', quantity: 1 }),
    markOf(milk, { quantity: 2 }),
    markOf(itemOf(placed, 'BREAD'), { state: 'NOT_FOUND' }),
  ]);
  assert.deepEqual(summary(first.body).lines, ['IN_CART 2 Sara', 'NOT_FOUND  Sara']);
  // The order of arrival counts, not the clock of the device.
  const older = { quantity: 1, marked_at: '2020-01-01T00:00:00Z' };
  assert.deepEqual(summary((await omar.mark(placed, [markOf(milk, older)])).body).lines, [
    'IN_CART 1 Omar',
    'NOT_FOUND  Sara',
  ]);
  const undone = await sara.mark(placed, [markOf(milk, { state: 'PENDING', quantity: 0 })]);
  assert.equal(undone.body.lines[0].state, 'PENDING');
});

test('a mark that is sent again is ignored, even after another mark of the line', async () => {
  const placed = await order();
  const milk = itemOf(placed, 'MILK');
  const [one, two] = [markOf(milk, { quantity: 1 }), markOf(milk, { quantity: 2 })];
  await sara.mark(placed, [one]);
  const stored = (await sara.mark(placed, [two])).body;
  for (const repeated of [[one], [one, two], [{ ...one, mark_id: one.mark_id.toUpperCase() }]]) {
    const again = (await sara.mark(placed, repeated)).body;
    assert.deepEqual([again.version, again.lines], [stored.version, stored.lines]);
  }
  // In one request, the first of two marks with the same id is stored.
  const twice = { ...markOf(milk), quantity: 0, state: 'PENDING' };
  const { body } = await sara.mark(placed, [twice, { ...twice, quantity: 1 }]);
  assert.equal(body.lines[0].quantity, 0);
});

test('two pickers who mark two lines at the same time lose nothing', async () => {
  const placed = await order();
  await sara.claim(placed);
  await omar.claim(placed, 'SHARE');
  const [milk, bread] = [itemOf(placed, 'MILK'), itemOf(placed, 'BREAD')];
  for (const quantity of [1, 2]) {
    const responses = await Promise.all([
      sara.mark(placed, [markOf(milk, { quantity })]),
      omar.mark(placed, [markOf(bread, { quantity })]),
    ]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200],
    );
  }
  const { lines } = await sara.read(placed);
  const byLine = new Map(lines.map((line: { line_id: string }) => [line.line_id, line]));
  assert.partialDeepStrictEqual(byLine.get(milk._id), { quantity: 2, marked_by: { name: 'Sara' } });
  assert.partialDeepStrictEqual(byLine.get(bread._id), { quantity: 2, marked_by: { name: 'Omar' } });
});

test('an added product can be removed again', async () => {
  const placed = await order();
  const added = addition('TEA', { quantity: 2 });
  assert.equal((await sara.mark(placed, [added])).body.lines[0].sku, 'TEA');
  const removal = { mark_id: newId(), line_id: added.line_id, state: 'REMOVED', marked_at: added.marked_at };
  const { body } = await omar.mark(placed, [removal]);
  assert.deepEqual([body.lines.length, body.lines[0].state, body.lines[0].marked_by.name], [1, 'REMOVED', 'Omar']);
});

test('a picker whose claim was taken over can still send marks, but does not get the claim back', async () => {
  const placed = await order();
  await sara.claim(placed);
  await omar.claim(placed, 'TAKE_OVER');
  const { status, body } = await sara.mark(placed, [markOf(itemOf(placed, 'MILK'), { quantity: 2 })]);
  assert.equal(status, 200);
  assert.deepEqual(summary(body), { pickers: ['Omar'], lines: ['IN_CART 2 Sara'] });
});

test('marks for another revision are rejected, and nothing is stored', async () => {
  const placed = await order();
  const response = await sara.mark(placed, [markOf(itemOf(placed, 'MILK'))], 2);
  assertProblem(response, 'order_changed');
  assert.partialDeepStrictEqual(response.body, { order_status: 'RECEIVED', revision: 1, changed_by: 'platform' });
  const state = await sara.read(placed);
  assert.deepEqual([state.lines, state.pickers, state.version], [[], [], '1-0-0']);
});

test('a device that was offline while the order was cancelled gets the reason, and the marks stay readable', async () => {
  const placed = await order();
  await sara.mark(placed, [markOf(itemOf(placed, 'MILK'), { quantity: 2, scanned_codes: ['6291000000017'] })]);
  await report(aisle, placed.order_id, 'cancel', { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' });
  const late = await sara.mark(placed, [markOf(itemOf(placed, 'BREAD'))]);
  assertProblem(late, 'order_changed');
  assert.partialDeepStrictEqual(late.body, { order_status: 'CANCELLED', revision: 2, changed_by: 'customer' });
  const state = await sara.read(placed);
  assert.deepEqual([state.is_open, state.status, state.lines.length], [false, 'CANCELLED', 1]);
  assert.deepEqual(state.lines[0].scanned_codes, ['6291000000017']);
});

test('a conflict names the user who fulfilled the order', async () => {
  const placed = await order();
  const body = { status: 'READY_FOR_PICKUP', items: allPicked(placed) };
  assert.equal((await omar.call('PUT', `/orders/${placed.order_id}`, { body })).status, 200);
  const late = await sara.mark(placed, [markOf(itemOf(placed, 'MILK'))]);
  assertProblem(late, 'order_changed');
  assert.equal(late.body.changed_by, 'Omar');
  assert.match(late.body.detail, /READY_FOR_PICKUP and can no longer be picked; the last change was made by Omar/);
});

test('marks that make no sense are rejected with the field, and nothing of the request is stored', async () => {
  const placed = await order();
  const milk = itemOf(placed, 'MILK');
  const cases: [mark: unknown, pointer: string][] = [
    [markOf({ _id: newId() }), '/marks/1/line_id'],
    [addition('TEA', { line_id: milk._id }), '/marks/1/line_id'],
    [addition('TEA', { line_id: 'new' }), '/marks/1/line_id'],
    [addition('NONE'), '/marks/1/sku'],
    [addition('TEA', { sku: null }), '/marks/1/sku'],
    [markOf(milk, { sku: 'TEA' }), '/marks/1/sku'],
    [markOf(milk, { state: 'REPLACED' }), '/marks/1/replacement'],
    [markOf(milk, { replacement: { sku: 'TEA' } }), '/marks/1/replacement'],
    [markOf(milk, { state: 'REPLACED', replacement: { sku: 'MILK' } }), '/marks/1/replacement/sku'],
    [markOf(milk, { state: 'REPLACED', replacement: { sku: 'NONE' } }), '/marks/1/replacement/sku'],
    [markOf(milk, { quantity: -1 }), '/marks/1/quantity'],
    [markOf(milk, { quantity: 1.5 }), '/marks/1/quantity'],
    [markOf(milk, { weight: -0.1 }), '/marks/1/weight'],
    [markOf(milk, { weight: 1e9 }), '/marks/1/weight'],
    [markOf(milk, { state: 'LOST' }), '/marks/1/state'],
    [markOf(milk, { mark_id: '1' }), '/marks/1/mark_id'],
    [markOf(milk, { marked_at: 'now' }), '/marks/1/marked_at'],
    [markOf(milk, { scanned_codes: ['x'.repeat(129)] }), '/marks/1/scanned_codes/0'],
    [markOf(milk, { scanned_codes: ['a\0'] }), '/marks/1/scanned_codes/0'],
  ];
  for (const [mark, pointer] of cases) {
    assertInvalid(await sara.mark(placed, [markOf(itemOf(placed, 'BREAD')), mark]), pointer);
  }
  assertInvalid(await sara.mark(placed, []), '/marks');
  assert.deepEqual((await sara.read(placed)).lines, []);
  assert.equal((await aisle.db.query('select 1 from picking_marks where order_id = $1', [placed.order_id])).length, 0);
});

test('at most 200 products can be added to an order', async () => {
  const placed = await order();
  const many = Array.from({ length: 204 }, () => addition('TEA'));
  const response = await sara.mark(placed, many);
  assertInvalid(response, '/marks');
  assert.match(response.body.detail, /more than 200 products/);
  assert.equal((await sara.mark(placed, many.slice(0, 200))).status, 200);
});

test('a waiting request returns when another picker marks an item, also in another process', async () => {
  const placed = await order();
  const { version } = (await sara.claim(placed)).body;
  const path = `${chain.base}/orders/${placed.order_id}/picking?wait_seconds=20&version=${version}`;
  const waits = [aisle, another].map((one) => one.call('GET', path, { token: sara.session }));
  const marked = (await omar.mark(placed, [markOf(itemOf(placed, 'MILK'), { quantity: 2 })])).body;
  for (const { body } of await Promise.all(waits)) {
    assert.equal(body.version, marked.version);
    assert.deepEqual(summary(body).lines, ['IN_CART 2 Omar']);
  }
});

test('a waiting request returns when the order is fulfilled', async () => {
  const placed = await order();
  const { version } = await sara.read(placed);
  const waiting = sara.read(placed, `?wait_seconds=20&version=${version}`);
  await fulfilled(aisle, chain, placed, allPicked(placed));
  const state = await waiting;
  assert.deepEqual([state.status, state.revision, state.is_open], ['READY_FOR_PICKUP', 2, false]);
});

test('a request without a version, or with an old one, does not wait', async () => {
  const placed = await order();
  const { version } = await sara.read(placed, '?wait_seconds=20');
  await sara.claim(placed);
  assert.notEqual((await sara.read(placed, `?wait_seconds=20&version=${version}`)).version, version);
  const path = `/orders/${placed.order_id}/picking`;
  assertInvalid(await sara.call('GET', `${path}?wait_seconds=21`), 'wait_seconds');
});

test('a waiting request returns the same state if nothing changes', async () => {
  const placed = await order();
  const state = await sara.read(placed);
  assert.deepEqual(await sara.read(placed, `?wait_seconds=1&version=${state.version}`), state);
});

test('old marks of an order are forgotten, and all picking rows are deleted with the order', async () => {
  const placed = await order();
  const milk = itemOf(placed, 'MILK');
  await sara.mark(placed, [markOf(milk)]);
  await aisle.db.query('update pickings set mark_count = 5000 where order_id = $1', [placed.order_id]);
  await sara.mark(placed, [markOf(milk)]);
  const count = async (table: string) =>
    (await aisle.db.query(`select 1 from ${table} where order_id = $1`, [placed.order_id])).length;
  assert.equal(await count('picking_marks'), 1);
  await aisle.db.query('delete from orders where order_id = $1', [placed.order_id]);
  for (const table of ['pickings', 'picking_claims', 'picking_lines', 'picking_marks']) {
    assert.equal(await count(table), 0, table);
  }
});

test('marks that are sent again do not make the order forget newer ones', async () => {
  const placed = await order();
  const milk = itemOf(placed, 'MILK');
  const old = markOf(milk);
  await sara.mark(placed, [old]);
  await aisle.db.query('update pickings set mark_count = 4990 where order_id = $1', [placed.order_id]);
  for (let count = 0; count < 10; count++) await sara.mark(placed, [old, markOf(milk, { state: 'NOT_FOUND' })]);
  const { body } = await sara.mark(placed, [old]);
  assert.equal(body.lines[0].state, 'NOT_FOUND');
});

test('marks with an idempotency key are stored once', async () => {
  const placed = await order();
  const body = { order_revision: 1, marks: [markOf(itemOf(placed, 'MILK'))] };
  const headers = { 'idempotency-key': newId() };
  const send = () => sara.call('PUT', `/orders/${placed.order_id}/picking/marks`, { body, headers });
  assert.deepEqual((await send()).body, (await send()).body);
});
