import assert from 'node:assert/strict';
import test from 'node:test';
import { drawFaults } from './fault-plan.ts';
import { drawShape } from './shape.ts';
import { drawOrder } from '../cli/src/simulate/world/order-plan.ts';
import { seeded } from '../cli/src/simulate/world/random.ts';
import { drawWorld } from '../cli/src/simulate/world/world.ts';

test('the same seed draws the same world, the same orders and the same faults', () => {
  const draw = (seed: string) => {
    const random = seeded(seed);
    const world = drawWorld(random.fork('world'), drawShape(random.fork('shape')));
    const orders = Array.from({ length: 20 }, (_, number) => drawOrder(random.fork(`order ${number}`), world));
    return { world, orders, faults: drawFaults(random.fork('faults'), 60_000) };
  };
  assert.deepEqual(draw('one'), draw('one'));
  const [one, other] = [draw('one'), draw('other')];
  for (const part of ['world', 'orders', 'faults'] as const) assert.notDeepEqual(one[part], other[part], part);
});

test('a fork does not depend on how many numbers were drawn before', () => {
  const [fresh, used] = [seeded('seed'), seeded('seed')];
  used.next();
  assert.equal(fresh.fork('name').next(), used.fork('name').next());
  assert.notEqual(fresh.fork('name').next(), fresh.fork('other').next());
});

test('an hour of faults contains every kind of fault', () => {
  const kinds = new Set(drawFaults(seeded('hour'), 3_600_000).map(({ kind }) => kind));
  assert.equal(kinds.size, 11);
});
