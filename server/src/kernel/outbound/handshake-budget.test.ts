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
    handshake(owner: string, ms: number, endpoint = `endpoint of ${owner}`) {
      const payer = { owner, endpoint };
      const isAllowed = budget.check(payer) === undefined;
      if (isAllowed) {
        budget.count(payer, 0, ms);
        budget.succeed(payer, ms);
      }
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
  const payer = { owner: 'one', endpoint: '' };
  for (let ms = 0; ms < 60; ms += 6) budget.count(payer, ms, 6);
  assert.equal(budget.check(payer), undefined);
  budget.count(payer, 60, 6);
  assert.match(String(budget.check(payer)), /none for 3 s/);
});

test('a hold ends after some minutes, and is a failure of TLS', () => {
  const { budget, handshake, pass } = start();
  handshake('one', 100_000);
  const error = budget.check({ owner: 'one', endpoint: '' });
  assert.ok(error);
  const { reason, detail } = failureOf(error);
  assert.deepEqual([reason, detail], ['tls_failed', 'TLS handshakes took too long, so there are none for 275 s']);
  pass(275_000);
  assert.equal(handshake('one', 1), true);
});

test('an endpoint whose handshakes take long does not stop the others of its owner', () => {
  const { handshake, pass } = start();
  assert.equal(handshake('one', 2, 'usual'), true);
  assert.equal(handshake('one', 360, 'slow'), true);
  assert.deepEqual([handshake('one', 2, 'usual'), handshake('one', 2, 'slow')], [true, false]);
  assert.equal(handshake('one', 2, 'new'), false);
  // As soon as the slow one is allowed again, it does the same.
  for (let holds = 0; holds < 10; holds++) {
    pass(300_000);
    assert.deepEqual([handshake('one', 2, 'slow'), handshake('one', 360, 'slow')], [true, true]);
    assert.deepEqual([handshake('one', 2, 'usual'), handshake('one', 2, 'slow')], [true, false]);
  }
});

test('in a hold, an endpoint can become slow once, and two together end the exception for the others', () => {
  const { handshake, pass } = start();
  const use = (endpoint: string, ms: number) => handshake('one', ms, endpoint);
  for (const endpoint of ['usual', 'slow', 'second', 'third']) assert.equal(use(endpoint, 2), true);
  assert.deepEqual([use('slow', 360), use('slow', 2)], [true, false]);
  assert.deepEqual([use('second', 360), use('second', 2), use('usual', 2)], [true, false, true]);
  assert.deepEqual([use('third', 360), use('usual', 2)], [true, false]);
  pass(275_000);
  assert.deepEqual(
    ['usual', 'slow'].map((endpoint) => use(endpoint, 2)),
    [true, true],
  );
  assert.deepEqual([use('slow', 360), use('usual', 2)], [true, true]);
});

test('handshakes that take a little longer than usual end the exception after many of them', () => {
  const { handshake } = start();
  const endpoints = Array.from({ length: 60 }, (_, index) => `${index}`);
  for (const endpoint of endpoints) handshake('one', 2, endpoint);
  handshake('one', 360, 'slow');
  assert.equal(endpoints.filter((endpoint) => handshake('one', 12, endpoint)).length, 50);
});

test('a handshake is not usual if its pieces together take long, or if it fails', () => {
  const { budget, handshake } = start();
  const payer = { owner: 'one', endpoint: 'pieces' };
  budget.count(payer, 0, 8);
  budget.count(payer, 8, 8);
  budget.succeed(payer, 16);
  budget.count({ owner: 'one', endpoint: 'failed' }, 0, 2);
  handshake('one', 360, 'slow');
  assert.deepEqual([handshake('one', 2, 'pieces'), handshake('one', 2, 'failed')], [false, false]);
});
