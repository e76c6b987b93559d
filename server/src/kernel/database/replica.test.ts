import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Db } from './db.ts';
import { createReplica } from './replica.ts';

test('the position of a replica is read again, because a restarted one begins at an earlier position', async () => {
  const primary = server('0/20');
  const standby = server('0/20');
  const replica = createReplica(primary.db, standby.db, () => {});
  assert.equal(await replica.isCurrent(), true);
  assert.equal(await replica.isCurrent(), true);
  assert.equal(standby.reads(), 1);
  standby.position = '0/10';
  await sleep(600);
  assert.equal(await replica.isCurrent(), false);
});

test('while a replica does not respond, reads use the primary, and do not ask it again', {
  timeout: 60_000,
}, async () => {
  const standby = server('0/20');
  const replica = createReplica(server('0/20').db, standby.db, () => {});
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
  standby.delay = thawed;
  assert.equal(await replica.isCurrent(), false);
  await sleep(1100);
  assert.equal(await replica.isCurrent(), false);
  assert.equal(standby.reads(), 1);
  thaw();
  await sleep(10);
  assert.equal(await replica.isCurrent(), true);
});

test('a replica of a server that was replaced is not used, even if its position is later', async () => {
  const primary = server('0/20');
  const standby = server('0/30');
  const replica = createReplica(primary.db, standby.db, () => {});
  assert.equal(await replica.isCurrent(), true);
  primary.history = 'promoted';
  assert.equal(await replica.isCurrent(), false);
});

function server(position: string) {
  let reads = 0;
  const state = { position, history: 'first', reads: () => reads, delay: Promise.resolve() };
  const query = async () => {
    reads += 1;
    await state.delay;
    return [{ position: state.position, history: state.history }];
  };
  return Object.assign(state, { db: { query } as Db as Database });
}
