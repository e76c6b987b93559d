import assert from 'node:assert/strict';
import test from 'node:test';
import { planFor, targetUtilization } from '../bench/capacity/plan.ts';
import { simulate } from '../bench/capacity/simulate.ts';

const mean = (values: number[] = []) => values.reduce((sum, value) => sum + value, 0) / values.length;

test('the simulation agrees with the formulas for queues with one and two cores', () => {
  const operation = { name: 'read', perSecond: 50, visits: [{ part: 'api', ms: 10, isLast: true }] };
  const one = simulate([operation], { api: 1 }, 1500);
  // M/M/1: 10 ms / (1 - 0.5). M/M/2 at a utilization of 0.25: 10 ms / (1 - 0.25²).
  assert.ok(Math.abs(mean(one.latencies['read']) - 20) < 1.5, String(mean(one.latencies['read'])));
  assert.ok(Math.abs((one.utilization['api'] ?? 0) - 0.5) < 0.02);
  const two = simulate([operation], { api: 2 }, 1500);
  assert.ok(Math.abs(mean(two.latencies['read']) - 10.67) < 0.5, String(mean(two.latencies['read'])));
});

test('a plan has enough cores for its load, and more stores need more of them', () => {
  const cost = { api: 4, worker: 2, postgres: 5 };
  const costs = { order: cost, list: { ...cost, worker: 0 }, update: { ...cost, worker: 0 }, bulk: cost };
  const [small, large] = [planFor(1000, costs), planFor(4000, costs)];
  for (const part of ['api', 'worker', 'postgres'] as const) {
    assert.ok((large.utilization[part] ?? 1) <= targetUtilization + 0.02, `${part}: ${large.utilization[part]}`);
    assert.ok(large.cores[part] >= small.cores[part]);
  }
});
