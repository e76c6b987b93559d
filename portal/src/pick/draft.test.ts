import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleOrder } from '@aisle/contract/order';
import { examplePickingState } from '@aisle/contract/picking-state';
import { changesBetween } from './changes.ts';
import {
  acceptOrder,
  canReplace,
  type Draft,
  isOpen,
  isTaken,
  linesOf,
  markLine,
  nameOf,
  newAddition,
  newest,
  nextBatch,
  progressOf,
  statusOf,
  withLostMarks,
  withMark,
  withOrder,
  withPicking,
  withTypedWeight,
} from './draft.ts';
import { putBody } from './put-body.ts';
import type { Item, Mark } from './types.ts';

const [milk] = exampleOrder.items as [Item];
const apples: Item = {
  ...milk,
  _id: 'apples',
  sku: 'APL',
  name: 'Apples',
  barcode: [],
  pricing: { ...milk.pricing, pricing_type: 'KG', quantity: 1, weight: 1, min_quantity: 0.85, max_quantity: 1.15 },
};
const order = { ...exampleOrder, items: [milk, apples] };
const draft: Draft = { order, unsent: [], products: {} };
const cream = { sku: 'CRM', name: 'Cream', titles: { ar_AE: 'كريمة' }, barcodes: [], price: 5, isSoldByWeight: false };

let marks = 0;
function mark(from: Draft, lineId: string, change: Parameters<typeof markLine>[1]): Draft {
  const line = linesOf(from).find(({ id }) => id === lineId);
  assert.ok(line);
  marks += 1;
  return withMark(from, markLine(line, change, { id: `mark-${marks}`, now: new Date(0) }));
}

test('unsent marks apply on top of what the server knows, and the last mark of a line wins', () => {
  const known = withPicking(draft, examplePickingState);
  assert.equal(linesOf(known)[0]?.state, 'IN_CART');
  const changed = mark(mark(known, milk._id, { state: 'NOT_FOUND' }), milk._id, { state: 'PENDING', quantity: 1 });
  const [line] = linesOf(changed);
  assert.deepEqual([line?.state, line?.quantity, line?.isUnsent], ['PENDING', 1, true]);
  assert.deepEqual(line?.scannedCodes, ['6291000000017', '6291000000017']);
});

test('marks that the server has stored are no longer sent, and later ones stay', () => {
  const two = mark(mark(draft, milk._id, { state: 'IN_CART', quantity: 2 }), 'apples', { state: 'NOT_FOUND' });
  const [first] = two.unsent as [Mark];
  const stored = withPicking(two, examplePickingState, new Set([first.mark_id]));
  assert.deepEqual(
    stored.unsent.map(({ line_id }) => line_id),
    ['apples'],
  );
});

test('a response that is older than a state that arrived in the meantime is dropped, and a newer one is not', () => {
  const at = (version: string) => ({ ...examplePickingState, version });
  const versions = ['1-2-1', '1-9-0', '1-9-1', '1-10-1', '2-9-1', '10-1-0'];
  const states = versions.map(at);
  for (const [index, current] of states.entries()) {
    for (const [other, response] of states.entries()) {
      const shown = newest(at('1-1-1'), current, response).version;
      assert.equal(shown, versions[Math.max(index, other)], `${current.version}, ${response.version}`);
    }
    assert.equal(newest(current, current, at('1-1-0')).version, '1-1-0', 'the server has another state since');
  }
});

test('progress counts the items of the order, not additions', () => {
  const added = withMark(
    draft,
    markLine(newAddition('new', { sku: 'CRM', quantity: 1, weight: null }, []), {}, { id: 'a', now: new Date(0) }),
  );
  assert.deepEqual(progressOf(linesOf(added)), { picked: 0, total: 2 });
  assert.equal(linesOf(added).length, 3);
  assert.equal(linesOf(mark(added, 'new', { state: 'REMOVED' })).length, 2);
});

test('the request to fulfil contains found, replaced and added products with their amounts', () => {
  const products = { CRM: cream };
  const replaced = mark({ ...draft, products }, milk._id, {
    state: 'REPLACED',
    replacement: { sku: 'CRM', quantity: 3, weight: null },
  });
  const weighed = mark(replaced, 'apples', { state: 'IN_CART', weight: 0.95 });
  assert.deepEqual(putBody(weighed, linesOf(weighed), 'READY_FOR_PICKUP').items, [
    { _id: milk._id, sku: milk.sku, status: 'REPLACED', pricing: { pricing_type: 'UNIT' } },
    { sku: 'CRM', status: 'IN_CART', replaced_id: milk._id, pricing: { pricing_type: 'UNIT', quantity: 3 } },
    { _id: 'apples', sku: 'APL', status: 'IN_CART', pricing: { pricing_type: 'KG', weight: 0.95 } },
  ]);
});

test('a changed order is remembered as it was, until the picker accepts it; marks of removed items are dropped', () => {
  const marked = mark(mark(draft, milk._id, { state: 'NOT_FOUND' }), 'apples', { state: 'NOT_FOUND' });
  const changed = withOrder(marked, { ...order, revision: 2, items: [apples] });
  assert.equal(changed.seenBefore?.revision, 1);
  assert.deepEqual(changesBetween(order, changed.order), [{ kind: 'removed', item: milk }]);
  const accepted = acceptOrder(changed);
  assert.equal(accepted.seenBefore, undefined);
  assert.deepEqual(
    accepted.unsent.map(({ line_id }) => line_id),
    ['apples'],
  );
});

test('a mark is kept if another tab changes the draft at the same time, and not if it was made there', () => {
  const here = mark(draft, milk._id, { state: 'NOT_FOUND' });
  const there = mark(draft, 'apples', { state: 'NOT_FOUND' });
  const [own] = here.unsent as [Mark];
  const merged = withLostMarks(there, here, new Set([own.mark_id]));
  assert.deepEqual(merged.unsent, [...there.unsent, own]);
  assert.equal(withLostMarks(merged, here, new Set([own.mark_id])), merged);
  assert.equal(withLostMarks(draft, here, new Set()), draft);
});

test('hundreds of units that were scanned without a network are sent in requests that the server accepts', () => {
  let offline = draft;
  const codes: string[] = [];
  for (let quantity = 1; quantity <= 450; quantity++) {
    codes.push('6291000000017');
    offline = mark(offline, milk._id, { quantity, scannedCodes: [...codes] });
  }
  const sent: Mark[] = [];
  for (let left = offline; left.unsent.length > 0; left = { ...left, unsent: offline.unsent.slice(sent.length) }) {
    const batch = nextBatch(left);
    // The server accepts up to 32,768 values.
    assert.ok(batch.length > 0 && batch.length <= 200);
    assert.ok(batch.flatMap((one) => [...Object.keys(one), ...(one.scanned_codes ?? [])]).length < 30_000);
    sent.push(...batch);
  }
  assert.deepEqual(sent, offline.unsent);
});

test("a product is shown in the picker's language if it has a title in it", () => {
  assert.equal(nameOf('CRM', 'ar', undefined, { CRM: cream }), 'كريمة');
  assert.equal(nameOf('CRM', 'en', undefined, { CRM: cream }), 'Cream');
  assert.equal(nameOf(milk.sku, 'ar', milk, {}), milk.name);
  assert.equal(nameOf('constructor', 'en', undefined, {}), 'constructor');
});

test('a weight that was typed before a reload is kept until the line is marked', () => {
  const typed = withTypedWeight(withTypedWeight(draft, 'apples', '0.9'), 'other', '2');
  assert.deepEqual(typed.typedWeights, { apples: '0.9', other: '2' });
  assert.deepEqual(mark(typed, 'apples', { weight: 0.9 }).typedWeights, { other: '2' });
});

test('an order that was cancelled is not shown as completed while only the picking state is up to date', () => {
  const cancelled = {
    ...examplePickingState,
    revision: order.revision + 1,
    status: 'CANCELLED',
    is_open: false,
  } as const;
  const next = withPicking(draft, cancelled);
  assert.equal(isOpen(next), false);
  assert.equal(statusOf(next), 'CANCELLED');
  assert.equal(statusOf(withOrder(next, { ...order, revision: order.revision + 2 })), order.status);
});

test('an order is taken if others pick it and this user has not joined them', () => {
  const [me] = examplePickingState.pickers;
  assert.ok(me);
  const other = { ...me, is_me: false };
  const withPickers = (pickers: (typeof me)[]) => isTaken(withPicking(draft, { ...examplePickingState, pickers }));
  assert.deepEqual([[], [me], [other], [me, other]].map(withPickers), [false, false, true, false]);
});

test('a product sold by weight replaces an item sold by weight only if the store allows it', () => {
  const plums = { ...cream, isSoldByWeight: true };
  const [milkLine, applesLine] = linesOf(draft);
  assert.ok(milkLine && applesLine);
  for (const weighted_replacement of [true, false]) {
    const at = withPicking(draft, { ...examplePickingState, weighted_replacement });
    assert.equal(canReplace(at, applesLine, plums), weighted_replacement);
    assert.equal(canReplace(at, applesLine, cream), true);
    assert.equal(canReplace(at, milkLine, plums), true);
  }
});
