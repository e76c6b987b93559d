import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createStreamTurns } from './stream-turns.ts';

async function* parts(name: string, count: number, made: string[]): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) {
    made.push(name);
    yield `${name}${index}`;
  }
}

async function read(stream: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const part of stream) all.push(part);
  return all;
}

test('a chain produces one part in a turn of the event loop, however many streams it has', async () => {
  const inTurns = createStreamTurns();
  const made: string[] = [];
  const reads = Array.from({ length: 20 }, () => read(inTurns('a', parts('a', 5, made))));
  const other = read(inTurns('b', parts('b', 5, made)));
  let most = 0;
  for (let before = 0; made.length < 105; before = made.length) {
    await nextTurn();
    const byChain = Map.groupBy(made.slice(before), (name) => name);
    most = Math.max(most, byChain.get('a')?.length ?? 0);
  }
  assert.ok(most <= 2, `${most} parts in a turn`);
  assert.deepEqual(await other, ['b0', 'b1', 'b2', 'b3', 'b4']);
  for (const all of await Promise.all(reads)) assert.deepEqual(all, ['a0', 'a1', 'a2', 'a3', 'a4']);
  assert.ok(made.lastIndexOf('b') < 40, 'the other chain waited');
});

test('a stream that fails or is not read to its end lets the others go on', async () => {
  const inTurns = createStreamTurns();
  let isClosed = false;
  async function* failing(): AsyncGenerator<string> {
    yield 'first';
    throw new Error('failed');
  }
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield 'part';
    } finally {
      isClosed = true;
    }
  }
  const failed = read(inTurns('a', failing()));
  for await (const part of inTurns('a', endless())) if (part) break;
  assert.ok(isClosed);
  await assert.rejects(failed, /failed/);
  assert.deepEqual(await read(inTurns('a', parts('a', 2, []))), ['a0', 'a1']);
});
