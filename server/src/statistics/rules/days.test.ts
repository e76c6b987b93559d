import assert from 'node:assert/strict';
import test from 'node:test';
import { tallyNames } from '../../tallies/queries.ts';
import { jobStatistics, listDays, orderStatistics, webhookStatistics, alignToQuarterHours } from './days.ts';

const at = (text: string) => new Date(text);

test('the listed days depend on the time zone and include the first and the last day of the range', () => {
  const from = at('2026-05-03T21:00:00Z');
  const to = at('2026-05-05T19:00:00Z');
  assert.deepEqual(listDays(from, to, 'UTC'), ['2026-05-03', '2026-05-04', '2026-05-05']);
  assert.deepEqual(listDays(from, to, 'Asia/Dubai'), ['2026-05-04', '2026-05-05']);
  assert.deepEqual(listDays(from, from, 'UTC'), ['2026-05-03']);
});

test('no day is missing or repeated when the clocks change', () => {
  const days = listDays(at('2026-03-27T12:00:00Z'), at('2026-03-31T12:00:00Z'), 'Europe/Berlin');
  assert.deepEqual(days, ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
});

const nothing = Object.fromEntries(tallyNames.map((name) => [name, 0])) as Record<(typeof tallyNames)[number], number>;

test('rates are relative to the ordered lines, and null if there were none', () => {
  const lines = { lines_ordered: 8, lines_picked: 6, lines_not_found: 1, lines_replaced: 1, lines_added: 3 };
  const found = orderStatistics(['a', 'b'], [{ ...nothing, ...lines, day: 'a', delivered: 2 }]);
  assert.deepEqual([found.fulfilment_rate, found.not_found_rate, found.replacement_rate], [0.75, 0.125, 0.125]);
  assert.equal(found.total, 2);
  assert.equal(found.days[0]?.by_status.DELIVERED, 2);
  assert.deepEqual(found.days[1]?.items, { ordered: 0, picked: 0, not_found: 0, replaced: 0, added: 0 });
  assert.equal(orderStatistics(['a'], []).fulfilment_rate, null);
});

test('days without attempts or jobs are listed with zeros', () => {
  const tallies = [{ ...nothing, day: 'b', attempts_succeeded: 3, attempts_failed: 1 }];
  const webhooks = webhookStatistics(['a', 'b'], tallies, [], { pending: 0, exhausted: 0 });
  assert.equal(webhooks.success_rate, 0.75);
  assert.deepEqual(webhooks.days[0], { day: 'a', succeeded: 0, failed: 0 });
  assert.deepEqual([webhooks.median_ms, webhooks.slow_ms], [null, null]);
  const jobs = jobStatistics(['a', 'b'], [{ day: 'a', running: 1, completed: 2, failed: 0 }]);
  assert.deepEqual([jobs.running, jobs.completed, jobs.days.length], [1, 2, 2]);
});

test('the median and 95th percentile are actual attempt durations, not interpolated', () => {
  const measured = (...times: [took_ms: number, attempts: number][]) => {
    const rows = times.map(([took_ms, attempts]) => ({ took_ms, attempts }));
    const { median_ms, slow_ms } = webhookStatistics([], [], rows, { pending: 0, exhausted: 0 });
    return [median_ms, slow_ms];
  };
  assert.deepEqual(measured([7, 1]), [7, 7]);
  assert.deepEqual(measured([10, 50], [20, 45], [90, 5]), [10, 20]);
  assert.deepEqual(measured([10, 49], [20, 45], [90, 6]), [20, 90]);
});

test('a range is widened to full quarter hours, and an aligned range is unchanged', () => {
  const aligned = { from: at('2026-05-03T21:15:00Z'), to: at('2026-05-03T21:45:00Z') };
  assert.deepEqual(
    alignToQuarterHours({ from: at('2026-05-03T21:29:59.999Z'), to: at('2026-05-03T21:30:00.001Z') }),
    aligned,
  );
  assert.deepEqual(alignToQuarterHours(aligned), aligned);
});
