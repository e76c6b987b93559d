import assert from 'node:assert/strict';
import test from 'node:test';
import { readConfig } from './config.ts';
import type { Database } from './kernel/database/db.ts';
import { createLog } from './kernel/monitoring/log.ts';
import { checkConnections } from './start-database.ts';

test('the warning about too few connections counts those of tasks if they have their own', async () => {
  const config = readConfig({ AISLE_DATABASE_CONNECTIONS: '20', AISLE_WORKER_SLOTS: '4', AISLE_PROCESSES: '2' });
  const warned: string[] = [];
  const log = createLog('warn', { write: (line) => void warned.push(line) });
  const check = (allowed: number, hasOwn: boolean) => {
    const db = {
      query: async () => [{ allowed }],
      pool: 'requests',
      forTasks: { pool: hasOwn ? 'tasks' : 'requests' },
    };
    return checkConnections(db as unknown as Database, config, 2, log);
  };
  await check(46, false);
  await check(58, true);
  assert.equal(warned.length, 0);
  await check(57, true);
  assert.match(String(warned), /"event":"database.too_few_connections","needed":58,"max_connections":57/);
});
