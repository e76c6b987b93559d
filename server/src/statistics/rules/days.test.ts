import assert from 'node:assert/strict';
import test from 'node:test';
import { jobStatistics, listDays, orderStatistics, webhookStatistics } from './days.ts';

const at = (text: string) => new Date(text);

test('days are those of the place, the first and the last included', () => {
  const from = at('2026-05-03T21:00:00Z');
  const to = at('2026-05-05T19:00:00Z');
  assert.deepEqual(listDays(from, to, 'UTC'), ['2026-05-03', '2026-05-04', '2026-05-05']);
  assert.deepEqual(listDays(from, to, 'Asia/Dubai'), ['2026-05-04', '2026-05-05']);
  assert.deepEqual(listDays(from, from, 'UTC'), ['2026-05-03']);
});

test('no day is lost or doubled when the clocks change', () => {
  const days = listDays(at('2026-03-27T12:00:00Z'), at('2026-03-31T12:00:00Z'), 'Europe/Berlin');
  assert.deepEqual(days, ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
});

test('rates are of the lines that were ordered, and null where there were none', () => {
  const items = [{ day: 'a', ordered: 8, picked: 6, not_found: 1, replaced: 1, added: 3 }];
  const found = orderStatistics(['a', 'b'], [{ day: 'a', status: 'DELIVERED', count: 2 }], items);
  assert.deepEqual([found.fulfilment_rate, found.not_found_rate, found.replacement_rate], [0.75, 0.125, 0.125]);
  assert.equal(found.total, 2);
  assert.equal(found.days[0]?.by_status.DELIVERED, 2);
  assert.deepEqual(found.days[1]?.items, { ordered: 0, picked: 0, not_found: 0, replaced: 0, added: 0 });
  assert.equal(orderStatistics(['a'], [], []).fulfilment_rate, null);
});

test('days without attempts or jobs are there, with nothing', () => {
  const rest = { median_ms: null, slow_ms: null, pending: 0, exhausted: 0 };
  const webhooks = webhookStatistics(['a', 'b'], [{ day: 'b', succeeded: 3, failed: 1 }], rest);
  assert.equal(webhooks.success_rate, 0.75);
  assert.deepEqual(webhooks.days[0], { day: 'a', succeeded: 0, failed: 0 });
  const jobs = jobStatistics(['a', 'b'], [{ day: 'a', running: 1, completed: 2, failed: 0 }]);
  assert.deepEqual([jobs.running, jobs.completed, jobs.days.length], [1, 2, 2]);
});
