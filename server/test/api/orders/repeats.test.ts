import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Response, makeChain, makeToken, useAisle } from '../../support/aisle.ts';
import {
  added,
  assertUnchanged,
  eventNames,
  fulfil,
  fulfilled,
  makeShop,
  sentItem,
  notFound,
  placeOrder,
  putOrder,
  replaced,
  report,
  validate,
} from '../../support/orders.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';

const aisle = await useAisle();
const chain = await makeShop(aisle);

const unknownOrder = '0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4';
const place = (more: Record<string, unknown> = {}) =>
  placeOrder(
    aisle,
    chain,
    [
      { sku: 'MILK', quantity: 3 },
      { sku: 'BREAD', quantity: 2 },
      { sku: 'HAM', weight: 1 },
    ],
    more,
  );
/** Returns the items of a fulfilment that contains every kind of item. */
const picking = (order: Response['body']): Response['body'][] => [
  sentItem(order, 'MILK', { quantity: 2 }),
  ...replaced(order, 'BREAD', 'TEA', { quantity: 1 }),
  sentItem(order, 'HAM', { weight: 1.1 }),
  added('MILK', { quantity: 1 }),
  added('CHEESE', { weight: 0.2 }),
];
const send = (order: Response['body'], items: unknown, headers?: Record<string, string>) =>
  fulfil(aisle, chain, order, items, headers);

const placeOf = ({ pointer, code }: Response['body']) => `${pointer} ${code}`;

async function moved(order: Response['body'], action: string): Promise<Response['body']> {
  const body = action === 'cancel' ? { cancelled_by: 'CUSTOMER', reason: 'LATE' } : undefined;
  const response = await report(aisle, order.order_id, action, body);
  assert.equal(response.status, 200, response.text);
  return response.body;
}

describe('sending the same fulfilment again', () => {
  const ways = {
    READY_FOR_PICKUP: [{}, []],
    'DISPATCHED by a rider': [{}, ['pickup']],
    'DELIVERED by a rider': [{}, ['pickup', 'deliver']],
    'DISPATCHED by the vendor': [{ transport_type: 'VENDOR_DELIVERY' }, []],
    'DELIVERED by the vendor': [{ transport_type: 'VENDOR_DELIVERY' }, ['deliver']],
    PICKED_UP: [{ order_type: 'PICKUP' }, ['collect']],
  } as const;
  for (const [status, [kind, way]] of Object.entries(ways)) {
    test(`a repeated fulfilment of an order that is ${status} returns the order unchanged, without a second event`, async () => {
      const order = await place(kind);
      let expected = await fulfilled(aisle, chain, order, picking(order));
      for (const action of way) expected = await moved(order, action);
      const events = await eventNames(aisle, order.order_id);
      const again = await send(order, picking(order));
      assert.equal(again.status, 200, again.text);
      assert.deepEqual(again.body, expected);
      assert.equal(again.headers['etag'], `"${expected.revision}"`);
      assert.deepEqual(await eventNames(aisle, order.order_id), events);
    });

    test(`a different fulfilment of an order that is ${status} is rejected as a conflict`, async () => {
      const order = await place(kind);
      await fulfilled(aisle, chain, order, picking(order));
      for (const action of way) await moved(order, action);
      const events = await eventNames(aisle, order.order_id);
      const response = await send(order, picking(order).slice(0, -1));
      assertProblem(response, 'order_state_conflict');
      assert.equal(response.body.order_status, status.split(' ')[0]);
      assert.deepEqual(await eventNames(aisle, order.order_id), events);
    });
  }

  test('a repeated fulfilment of a CANCELLED order is rejected as a conflict', async () => {
    const order = await place();
    await fulfilled(aisle, chain, order, picking(order));
    await moved(order, 'cancel');
    const response = await send(order, picking(order));
    assertProblem(response, 'order_state_conflict');
    assert.equal(response.body.order_status, 'CANCELLED');
  });

  test('a repeat is recognized even if its items are in another order or have a SKU instead of an _id', async () => {
    const order = await place();
    await fulfilled(aisle, chain, order, picking(order));
    assert.equal((await send(order, picking(order).toReversed())).status, 200);
    const bySku = picking(order).map((item, index) =>
      index === 0 ? { sku: 'MILK', status: item.status, pricing: item.pricing } : item,
    );
    assert.equal((await send(order, bySku)).status, 200);
  });

  test('a repeat is recognized whether default values are omitted or sent', async () => {
    const order = await place();
    await fulfilled(
      aisle,
      chain,
      order,
      ['MILK', 'BREAD', 'HAM'].map((sku) => sentItem(order, sku)),
    );
    const spelled = [
      sentItem(order, 'MILK', { quantity: 3, unit_price: 2.5 }),
      sentItem(order, 'BREAD', { quantity: 2, color: 'brown' }),
      sentItem(order, 'HAM', { quantity: 1, weight: 1, unit_price: 10 }),
    ];
    assert.equal((await send(order, spelled)).status, 200);
  });

  const differences: Record<string, (order: Response['body']) => Response['body'][]> = {
    'a different quantity': (order) => [sentItem(order, 'MILK', { quantity: 1 }), ...picking(order).slice(1)],
    'a different price': (order) => [
      sentItem(order, 'MILK', { quantity: 2, unit_price: 2 }),
      ...picking(order).slice(1),
    ],
    'an item that was not found': (order) => [notFound(order, 'MILK'), ...picking(order).slice(1)],
    'a different weight': (order) => picking(order).with(3, sentItem(order, 'HAM', { weight: 1.101 })),
    'a different replacement': (order) => picking(order).with(2, { ...picking(order)[2], sku: 'OLD' }),
    'a larger replacement quantity': (order) =>
      picking(order).with(2, { ...picking(order)[2], pricing: { pricing_type: 'UNIT', quantity: 2 } }),
    'an extra addition': (order) => [...picking(order), added('MILK', { quantity: 1 })],
    'a different price for an addition': (order) =>
      picking(order).with(4, added('MILK', { quantity: 1, unit_price: 1 })),
  };
  for (const [name, items] of Object.entries(differences)) {
    test(`a fulfilment with ${name} is rejected as a conflict, not treated as a repeat`, async () => {
      const order = await place();
      await fulfilled(aisle, chain, order, picking(order));
      assertProblem(await send(order, items(order)), 'order_state_conflict');
    });
  }

  const invalid: Record<string, (order: Response['body']) => Response['body'][]> = {
    'a total_price on an addition': (order) => picking(order).with(4, added('MILK', { quantity: 1, total_price: 2.5 })),
    'an addition without a quantity': (order) => picking(order).with(4, added('MILK', {})),
    'a replacement that is NOT_FOUND': (order) => picking(order).with(2, { ...picking(order)[2], status: 'NOT_FOUND' }),
  };
  for (const [name, items] of Object.entries(invalid)) {
    test(`a fulfilment with ${name} is rejected as invalid rather than compared with the stored one`, async () => {
      const order = await place();
      await fulfilled(aisle, chain, order, picking(order));
      assertProblem(await send(order, items(order)), 'invalid_cart_update');
    });
  }

  test('a repeated fulfilment returns the same warnings as the first one', async () => {
    const order = await place();
    const items = [
      ...replaced(order, 'MILK', 'TEA', { quantity: 5, unit_price: 1 }),
      ...replaced(order, 'BREAD', 'CHEESE', { weight: 2 }),
      sentItem(order, 'HAM'),
    ];
    const { warnings } = await fulfilled(aisle, chain, order, items);
    assert.deepEqual(warnings.map(placeOf), [
      '/items/1/pricing replacement_price_ignored',
      '/items/1/pricing replacement_price_capped',
      '/items/3/pricing replacement_price_capped',
    ]);
    await aisle.db.query("update offers set price = 0.5 where chain_id = $1 and sku = 'TEA'", [chain.chainId]);
    assert.deepEqual((await send(order, items)).body.warnings, warnings);
    const reversed = (await send(order, items.toReversed())).body.warnings;
    assert.deepEqual(reversed.map(placeOf), [
      '/items/1/pricing replacement_price_capped',
      '/items/3/pricing replacement_price_ignored',
      '/items/3/pricing replacement_price_capped',
    ]);
    assert.equal('warnings' in (await moved(order, 'pickup')), false);
    assert.deepEqual((await send(order, items)).body.warnings, warnings);
    await aisle.db.query("update offers set price = 3.99 where chain_id = $1 and sku = 'TEA'", [chain.chainId]);
  });

  test('a repeat is recognized before If-Match is checked', async () => {
    const order = await place();
    await fulfilled(aisle, chain, order, picking(order));
    const again = await send(order, picking(order), { 'if-match': '"1"' });
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.revision, 2);
  });

  test('a fulfilment sent after an identical validation is not treated as a repeat', async () => {
    const order = await place();
    assert.equal((await validate(aisle, chain, order, picking(order))).status, 200);
    assert.equal((await fulfilled(aisle, chain, order, picking(order))).revision, 2);
  });
});

describe('If-Match and ETag', () => {
  const tag = (value: string) => ({ 'if-match': value });

  test('a read returns the revision as a strong ETag, and a PUT with that ETag is accepted', async () => {
    const order = await place();
    const read = await aisle.call('GET', `${chain.base}/orders/${order.order_id}`, { token: chain.token });
    assert.equal(read.headers['etag'], '"1"');
    const response = await send(order, picking(order), tag('"1"'));
    assert.equal(response.status, 200);
    assert.equal(response.headers['etag'], '"2"');
  });

  for (const value of ['"2"', '"0"', 'W/"1"', '"1 "', '"7", "8"']) {
    test(`If-Match ${value} does not match revision 1, and nothing is changed`, async () => {
      const order = await place();
      assertProblem(await send(order, picking(order), tag(value)), 'precondition_failed');
      const cancel = { status: 'CANCELLED', items: [], cancellation: { reason: 'CLOSED' } };
      assertProblem(await putOrder(aisle, chain, order.order_id, cancel, tag(value)), 'precondition_failed');
      const cart = { status: 'UPDATE_CART', items: [] };
      assertProblem(await putOrder(aisle, chain, order.order_id, cart, tag(value)), 'precondition_failed');
      await assertUnchanged(aisle, chain, order);
    });
  }

  for (const value of ['*', '"9", "1"']) {
    test(`If-Match ${value} matches revision 1`, async () => {
      const order = await place();
      assert.equal((await send(order, picking(order), tag(value))).status, 200);
    });
  }
});

describe('precedence of errors', () => {
  const put = (orderId: string, body: unknown, token: string | undefined, base = chain.base) =>
    aisle.call('PUT', `${base}/orders/${orderId}`, { token, body, headers: { 'if-match': '"9"' } });
  const nonsense = { status: 'NONSENSE' };

  test('a 401 is reported first, then an unknown chain, then a missing scope, all before errors in the body', async () => {
    const reader = await makeToken(aisle, chain.chainId, { scopes: ['orders:read'] });
    const stranger = await makeChain(aisle, { vendors: 1 });
    assertProblem(await put(unknownOrder, nonsense, undefined), 'invalid_token');
    assertProblem(await put(unknownOrder, nonsense, reader, stranger.base), 'chain_not_found');
    assertProblem(await put(unknownOrder, nonsense, reader), 'forbidden');
  });

  test('a 415 is reported first, then a 400, an unknown order, a 412 and a 409', async () => {
    const order = await place();
    const path = `${chain.base}/orders/${unknownOrder}`;
    const text = { token: chain.token, raw: '{', headers: { 'content-type': 'text/plain' } };
    assertProblem(await aisle.call('PUT', path, text), 'unsupported_media_type');
    assertProblem(await put(unknownOrder, nonsense, chain.token), 'invalid_request');
    const fine = { status: 'READY_FOR_PICKUP', items: picking(order) };
    assertProblem(await put(unknownOrder, fine, chain.token), 'order_not_found');
    await fulfilled(aisle, chain, order, [...picking(order), added('TEA', { quantity: 1 })]);
    assertProblem(await put(order.order_id, { ...fine, items: [] }, chain.token), 'invalid_cart_update');
    assertProblem(await put(order.order_id, fine, chain.token), 'precondition_failed');
    const { body } = await putOrder(aisle, chain, order.order_id, fine);
    assert.equal(body.code, 'order_state_conflict');
  });

  test('an order_id in the body must equal the one in the path', async () => {
    const order = await place();
    const fine = { status: 'READY_FOR_PICKUP', items: picking(order) };
    for (const order_id of [unknownOrder, 'x', 7, '']) {
      assertInvalid(await putOrder(aisle, chain, order.order_id, { ...fine, order_id }), '/order_id');
    }
    await assertUnchanged(aisle, chain, order);
    const same = await putOrder(aisle, chain, order.order_id, { ...fine, order_id: order.order_id.toUpperCase() });
    assert.equal(same.status, 200, same.text);
    assertInvalid(await putOrder(aisle, chain, 'no-uuid', fine), 'order_id');
  });

  test('a malformed or empty body returns 400', async () => {
    const order = await place();
    const path = `${chain.base}/orders/${order.order_id}`;
    for (const raw of ['{"status":', '[]', '7', 'null', '']) {
      const response = await aisle.call('PUT', path, { token: chain.token, raw });
      assertProblem(response, 'invalid_request');
    }
    await assertUnchanged(aisle, chain, order);
  });
});
