import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Database } from '../kernel/database/db.ts';
import { newId } from '../kernel/values/ids.ts';
import { moveChain, rebalanceShards } from './move-chains.ts';

const [from, to] = ['node-1:5432', 'node-2:5432'];

/** A cluster in which a split is not finished before it is cancelled, unless writes are blocked. */
function startCluster(t: TestContext, errors: number[], isDistributed = true) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sent: string[] = [];
  const split = Promise.withResolvers<never>();
  const respond = (text: string, values: readonly unknown[] = []): unknown => {
    sent.push(text);
    if (text.includes('pg_cancel_backend')) return split.reject(new Error('canceling statement'));
    if (text.includes('isolate_tenant')) return values[1] === 'block_writes' ? [{ shard: '2' }] : split.promise;
    if (text.includes('pg_stat_subscription_stats')) return [{ count: errors.shift() ?? 0 }];
    if (text.includes('extversion')) return [{ version: '13.0-1' }];
    if (text.includes('citus_is_coordinator')) return [{ is_coordinator: true }];
    if (text.includes('relname')) return [{ name: 'vendors', class: isDistributed ? 'distributed' : 'local' }];
    if (text.includes('shouldhaveshards')) {
      const worker = { is_coordinator: false, is_active: true, has_shards: true };
      const coordinator = { address: 'node-0:5432', is_coordinator: true, is_active: true, has_shards: false };
      return [coordinator, ...[from, to].map((address) => ({ address, ...worker }))];
    }
    return text.includes('shardminvalue') ? [{ shard: '1', address: from, is_alone: false }] : [];
  };
  const query = async (text: string, values?: readonly unknown[]) => respond(text, values);
  const db = { query } as unknown as Database;
  return { db, sent };
}

test('a split whose replication fails is cancelled, and the command says what to do', async (t) => {
  // An earlier split has left two errors behind.
  const { db, sent } = startCluster(t, [2, 2, 0, 1]);
  const moved = assert.rejects(moveChain(db, newId(), to), /Nothing was changed.*--block-writes/);
  for (let count = 0; count < 4; count++) {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(
      sent.some((text) => text.includes('pg_cancel_backend')),
      count === 3,
      `after ${count} checks`,
    );
    t.mock.timers.tick(2000);
  }
  await moved;
  assert.ok(!sent.some((text) => text.includes('citus_move_shard_placement')));
});

test('a chain is moved after its shard was split while writes were blocked', async (t) => {
  const { db, sent } = startCluster(t, []);
  assert.match(await moveChain(db, newId(), to, { blocksWrites: true }), /was moved from node-1:5432 to node-2:5432/);
  assert.ok(sent.some((text) => text.includes('citus_move_shard_placement')));
});

test('nothing is moved before the tables are distributed', async (t) => {
  const { db, sent } = startCluster(t, [], false);
  const refused = /The tables are not distributed: run "npm start -- distribute"/;
  await assert.rejects(moveChain(db, newId(), to), refused);
  await assert.rejects(rebalanceShards(db), refused);
  assert.deepEqual(
    sent.filter((text) => /rebalance|move_shard|isolate/.test(text)),
    [],
  );
});
