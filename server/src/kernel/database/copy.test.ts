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

/** A pool on which every statement fails with this state. */
function failing(state: string) {
  const error = Object.assign(new pg.DatabaseError('failed', 0, 'error'), { code: state });
  return { connect: async () => ({ query: () => Promise.reject(error), release() {} }) };
}
