import assert from 'node:assert/strict';
import test from 'node:test';
import { Counter, Gauge, Registry } from 'prom-client';
import { createMetricsSum, summarizeHealth } from './summaries.ts';

async function reportOf(count: number, memory: number) {
  const registers = [new Registry()] as [Registry];
  new Counter({ registers, name: 'requests_total', help: 'Requests.', labelNames: ['route'] }).inc(
    { route: '/a' },
    count,
  );
  new Gauge({ registers, name: 'memory', help: 'Memory.' }).set(memory);
  new Gauge({ registers, name: 'tasks', help: 'Tasks.', aggregator: 'max' }).set(7);
  return registers[0].getMetricsAsJSON();
}

test('metrics are added up, and the counters of a process that has exited stay in the sums', async () => {
  const sum = createMetricsSum(() => ['ready', 'restarting']);
  const shows = async (...lines: string[]) => {
    const text = await sum.render(new Set([1, 2]));
    for (const line of lines) assert.ok(text.split('\n').includes(line), `${line} is not in\n${text}`);
  };
  sum.record(1, await reportOf(10, 100));
  sum.record(2, await reportOf(5, 200));
  await shows('requests_total{route="/a"} 15', 'memory 300', 'tasks 7', 'aisle_processes{state="restarting"} 1');
  sum.retire(2);
  await shows('requests_total{route="/a"} 15', 'memory 100');
  sum.record(2, await reportOf(1, 50));
  sum.retire(2);
  sum.record(2, await reportOf(2, 50));
  await shows('requests_total{route="/a"} 18', 'memory 150');
});

test('the gauges of a process that does not respond are not in the sums, but its counters are', async () => {
  const sum = createMetricsSum(() => ['ready', 'ready']);
  sum.record(1, await reportOf(10, 100));
  sum.record(2, await reportOf(5, 200));
  const one = (await sum.render(new Set([1]))).split('\n');
  assert.deepEqual([one.includes('requests_total{route="/a"} 15'), one.includes('memory 100')], [true, true]);
  assert.doesNotMatch(await sum.render(new Set()), /^(memory|tasks) /m);
});

test('a failed check names the processes, unless all have the same problem', () => {
  const results = (worker: string) => [
    { name: 'database', isWarning: false, result: 'gone' },
    { name: 'worker', isWarning: false, result: worker },
  ];
  const reports = new Map([
    [1, results('ok')],
    [2, results('is late')],
  ]);
  const states = new Map([1, 2, 3, 4].map((number) => [number, number < 4 ? 'ready' : 'restarting'] as const));
  assert.deepEqual(
    summarizeHealth(reports, states, [3]).map(({ name, result }) => [name, result]),
    [
      ['database', 'gone'],
      ['worker', 'process 2: is late'],
      ['processes', 'process 3 does not respond'],
      ['processes', 'process 4 is restarting'],
    ],
  );
});
