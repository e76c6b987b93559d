import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../monitoring/log.ts';
import type { Scope } from '../database/scope.ts';
import { Failure } from '../failures/failure.ts';
import { type Chains, runIfReachable, startChainLoop } from './chain-loop.ts';

/** Starts a loop that records its rounds. `away` are the chains that cannot be reached. */
function start(
  t: TestContext,
  options: {
    chains?: Partial<Chains>;
    due?: string[];
    gapMs?: number;
    restFactor?: number;
    run(scope: Scope): Promise<boolean>;
  },
) {
  const { gapMs, restFactor } = options;
  const rounds: Scope[] = [];
  const chains = options.chains && { list: async () => [], isAway: () => false, ...options.chains };
  const loop = startChainLoop({
    name: 'test',
    pollMs: 100_000,
    ...(gapMs !== undefined && { gapMs }),
    ...(restFactor !== undefined && { restFactor }),
    log: createLog('silent'),
    chains: chains && { collect: (list) => list(null), ...chains },
    listDue: async () => options.due ?? [],
    run: async (scope) => {
      rounds.push(scope);
      return options.run(scope);
    },
  });
  t.after(() => loop.stop());
  return { loop, rounds };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

test('on one node, all chains are worked on together', async (t) => {
  const { loop, rounds } = start(t, { run: async () => false });
  await tick();
  loop.wake(['a', 'b']);
  await tick();
  assert.deepEqual(rounds, [null, null]);
});

test('on a distributed database, each chain has its own rounds, and a failing one does not stop the others', async (t) => {
  const { loop, rounds } = start(t, {
    chains: {},
    run: async (scope) => {
      if (scope === 'a') throw new Error('no such table');
      return false;
    },
  });
  loop.wake(['a', 'b']);
  await tick();
  loop.wake(['a']);
  await tick();
  assert.deepEqual(rounds, ['a', 'b', 'a']);
});

test('chains whose node is away are skipped, and chains with work are found by polling', async (t) => {
  const { rounds } = start(t, {
    chains: { isAway: (chainId) => chainId === 'away' },
    due: ['away', 'here'],
    run: async () => false,
  });
  await tick();
  assert.deepEqual(rounds, ['here']);
});

test('a chain that hangs leaves rounds for the others, and none of its own overlap', async (t) => {
  const hanging = Promise.withResolvers<boolean>();
  t.after(() => hanging.resolve(false));
  const { loop, rounds } = start(t, {
    chains: {},
    run: (scope) => (scope === 'hangs' ? hanging.promise : Promise.resolve(false)),
  });
  loop.wake(['hangs', 'b']);
  loop.wake(['hangs', 'c']);
  await tick();
  assert.deepEqual(rounds, ['hangs', 'b', 'c']);
  hanging.resolve(false);
  await tick();
  assert.deepEqual(rounds, ['hangs', 'b', 'c', 'hangs']);
});

test('chains that rest after a round do not keep others waiting', async (t) => {
  const { loop, rounds } = start(t, { chains: {}, gapMs: 100_000, run: async () => true });
  const ids = Array.from({ length: 20 }, (_, index) => `chain ${index}`);
  loop.wake(ids);
  for (let count = 0; count < 10; count++) await tick();
  assert.deepEqual(rounds, ids);
});

test('a chain rests for a multiple of the time that its round took, unless there is more work', async (t) => {
  const starts: number[] = [];
  const { loop } = start(t, {
    chains: {},
    gapMs: 1,
    restFactor: 4,
    run: async () => {
      starts.push(performance.now());
      await sleep(30);
      return starts.length === 1;
    },
  });
  while (starts.length < 3) {
    loop.wake(['a']);
    await sleep(5);
  }
  const [first = 0, second = 0, third = 0] = starts;
  assert.ok(third - second >= 5 * 29, String(starts));
  assert.ok(second - first < third - second, String(starts));
});

test('work for a chain that cannot be reached is left out, and other errors are thrown', async () => {
  const chains: Chains = { list: async () => [], isAway: (id) => id === 'away', collect: (list) => list(null) };
  const ran: string[] = [];
  const run = (chainId: string, error?: Error) =>
    runIfReachable(chains, chainId, async () => {
      ran.push(chainId);
      if (error) throw error;
    });
  const lost = new Failure('service_unavailable', 'away');
  await run('away');
  await run('here');
  await run('lost', lost);
  assert.deepEqual(ran, ['here', 'lost']);
  await assert.rejects(run('broken', new Error('no such table')), /no such table/);
  const onOneNode = runIfReachable(undefined, 'any', () => Promise.reject(lost));
  await assert.rejects(onOneNode, lost);
});
