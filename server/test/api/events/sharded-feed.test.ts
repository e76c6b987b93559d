import assert from 'node:assert/strict';
import test from 'node:test';
import { platformEventTypes } from '@aisle/contract/platform-events';
import { publishBatch } from '../../../src/events/publish-events.ts';
import { readPlatformFeed } from '../../../src/events/read-platform-feed.ts';
import { createWaits } from '../../../src/kernel/http/waits.ts';
import { makeChain, type TestChain, useOwnAisle } from '../../support/aisle.ts';

// The role has no publisher, so the test publishes itself, chain by chain as on a distributed database.
const aisle = await useOwnAisle({}, 'api');
const { db } = aisle;
const [one, two] = [await makeChain(aisle), await makeChain(aisle)];

/** Closes or opens the chain's first store, which is one event. */
async function recordEvent(chain: TestChain): Promise<void> {
  const path = `${chain.base}/vendors/${chain.vendors[0]}/status`;
  const isOpen = !closed.delete(chain);
  if (isOpen) closed.add(chain);
  const body = { status: isOpen ? 'CLOSED_TODAY' : 'OPEN' };
  const { status, text } = await aisle.call('PUT', path, { token: chain.token, body });
  assert.equal(status, 200, text);
}
const closed = new Set<TestChain>();

async function read(after: string, limit = 100) {
  const request = { types: platformEventTypes, chainId: null, vendorId: null, after, limit, waitSeconds: 0 };
  const { rows, cursor } = await readPlatformFeed(db, createWaits(), request, true);
  return { chains: rows.map((row) => row.chain_id), cursor };
}

/** Publishes the chain's events in a transaction that stays open until it is released. */
async function publishSlowly(chain: TestChain) {
  const holding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const published = publishBatch(
    db,
    [
      () => {
        holding.resolve();
        return release.promise;
      },
    ],
    chain.chainId,
  );
  await Promise.race([holding.promise, published]);
  return {
    async commit() {
      release.resolve();
      assert.equal(await published, 1);
    },
  };
}

test('before the first event, the cursor of an empty feed does not skip it', async () => {
  const { chains, cursor } = await read('latest');
  assert.deepEqual(chains, []);
  await recordEvent(one);
  assert.equal(await publishBatch(db, [], one.chainId), 1);
  assert.deepEqual((await read(cursor)).chains, [one.chainId]);
});

test('a reader of all chains does not pass a position that is not visible yet', async () => {
  const start = (await read('latest')).cursor;
  for (const chain of [one, two]) await recordEvent(chain);
  const slow = await publishSlowly(one);
  assert.equal(await publishBatch(db, [], two.chainId), 1);
  const early = await read(start);
  assert.deepEqual(early, { chains: [], cursor: start });
  assert.equal((await read('latest')).cursor, start);
  await slow.commit();
  const first = await read(early.cursor, 1);
  assert.deepEqual(first.chains, [one.chainId]);
  const second = await read(first.cursor, 1);
  assert.deepEqual(second.chains, [two.chainId]);
  assert.deepEqual(await read(second.cursor), { chains: [], cursor: second.cursor });
});

test('positions that were not used, because the publisher failed, do not hold up the feed', async () => {
  const start = (await read('latest')).cursor;
  await recordEvent(one);
  const failing = publishBatch(db, [() => Promise.reject(new Error('no'))], one.chainId);
  await assert.rejects(failing, /no/);
  assert.equal(await publishBatch(db, [], one.chainId), 1);
  assert.deepEqual((await read(start)).chains, [one.chainId]);
});

test('publishers that find a new timeline of PostgreSQL at the same time skip positions once', async () => {
  const start = (await read('latest')).cursor;
  for (const chain of [one, two]) await recordEvent(chain);
  await db.query('update feed_timeline set timeline = timeline - 1');
  assert.deepEqual(await Promise.all([one, two].map(({ chainId }) => publishBatch(db, [], chainId))), [1, 1]);
  const { chains, cursor } = await read(start);
  assert.deepEqual(new Set(chains), new Set([one.chainId, two.chainId]));
  assert.ok(Number(cursor) > Number(start) + 1_000_000_000, cursor);
  const [row] = await db.query<{ between: number }>(
    'select (max(position) - min(position))::int as between from platform_events where position > $1',
    [start],
  );
  assert.equal(row?.between, 1);
});
