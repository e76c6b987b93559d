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

function server(position: string) {
  let reads = 0;
  const state = { position, reads: () => reads };
  const query = async () => {
    reads += 1;
    return [{ position: state.position }];
  };
  return Object.assign(state, { db: { query } as Db as Database });
}
