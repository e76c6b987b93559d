import assert from 'node:assert/strict';
import test from 'node:test';
import { createHandshakeBudget } from './handshake-budget.ts';
import { failureOf } from './results.ts';

function start() {
  let nowMs = 0;
  const budget = createHandshakeBudget(() => nowMs);
  return {
    budget,
    pass: (ms: number) => void (nowMs += ms),
    /** Returns whether the handshake was allowed. */
    handshake(owner: string, ms: number) {
      const isAllowed = budget.check(owner) === undefined;
      if (isAllowed) budget.count(owner, 0, ms);
      return isAllowed;
    },
  };
}

test('usual handshakes are free, however many there are', () => {
  const { handshake } = start();
  const allowed = Array.from({ length: 1000 }, () => handshake('one', 9));
  assert.deepEqual(new Set(allowed), new Set([true]));
});

test('after a long handshake, the owner has none for five hundred times as long, and others are not affected', () => {
  const { handshake, pass } = start();
  assert.deepEqual([handshake('one', 360), handshake('one', 1), handshake('two', 1)], [true, false, true]);
  pass(150_000 - 1);
  assert.equal(handshake('one', 1), false);
  pass(1);
  assert.equal(handshake('one', 1), true);
});

test('handshakes that are a little long are allowed as long as they are few', () => {
  const { handshake, pass } = start();
  const burst = Array.from({ length: 30 }, () => handshake('one', 12));
  assert.equal(burst.filter(Boolean).length, 26);
  pass(1000);
  assert.deepEqual([handshake('one', 12), handshake('one', 12)], [true, false]);
});

test('the pieces of a handshake count together', () => {
  const { budget } = start();
  for (let ms = 0; ms < 60; ms += 6) budget.count('one', ms, 6);
  assert.equal(budget.check('one'), undefined);
  budget.count('one', 60, 6);
  assert.match(String(budget.check('one')), /none for 3 s/);
});

test('a hold ends after some minutes, and is a failure of TLS', () => {
  const { budget, handshake, pass } = start();
  handshake('one', 100_000);
  const error = budget.check('one');
  assert.ok(error);
  const { reason, detail } = failureOf(error);
  assert.deepEqual([reason, detail], ['tls_failed', 'TLS handshakes took too long, so there are none for 275 s']);
  pass(275_000);
  assert.equal(handshake('one', 1), true);
});
