import assert from 'node:assert/strict';
import test from 'node:test';
import { chooseLanes, type DueLane, type Limits } from './choose-lanes.ts';

/** The lanes of an endpoint, named A1, A2 …, due in this order. */
function lanesOf(endpointId: string, count: number, more: Partial<DueLane> = {}): DueLane[] {
  return Array.from({ length: count }, (_, index) => {
    const dueAt = new Date(index * 1000);
    return { laneId: `${endpointId}${index + 1}`, endpointId, isPlatform: false, level: 1, dueAt, ...more };
  });
}

const unlimited: Limits = { count: 100, capacity: [100, 100, 100, 100], ownSlots: 100 };
const idsOf = (lanes: DueLane[], limits: Partial<Limits> = {}) =>
  chooseLanes(lanes, { ...unlimited, ...limits }).map(({ laneId }) => laneId);

test('endpoints take turns, so one with many lanes does not use all slots', () => {
  const lanes = [...lanesOf('A', 5), ...lanesOf('B', 2)];
  assert.deepEqual(idsOf(lanes, { count: 4 }), ['A1', 'B1', 'A2', 'B2']);
});

test('endpoints that are known to work come first', () => {
  const lanes = [...lanesOf('A', 2, { level: 3 }), ...lanesOf('B', 2), ...lanesOf('C', 2, { level: 2 })];
  assert.deepEqual(idsOf(lanes, { count: 5 }), ['B1', 'B2', 'C1', 'C2', 'A1']);
});

test('each reliability level has a limit', () => {
  const lanes = [...lanesOf('A', 3), ...lanesOf('B', 3, { level: 2 })];
  assert.deepEqual(idsOf(lanes, { capacity: [2, 1, 0, 0] }), ['A1', 'A2', 'B1']);
  assert.deepEqual(idsOf(lanes, { capacity: [0, -1, 0, 0] }), []);
});

test('the limit of the chain does not apply to webhooks of the platform', () => {
  const lanes = [...lanesOf('A', 3), ...lanesOf('P', 2, { isPlatform: true })];
  assert.deepEqual(idsOf(lanes, { ownSlots: 1 }), ['A1', 'P1', 'P2']);
  assert.deepEqual(idsOf(lanes, { ownSlots: 0 }), ['P1', 'P2']);
});
