import assert from 'node:assert/strict';
import test from 'node:test';
import { Failure } from '../failures/failure.ts';
import { createStarts } from './starts.ts';

/** An event loop whose turns the test ends, in which each request takes as long as the test says. */
function setUp() {
  let clock = 0;
  let scheduled: (() => void)[] = [];
  const starts = createStarts(
    () => clock,
    (end) => void scheduled.push(end),
  );
  const started: string[] = [];
  const rejected: unknown[] = [];
  const send = (owner: string, ms: number) => {
    const handle = () => {
      started.push(owner);
      clock += ms;
    };
    const turn = starts.waitForTurn(owner);
    if (turn) turn.then(handle, (error) => rejected.push(error));
    else handle();
  };
  const endTurn = async () => {
    const ends = scheduled;
    scheduled = [];
    for (const end of ends) end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { send, endTurn, started, rejected, wait: (ms: number) => (clock += ms), scheduled: () => scheduled.length };
}

test('all requests start at once while the event loop is on time', async () => {
  const { send, endTurn, started, scheduled } = setUp();
  for (let count = 0; count < 10; count++) send('a', 1);
  assert.equal(started.length, 10);
  await endTurn();
  assert.equal(scheduled(), 0, 'an idle loop is not kept busy');
  for (let count = 0; count < 30; count++) send('a', 0);
  assert.equal(started.length, 40);
});

test('a chain with many expensive requests delays those of others by one of them per turn', async () => {
  const { send, endTurn, started } = setUp();
  for (let count = 0; count < 6; count++) send('expensive', 60);
  assert.deepEqual(started, ['expensive'], 'the others of this chain wait');
  send('other', 1);
  send('other', 1);
  await endTurn();
  assert.deepEqual(started.slice(1), ['expensive', 'other', 'other']);
  await endTurn();
  assert.deepEqual(started.slice(4), ['expensive']);
  for (let turns = 0; turns < 3; turns++) await endTurn();
  assert.equal(started.length, 8, 'every request is handled');
});

test('cheap requests share the time of a turn', async () => {
  const { send, endTurn, started } = setUp();
  send('expensive', 60);
  for (let count = 0; count < 3; count++) send('expensive', 60);
  for (let count = 0; count < 8; count++) send('a', 1);
  for (let count = 0; count < 30; count++) send('b', 1);
  await endTurn();
  const inTurn = (owner: string) => started.slice(1).filter((one) => one === owner).length;
  assert.equal(inTurn('expensive'), 1);
  assert.equal(inTurn('a'), 7, 'a third of 20 ms');
  assert.equal(inTurn('b'), 7);
  await endTurn();
  assert.equal(inTurn('a'), 8);
  assert.equal(inTurn('b'), 14);
});

test('a request that has waited too long is rejected', async () => {
  const { send, endTurn, started, rejected, wait } = setUp();
  for (let count = 0; count < 4; count++) send('expensive', 60);
  wait(6000);
  send('other', 1);
  await endTurn();
  assert.deepEqual(started, ['expensive', 'other']);
  assert.equal(rejected.length, 3);
  assert.ok(rejected.every((error) => error instanceof Failure && error.code === 'service_unavailable'));
});
