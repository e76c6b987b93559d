import assert from 'node:assert/strict';
import test from 'node:test';
import { createPacer, type Pacer } from './pacer.ts';

const of = (endpoint_id: string, chain_id = 'chain') => ({ chain_id, endpoint_id, is_platform: false });
const success = { hasSucceeded: true, durationMs: 20 };
const failure = { hasSucceeded: false, durationMs: 20 };

/** The endpoint responds, and the attempt is written. */
function end(pacer: Pacer, endpoint: ReturnType<typeof of>, result: Parameters<Pacer['respond']>[1]): void {
  pacer.respond(endpoint, result);
  pacer.end(endpoint);
}

test('unknown and slow endpoints can use half of the slots, failing ones a quarter, and working ones all', () => {
  const pacer = createPacer(16, 4);
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [16, [16, 8, 4, 8]]);
  for (let count = 0; count < 6; count++) void pacer.begin(of(`new ${count}`));
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [10, [10, 2, 4, 8]]);
  for (let count = 0; count < 6; count++) end(pacer, of(`new ${count}`), count % 2 === 0 ? success : failure);
  assert.deepEqual([pacer.share().count, pacer.share().capacity], [16, [16, 8, 4, 8]]);
});

test("an endpoint's slots and reliability depend on its latest attempts", () => {
  const pacer = createPacer(100, 4);
  for (let count = 0; count < 5; count++) {
    void pacer.begin(of('good'));
    end(pacer, of('good'), success);
  }
  void pacer.begin(of('bad'));
  end(pacer, of('bad'), failure);
  void pacer.begin(of('late'));
  end(pacer, of('late'), { hasSucceeded: true, durationMs: 9500 });
  void pacer.begin(of('fresh'));
  const { endpoints, newEndpointSlots } = pacer.share();
  assert.deepEqual(Object.fromEntries(endpoints), {
    good: { reliability: 1, slots: 4 },
    bad: { reliability: 3, slots: 1 },
    late: { reliability: 4, slots: 2 },
    fresh: { reliability: 2, slots: 0 },
  });
  assert.equal(newEndpointSlots, 1);
});

test('an endpoint whose TLS handshake has failed is paused, and other endpoints of the chain are not', () => {
  const pacer = createPacer(16, 4);
  for (const id of ['bad', 'good']) void pacer.begin(of(id));
  end(pacer, of('good'), success);
  end(pacer, of('bad'), { hasSucceeded: false, durationMs: 5000, isTlsFailure: true });
  const { endpoints } = pacer.share();
  assert.deepEqual([endpoints.get('bad')?.slots, endpoints.get('good')?.slots], [0, 2]);
});

test('the endpoints of a chain can use half of the slots together', () => {
  const pacer = createPacer(16, 4);
  for (let count = 0; count < 7; count++) void pacer.begin(of(`endpoint ${count}`, 'large'));
  void pacer.begin(of('other', 'small'));
  const { busyChains, slotsPerChain } = pacer.share();
  assert.deepEqual([slotsPerChain, Object.fromEntries(busyChains)], [8, { large: 1, small: 7 }]);
  end(pacer, of('other', 'small'), success);
  assert.deepEqual(Object.fromEntries(pacer.share().busyChains), { large: 1 });
});

test('while an attempt is written, its endpoint can get the next one, but the slot of the sender is not free', () => {
  const pacer = createPacer(16, 4);
  for (let count = 0; count < 4; count++) void pacer.begin(of('one'));
  pacer.respond(of('one'), success);
  pacer.respond(of('one'), success);
  const { count, endpoints, busyChains } = pacer.share();
  assert.deepEqual([count, endpoints.get('one')?.slots, busyChains.get('chain')], [12, 2, 4]);
  pacer.end(of('one'));
  pacer.end(of('one'));
  assert.deepEqual([pacer.share().count, pacer.share().busyChains.get('chain')], [14, 6]);
});

test('attempts can be queued for an endpoint that is quick, and start when it has responded', async () => {
  const pacer = createPacer(100, 2, 2);
  for (let count = 0; count < 2; count++) {
    void pacer.begin(of('quick'));
    end(pacer, of('quick'), success);
  }
  assert.equal(pacer.share().endpoints.get('quick')?.slots, 6);
  const started: number[] = [];
  for (let count = 0; count < 6; count++) {
    void pacer.begin(of('quick')).then((isStarted) => isStarted && started.push(count));
  }
  await tick();
  assert.deepEqual([started, pacer.share().endpoints.get('quick')?.slots, pacer.share().count], [[0, 1], 0, 94]);
  end(pacer, of('quick'), success);
  await tick();
  assert.deepEqual([started, pacer.share().endpoints.get('quick')?.slots], [[0, 1, 2], 1]);
});

test('nothing is queued for an endpoint that takes long, is new or fails', () => {
  const pacer = createPacer(100, 2, 2);
  void pacer.begin(of('late'));
  end(pacer, of('late'), { hasSucceeded: true, durationMs: 300 });
  void pacer.begin(of('bad'));
  end(pacer, of('bad'), failure);
  const { endpoints, newEndpointSlots } = pacer.share();
  assert.deepEqual([endpoints.get('late')?.slots, endpoints.get('bad')?.slots, newEndpointSlots], [2, 1, 1]);
});

test('if an endpoint fails three times in a row, its queued attempts are given up', async () => {
  const pacer = createPacer(100, 4, 2);
  for (let count = 0; count < 3; count++) {
    void pacer.begin(of('one'));
    end(pacer, of('one'), success);
  }
  const results: boolean[] = [];
  for (let count = 0; count < 12; count++) void pacer.begin(of('one')).then((isStarted) => results.push(isStarted));
  await tick();
  assert.deepEqual(results, [true, true, true, true]);
  for (let count = 0; count < 3; count++) end(pacer, of('one'), failure);
  await tick();
  assert.deepEqual(
    results.slice(4),
    Array.from({ length: 8 }, () => false),
  );
  assert.equal(pacer.share().count, 100 - 1 - 8);
  for (let count = 0; count < 8; count++) pacer.end(of('one'));
  assert.deepEqual([pacer.share().count, pacer.share().busyChains.get('chain')], [99, 49]);
});

const tick = () => new Promise((resolve) => setImmediate(resolve));
