import assert from 'node:assert/strict';
import test from 'node:test';
import { createTlsPauses } from './tls-pauses.ts';

const of = (endpoint_id: string, chain_id = 'chain') => ({ chain_id, endpoint_id });
const failure = { isTlsFailure: true, durationMs: 1000 };
const other = { isTlsFailure: false, durationMs: 1000 };

test('the pause is ten times as long as the failed handshake, up to a minute, for all such endpoints of the chain', () => {
  const pauses = createTlsPauses();
  pauses.respond(of('one'), failure, 0);
  pauses.respond(of('two'), failure, 2000);
  pauses.respond(of('elsewhere', 'another chain'), { ...failure, durationMs: 10_000 }, 0);
  assert.deepEqual([...pauses.listHeld(11_999)].toSorted(), ['elsewhere', 'one', 'two']);
  assert.deepEqual([...pauses.listHeld(59_999)], ['two', 'elsewhere']);
  assert.deepEqual([...pauses.listHeld(60_000)], ['one']);
});

test('after the pause they are tried in turns, and only one of them at a time', () => {
  const pauses = createTlsPauses();
  for (const id of ['one', 'two', 'three']) pauses.respond(of(id), failure, 0);
  assert.deepEqual([...pauses.listHeld(10_000)], ['two', 'three']);
  assert.deepEqual([...pauses.listHeld(10_000)], ['three', 'one']);
  pauses.begin(of('two'), 10_000);
  assert.equal(pauses.listHeld(10_500).size, 3);
  pauses.respond(of('two'), failure, 11_000);
  assert.equal(pauses.listHeld(20_999).size, 3);
  assert.equal(pauses.listHeld(21_000).size, 2);
});

test('an endpoint that responds, or fails in another way, is not paused', () => {
  const pauses = createTlsPauses();
  pauses.respond(of('one'), other, 0);
  for (const id of ['one', 'two']) pauses.respond(of(id), failure, 0);
  pauses.begin(of('one'), 10_000);
  pauses.respond(of('one'), other, 10_001);
  assert.deepEqual([...pauses.listHeld(10_000)], ['two']);
  assert.equal(pauses.listHeld(10_001).size, 0);
  pauses.respond(of('two'), other, 10_002);
  assert.equal(pauses.listHeld(0).size, 0);
});
