import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { copyOut } from './copy.ts';
import type { Database } from './db.ts';

test('after the replica has cancelled a copy, the next attempt uses the primary', async () => {
  let isAvoided = false;
  const replica = {
    db: { pool: failing('40001') },
    isCurrent: async () => !isAvoided,
    avoid: () => (isAvoided = true),
    counts: { replica: 0, primary: 0 },
  };
  const db = { pool: failing('42P01'), replica } as unknown as Database;
  await assert.rejects(copyOut(db, 'select 1').next(), { code: '40001' });
  await assert.rejects(copyOut(db, 'select 1').next(), { code: '42P01' });
});

test('a copy from a server that sends nothing fails, and the next attempt uses the primary', {
  timeout: 60_000,
}, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const client = {
    connection: { stream: { destroy: lose } },
    query() {
      ask();
      return lost;
    },
    release() {},
  };
  let avoided = 0;
  const replica = {
    db: { pool: { connect: async () => client } },
    isCurrent: async () => true,
    avoid: () => (avoided += 1),
    counts: { replica: 0, primary: 0 },
  };
  const copying = copyOut({ replica } as unknown as Database, 'select 1').next();
  await asked;
  t.mock.timers.tick(30_000);
  await assert.rejects(copying, { code: 'service_unavailable' });
  assert.equal(avoided, 1);
});

/** A pool on which every statement fails with this state. */
function failing(state: string) {
  const error = Object.assign(new pg.DatabaseError('failed', 0, 'error'), { code: state });
  return { connect: async () => ({ connection: {}, query: () => Promise.reject(error), release() {} }) };
}
