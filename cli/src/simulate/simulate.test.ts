import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createContext } from '../context.ts';
import { runAisle } from '../run.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { drawArrivals, peakFactor, profiles } from './curve.ts';
import { dashboardLines, progressLine } from './dashboard.ts';
import { createMonitor } from './monitor.ts';
import { createPickers } from './pickers.ts';
import { drawShape } from './shape.ts';
import { expectedEvents } from './settle.ts';
import { createStatistics } from './statistics.ts';
import { drawClosings } from './world/closings.ts';
import type { Operation } from './world/history.ts';
import { drawOrder } from './world/order-plan.ts';
import { seeded } from './world/random.ts';
import { drawWorld } from './world/world.ts';

for (const [args, message, hint] of [
  [['--profile', 'weekend'], 'There is no demand profile named weekend.', 'evening-rush, lunch-rush, night, steady'],
  [['--stores', '0'], '--stores must be a whole number between 1 and 500, not 0.', ''],
  [['--pickers', 'many'], '--pickers must be a whole number between 1 and 10000, not many.', ''],
  [['--orders-per-minute', '1.5'], '--orders-per-minute must be a whole number between 1 and 60000, not 1.5.', ''],
  [['--seed', '-7'], '--seed must be a whole number between 0 and 4294967295, not -7.', ''],
  [['--duration', '4s'], '--duration must be between 5s and 1d, not 4s.', ''],
  [['--duration', 'long'], '--duration must be a duration such as 90s, 15m, 2h or 1d, not long.', ''],
  [['--receiver-host', 'a:80'], '--receiver-host must be a host name or an IP address without a port, not a:80.', ''],
  [
    ['--orders-per-minute', '60000', '--duration', '1d'],
    'The run would have 86,400,000 orders; it must have between 1 and 1,000,000.',
    'Change --orders-per-minute or --duration.',
  ],
] as const) {
  test(`aisle simulate ${args.join(' ')} is rejected`, async () => {
    const { exitCode, stderr } = await run([...args]);
    const text = stderr.replaceAll(/\s+/g, ' ');
    assert.equal(exitCode, 2);
    assert.ok(text.includes(message) && text.includes(hint), text);
  });
}

test('without a platform token, the command says which credentials it needs and how to get them', async () => {
  const { exitCode, stderr } = await run([], { AISLE_TOKEN: 'aisle_test' });
  assert.equal(exitCode, 3);
  assert.match(
    stderr,
    /This command needs a platform token, and AISLE_TOKEN has none\.\nRun npm start -- platform-token/,
  );
});

test('the same seed draws the same day', () => {
  const draw = (seed: string) => {
    const random = seeded(seed);
    const world = drawWorld(random.fork('world'), drawShape(random.fork('shape'), 12, 500));
    const closings = drawClosings(random.fork('closings'), world, 60_000);
    const orders = Array.from({ length: 20 }, (_, number) => drawOrder(random.fork(`order ${number}`), world));
    return { world, closings, orders, arrivals: drawArrivals(random.fork('arrivals'), 'night', 50, 60_000) };
  };
  assert.deepEqual(draw('one'), draw('one'));
  assert.notDeepEqual(draw('one').orders, draw('other').orders);
  const { world, closings } = draw('one');
  assert.deepEqual(
    world.chains.map(({ stores }) => stores.length),
    [4, 4, 4],
  );
  assert.deepEqual(
    world.chains.map(({ receiver }) => receiver === 'healthy'),
    [true, false, true],
  );
  assert.equal(closings.length, 3);
});

for (const profile of profiles) {
  test(`orders of the profile ${profile} come in sequence, within the day, and most of them at the peak`, () => {
    const arrivals = drawArrivals(seeded('day'), profile, 2400, 24_000);
    assert.deepEqual(
      arrivals,
      arrivals.toSorted((one, other) => one - other),
    );
    assert.ok((arrivals[0] ?? -1) >= 0 && (arrivals.at(-1) ?? Infinity) < 24_000);
    const hours = Array.from({ length: 24 }, () => 0);
    for (const at of arrivals) hours[Math.floor(at / 1000)] = (hours[Math.floor(at / 1000)] ?? 0) + 1;
    assert.ok(Math.abs(Math.max(...hours) / 100 - peakFactor(profile)) < 0.05, hours.join());
  });
}

test('orders wait for a free picker in sequence, and are not picked after the pickers have left', async () => {
  const pickers = createPickers(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const results = [0, 1, 2, 3].map((order) =>
    pickers.asPicker(async () => {
      started.push(order);
      await new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  assert.deepEqual([started, pickers.busy(), pickers.waiting()], [[0, 1], 2, 2]);
  ends[1]?.();
  await results[1];
  await Promise.resolve();
  assert.deepEqual([started, pickers.busy(), pickers.waiting()], [[0, 1, 2], 2, 1]);
  pickers.leave();
  assert.equal(await results[3], false);
  for (const end of ends) end();
  assert.deepEqual(await Promise.all(results), [true, true, true, false]);
  assert.deepEqual([pickers.busy(), await pickers.asPicker(() => Promise.reject(new Error('late')))], [0, false]);
});

test('percentiles are accurate to a few percent', () => {
  const statistics = createStatistics();
  for (let value = 1; value <= 1000; value++) statistics.record('place', value, 201);
  statistics.record('place', 5, undefined);
  statistics.record('place', 5, 429);
  const { count, p50, p95, p99, max } = statistics.latencyOf('place');
  assert.deepEqual([count, max, statistics.limited(), statistics.unanswered()], [1001, 1000, 1, 1]);
  for (const [found, expected] of [
    [p50, 500],
    [p95, 950],
    [p99, 990],
  ] as const) {
    assert.ok(Math.abs(found / expected - 1) < 0.03, `${found} instead of ${expected}`);
  }
});

test('an event is expected for every acknowledged change, except for the delivery by the store itself', () => {
  const shape = { chains: [{ receiver: 'healthy', stores: 2 } as const], scarceStock: { min: 1, max: 2 } };
  const [plan] = drawWorld(seeded('events'), shape).chains;
  assert.ok(plan);
  const stores = (['VENDOR_DELIVERY', 'LOGISTICS_DELIVERY'] as const).map((transport) => ({ name: '', transport }));
  const chain = { ...plan, stores, chainId: '', token: '', base: '', vendors: ['own', 'riders'] };
  const write = (kind: Operation['kind'], orderId: string, revision: number, vendorId?: string): Operation => ({
    id: `${kind} ${orderId}`,
    chain: plan.tag,
    kind,
    startedAt: 0,
    attempts: 1,
    outcome: 'acknowledged',
    result: { status: 200, orderId, revision },
    ...(vendorId !== undefined && { vendorId }),
  });
  const operations = [
    write('place', 'one', 1, 'own'),
    write('deliver', 'one', 2),
    write('place', 'two', 1, 'riders'),
    write('deliver', 'two', 2),
    write('reject', 'three', 2),
    { ...write('cancel', 'two', 3), outcome: 'unknown' as const },
  ];
  const history = { operations, arrivals: [], violations: [], responses: new Map() };
  const expected = expectedEvents(history, [chain]).map(({ orderId, revision }) => `${orderId} ${revision}`);
  assert.deepEqual(expected, ['one 1', 'two 1', 'two 2']);
});

test('the dashboard fits in 80 columns, and a run without a terminal prints one line', () => {
  const monitor = createMonitor({
    planned: 1_000_000,
    durationMs: 60_000,
    pickerCount: 9999,
    pickers: createPickers(2),
  });
  for (let value = 1; value <= 20; value++) monitor.statistics.record('place', value * 1000, 429);
  const { terminal } = fakeTerminal({ FORCE_COLOR: '1' });
  const lines = dashboardLines(createContext(terminal, {}), monitor.snapshot(), 'Seed 4294967295, evening-rush');
  assert.deepEqual(
    lines.filter((line) => stripVTControlCharacters(line).length > 80),
    [],
  );
  assert.ok(
    lines.some((line) => line.includes('AISLE_RATE_LIMITS=off')),
    lines.join('\n'),
  );
  assert.equal(
    progressLine(monitor.snapshot()),
    '0 s, creating the stores, 0/1,000,000 orders, 0 delivered, backlog 0 orders to pick, 0 events to deliver',
  );
});

function fakeTerminal(env: Terminal['env']) {
  const written = { stdout: '', stderr: '' };
  const terminal: Terminal = {
    stdin: Readable.from([]),
    stdout: { write: (text) => (written.stdout += text), isTTY: true, columns: 80 },
    stderr: { write: (text) => (written.stderr += text) },
    env: { AISLE_CONFIG_DIR: '/nonexistent', ...env },
    folder: '/',
    signal: new AbortController().signal,
    now: () => new Date(),
  };
  return { terminal, written };
}

async function run(args: string[], env: Terminal['env'] = {}) {
  const { terminal, written } = fakeTerminal(env);
  const exitCode = await runAisle(['simulate', ...args], terminal);
  return { exitCode, ...written };
}
