import assert from 'node:assert/strict';
import test from 'node:test';
import { readSettings } from './check-machine.ts';
import { readFindings } from './check-metrics.ts';
import { checkClock } from './check-server.ts';

const good = {
  server_version_num: '180001',
  server_encoding: 'UTF8',
  lc_ctype: 'C.UTF-8',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
};
const bad = { ...good, server_version_num: '140005', lc_ctype: 'C', fsync: 'off', max_connections: '20' };

test('settings of PostgreSQL that lose data or are not supported are errors', () => {
  assert.deepEqual(
    readSettings(good).map(({ status, message }) => `${status}: ${message}`),
    ['ok: PostgreSQL 18 with suitable settings'],
  );
  const findings = readSettings(bad);
  assert.deepEqual(
    findings.map(({ status, message }) => `${status}: ${message}`),
    [
      'error: PostgreSQL 14 is too old',
      'warning: LC_CTYPE is C',
      'error: fsync is off, so a crash loses data',
      'warning: max_connections is only 20',
    ],
  );
  assert.ok(findings.every(({ remedy }) => remedy));
});

test('a backlog in the metrics is reported', () => {
  const quiet = 'aisle_queue_oldest_due_seconds 0\naisle_queue_dead_tasks 0\naisle_delivery_oldest_due_seconds 0\n';
  assert.deepEqual(
    readFindings(quiet).map(({ status }) => status),
    ['ok'],
  );
  const busy =
    'aisle_queue_oldest_due_seconds 0\naisle_queue_dead_tasks{kind="export"} 2\naisle_delivery_oldest_due_seconds 75.5\n';
  assert.deepEqual(
    readFindings(busy).map(({ message }) => message),
    ['a delivery has been due for 76 s', '2 background tasks failed every attempt'],
  );
});

test('a clock that differs by more than a few seconds is reported with its direction', () => {
  const now = new Date('2026-05-04T12:00:00Z');
  const at = (date: string) => checkClock(date, now).map(({ status, message }) => `${status}: ${message}`);
  assert.match(at('Mon, 04 May 2026 12:00:03 GMT')[0] ?? '', /^ok/);
  assert.match(at('Mon, 04 May 2026 12:02:00 GMT')[0] ?? '', /^warning: the clock of the server is 120 s ahead of/);
  assert.match(at('Mon, 04 May 2026 11:59:00 GMT')[0] ?? '', /60 s behind/);
});
