import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleSnapshot } from '@aisle/contract/order';
import { recordEvent } from '../../src/events/index.ts';
import type { Tx } from '../../src/kernel/database/db.ts';
import { newId } from '../../src/kernel/values/ids.ts';
import { makeChain } from './chain.ts';
import { cloneDatabase } from './database.ts';
import { assertEventsMatchContract } from './recorded-events.ts';
import { changeOrder } from './webhooks.ts';

test('an invalid event body does not compile', () => {
  const meta = { vendorId: null, about: { orderId: newId() } };
  const isCancelled: boolean = exampleSnapshot.revision > 1;
  const dynamicType = isCancelled ? 'order.cancelled' : 'order.received';
  const compileOnly = async (tx: Tx) => {
    recordEvent(tx, newId(), { ...meta, type: 'order.received', body: exampleSnapshot });
    // @ts-expect-error -- order.cancelled requires post_pickup_flag
    recordEvent(tx, newId(), { ...meta, type: 'order.cancelled', body: exampleSnapshot });
    // @ts-expect-error -- an order is not a job
    recordEvent(tx, newId(), { ...meta, type: 'catalog.job_finished', body: exampleSnapshot });
    // @ts-expect-error -- the body must match whichever type is chosen at run time
    recordEvent(tx, newId(), { ...meta, type: dynamicType, body: exampleSnapshot });
    // @ts-expect-error -- an event must refer to an order or a job
    recordEvent(tx, newId(), { type: 'order.received', vendorId: null, about: {}, body: exampleSnapshot });
  };
  assert.equal(typeof compileOnly, 'function');
});

test('dropping a test database fails and reports the type, path and value of an invalid event', async () => {
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ revision: 'one' }, /order\.received [0-9a-f-]{36}: \/revision must be integer: \\?"one\\?"/],
    [{ extra: true }, /order\.received [0-9a-f-]{36}: \/ must not have additional properties: .*\\?"extra\\?":true/],
    [{ client: { ...exampleSnapshot.client, mood: 'good' } }, /\/client must not have additional properties/],
    [{ payment: undefined }, /\/ must have required properties payment/],
  ];
  for (const [change, expected] of wrong) {
    const database = await cloneDatabase();
    const chain = await makeChain(database);
    await changeOrder(database, chain);
    await assertEventsMatchContract(database.db);
    await database.db.query('update events set body = $1', [JSON.stringify({ ...exampleSnapshot, ...change })]);
    await assert.rejects(database.drop(), expected);
  }
});
