import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { exampleSnapshot } from '@aisle/contract/order';
import { readConfig } from '../../../src/config.ts';
import { eventChores } from '../../../src/events/chores.ts';
import { recordEvent } from '../../../src/events/index.ts';
import { readFeed } from '../../../src/events/read-feed.ts';
import type { Database } from '../../../src/kernel/database/db.ts';
import { createWaits } from '../../../src/kernel/http/waits.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { runChores } from '../../support/chores.ts';
import { type Response, makeChain, makeToken, useAisle, type TestChain } from '../../support/aisle.ts';
import { assertInvalid, assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';
import { changeOrder, orderEvent } from '../../support/webhooks.ts';

const aisle = await useAisle();
let chain: TestChain;
beforeEach(async () => {
  chain = await makeChain(aisle);
});

test('a limited reader that is far behind reads the feed as a slow read', async () => {
  const [vendor = '', other = ''] = chain.vendors;
  let slow = 0;
  const db: Database = { ...aisle.db, runSlow: (_, run) => ((slow += 1), run()) };
  const request = { chainId: chain.chainId, types: null, after: '0', limit: 10, waitSeconds: 0 };
  const readAs = async (vendorIds: string[] | null) =>
    (await readFeed(db, createWaits(), { ...request, vendorIds })).rows;
  const orderId = await changeOrder(aisle, chain);
  await published(1);
  assert.equal((await readAs([vendor])).length, 1);
  assert.equal(slow, 0);
  await aisle.db.query(
    `insert into events (chain_id, event_id, type, vendor_id, body, order_id, position)
     select chain_id, gen_random_uuid(), type, vendor_id, body, order_id, nextval('event_positions')
     from events, generate_series(1, 5000) where chain_id = $1 and order_id = $2`,
    [chain.chainId, orderId],
  );
  assert.deepEqual(await readAs([other]), []);
  assert.equal(slow, 1);
  assert.equal((await readAs(null)).length, 10);
  assert.equal(slow, 1);
});

test('the feed returns every event once, in pages and oldest first, and always returns a cursor', async () => {
  const empty = await read('');
  assert.deepEqual(empty.events, []);
  assert.match(empty.next_cursor, /^\d+$/);
  const orders: string[] = [];
  for (let count = 0; count < 7; count++) orders.push(await changeOrder(aisle, chain));
  await published(7);
  const seen: string[] = [];
  let cursor = empty.next_cursor;
  for (const size of [3, 3, 1, 0]) {
    const page = await read(`?after=${cursor}&limit=3`);
    assert.equal(page.events.length, size);
    seen.push(...page.events.map((event: Response['body']) => event.body.order_id));
    cursor = page.next_cursor;
  }
  assert.deepEqual(seen, orders);
  assert.equal((await read(`?after=${cursor}`)).next_cursor, cursor);
  const all = await read('');
  assert.equal(all.events.length, 7);
  const { event_id, type, vendor_id, created_at, body } = all.events[0];
  assert.deepEqual(
    [type, vendor_id, body],
    ['order.received', chain.vendors[0], { ...exampleSnapshot, order_id: orders[0] }],
  );
  assert.match(event_id, /^[0-9a-f-]{36}$/);
  assert.match(created_at, /Z$/);
});

test('an event committed after newer ones were read is still returned, and no event is returned twice', async () => {
  const cursor = (await read('')).next_cursor;
  const late = newId();
  const hold = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const slow = aisle.db.transaction(async (tx) => {
    recordEvent(tx, chain.chainId, {
      ...orderEvent({ orderId: late }),
      vendorId: null,
      about: { orderId: late },
    });
    written.resolve();
    await hold.promise;
  });
  await written.promise;
  const early = await changeOrder(aisle, chain);
  await published(1);
  const first = await read(`?after=${cursor}`);
  assert.deepEqual(orderIds(first), [early], 'an open transaction does not delay other events');
  hold.resolve();
  await slow;
  await published(2);
  const second = await read(`?after=${first.next_cursor}`);
  assert.deepEqual(orderIds(second), [late]);
});

test('readers see every committed event once while writers commit in any order', async () => {
  const written = new Set<string>();
  const cursor = (await read('')).next_cursor;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let count = 0; count < 25; count++) {
      const orderId = newId();
      const isRolledBack = (writer + count) % 5 === 0;
      await aisle.db
        .transaction(async (tx) => {
          recordEvent(tx, chain.chainId, { ...orderEvent({ orderId }), vendorId: null, about: { orderId } });
          await sleep(Math.random() * 8);
          if (isRolledBack) throw new Error('rollback');
        })
        .then(
          () => written.add(orderId),
          () => {},
        );
    }
  });
  let isDone = false;
  const all = Promise.all(writers).then(() => void (isDone = true));
  const readers = Array.from({ length: 3 }, () => readUntil(cursor, () => isDone, written));
  await all;
  for (const seen of await Promise.all(readers)) {
    assert.equal(seen.length, written.size);
    assert.deepEqual(new Set(seen), written);
  }
});

test('a waiting reader gets a response as soon as there is an event', async () => {
  const cursor = (await read('')).next_cursor;
  const started = performance.now();
  const waiting = read(`?after=${cursor}&wait=20`);
  await sleep(200);
  const order = await changeOrder(aisle, chain);
  assert.deepEqual(orderIds(await waiting), [order]);
  assert.ok(performance.now() - started < 15_000, 'it did not wait until its time was up');
});

test('a reader that starts at the latest event gets only events that happen afterwards', async () => {
  assert.match((await read('?after=latest')).next_cursor, /^\d+$/, 'a chain without events also has a cursor');
  await changeOrder(aisle, chain);
  await published(1);
  const { events, next_cursor } = await read('?after=latest');
  assert.deepEqual(events, []);
  const waiting = read('?after=latest&wait=20');
  const order = await changeOrder(aisle, chain);
  assert.deepEqual(orderIds(await read(`?after=${next_cursor}&wait=20`)), [order]);
  const other = await changeOrder(aisle, chain);
  const woken = orderIds(await waiting)[0] ?? '';
  assert.ok([order, other].includes(woken), 'the reader started to wait before or after the first of them');
});

test('a token that is revoked while it waits gets no more events', async () => {
  const token = await makeToken(aisle, chain.chainId);
  const { body } = await aisle.call('GET', `${chain.base}/tokens`, { token: chain.token });
  const { token_id } = body.tokens.find((one: Response['body']) => one.name === 'limited');
  const waiting = aisle.call('GET', `${chain.base}/events?after=latest&wait=20`, { token });
  await sleep(200);
  const revoked = await aisle.call('DELETE', `${chain.base}/tokens/${token_id}`, { token: chain.token });
  assert.equal(revoked.status, 200);
  await changeOrder(aisle, chain);
  assertProblem(await waiting, 'invalid_token');
});

test('a waiting reader gets an empty response when its wait time is up', async () => {
  const started = performance.now();
  const page = await read('?wait=1');
  assert.deepEqual(page.events, []);
  const elapsed = performance.now() - started;
  assert.ok(elapsed >= 990 && elapsed < 10_000, String(elapsed));
});

test('hundreds of waiting readers hold no connections, and readers of other chains are not woken', async () => {
  const other = await makeChain(aisle);
  const waiting = Array.from({ length: 200 }, () => read('?wait=20'));
  // The worker in this process uses one or two connections from time to time.
  const inUse = () => aisle.db.pool.totalCount - aisle.db.pool.idleCount;
  await waitFor('all readers to wait without a connection', () => inUse() <= 2, 4);
  await changeOrder(aisle, other);
  const order = await changeOrder(aisle, chain);
  for (const page of await Promise.all(waiting)) assert.deepEqual(orderIds(page), [order]);
});

test('a server that is shutting down responds to its waiting readers immediately', async () => {
  const second = await aisle.another({}, 'api');
  const url = await second.aisle.http.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${chain.token}`, connection: 'close' };
  const waiting = fetch(`${url}${chain.base}/events?wait=25`, { headers });
  await sleep(200);
  const started = performance.now();
  await second.stop();
  const response = await waiting;
  assert.deepEqual([response.status, ((await response.json()) as { events: unknown[] }).events], [200, []]);
  assert.ok(performance.now() - started < 15_000, 'it did not wait until its time was up');
});

test('a reader in another process is woken too', async () => {
  const api = await aisle.another({}, 'api');
  const waiting = api.call('GET', `${chain.base}/events?wait=20`, { token: chain.token });
  await sleep(200);
  const order = await changeOrder(aisle, chain);
  assert.deepEqual(orderIds((await waiting).body), [order]);
  await api.stop();
});

test('a token restricted to certain vendors sees only their events, and its cursor still advances', async () => {
  const [mine, others] = chain.vendors;
  const token = await makeToken(aisle, chain.chainId, { scopes: ['orders:read'], vendor_ids: [String(mine)] });
  const order = await changeOrder(aisle, chain, { vendor: mine });
  await changeOrder(aisle, chain, { vendor: others });
  const jobId = newId();
  await aisle.db.transaction((tx) =>
    recordEvent(tx, chain.chainId, {
      type: 'catalog.job_finished',
      vendorId: null,
      about: { jobId },
      body: {
        job_id: jobId,
        job_type: 'PRODUCT_CREATION',
        status: 'COMPLETED',
        job_status: 'COMPLETED',
        chain_id: chain.chainId,
        progress: { total: 0, processed: 0, succeeded: 0, unchanged: 0, failed: 0 },
        result: { item_level_feedback: [], duplicated_products: [] },
      },
    }),
  );
  await published(3);
  const page = (await aisle.call('GET', `${chain.base}/events`, { token })).body;
  assert.deepEqual(orderIds(page), [order]);
  assert.equal(page.next_cursor, (await read('')).next_cursor);
});

test('another chain’s events are not in the feed', async () => {
  const other = await makeChain(aisle);
  await changeOrder(aisle, other);
  const order = await changeOrder(aisle, chain);
  await published(1);
  assert.deepEqual(orderIds(await read('')), [order]);
});

test('an invalid cursor, limit or wait time returns 400', async () => {
  const bad = { after: ['x', '-1', '1.5', '9'.repeat(19)], limit: ['0', '501', 'x'], wait: ['-1', '26', 'x'] };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      assertInvalid(await aisle.call('GET', `${chain.base}/events?${name}=${value}`, { token: chain.token }), name);
    }
  }
});

test('events are kept for 30 days', async () => {
  await changeOrder(aisle, chain);
  const kept = await changeOrder(aisle, chain);
  await published(2);
  await aisle.db.query(
    "update events set created_at = now() - interval '30 days 1 minute' where chain_id = $1 and order_id <> $2",
    [chain.chainId, kept],
  );
  await runChores(aisle, eventChores(readConfig({})));
  assert.deepEqual(orderIds(await read('')), [kept]);
});

test('a reader is told if events that it has not read were deleted', async () => {
  const start = await read('');
  for (let count = 0; count < 3; count++) await changeOrder(aisle, chain);
  await published(3);
  const [first, , last] = await Promise.all([1, 2, 3].map((limit) => read(`?limit=${limit}`)));
  await ageEvents((await read('?limit=2')).events.map((event: Response['body']) => event.event_id));
  await runChores(aisle, eventChores(readConfig({})));
  const hasGap = async (query: string) => (await read(query)).has_gap;
  const seen = [
    '',
    `?after=${start.next_cursor}`,
    `?after=${first.next_cursor}`,
    `?after=${last.next_cursor}`,
    '?after=latest',
  ];
  assert.deepEqual(await Promise.all(seen.map(hasGap)), [undefined, true, true, undefined, undefined]);
  const next = await read(`?after=${first.next_cursor}`);
  assert.equal(await hasGap(`?after=${next.next_cursor}`), undefined);
});

test('a reader is told once if all events were deleted, and a new reader is not', async () => {
  const start = await read('');
  await changeOrder(aisle, chain);
  await published(1);
  const { events, next_cursor: end } = await read('');
  await ageEvents(events.map((event: Response['body']) => event.event_id));
  await runChores(aisle, eventChores(readConfig({})));
  const pages = await Promise.all([`?after=${start.next_cursor}`, '', '?after=latest'].map(read));
  assert.deepEqual(
    pages.map((page) => [page.events.length, page.has_gap, page.next_cursor]),
    [
      [0, true, end],
      [0, undefined, end],
      [0, undefined, end],
    ],
  );
  assert.equal((await read(`?after=${end}`)).has_gap, undefined);
  await changeOrder(aisle, chain);
  await published(1);
  assert.equal((await read(`?after=${end}`)).events.length, 1);
});

async function ageEvents(eventIds: string[]): Promise<void> {
  await aisle.db.query(
    "update events set created_at = now() - interval '31 days' where chain_id = $1 and event_id = any ($2)",
    [chain.chainId, eventIds],
  );
}

async function read(query: string): Promise<Response['body']> {
  const response = await aisle.call('GET', `${chain.base}/events${query}`, { token: chain.token });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

async function readUntil(start: string, isDone: () => boolean, all: Set<string>): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = start; !isDone() || seen.length < all.size; ) {
    const page = await read(`?after=${cursor}&limit=7&wait=1`);
    seen.push(...orderIds(page));
    cursor = page.next_cursor;
  }
  return seen;
}

function orderIds(page: Response['body']): string[] {
  return page.events.map((event: Response['body']) => event.body.order_id);
}

async function published(count: number): Promise<void> {
  await waitFor(`${count} published events`, async () => (await read('?limit=500')).events.length === count);
}
