import assert from 'node:assert/strict';
import test from 'node:test';
import { createChainLimit } from './chain-limit.ts';

test('a chain that does too much at the same time gets 503, and other chains do not', () => {
  const limit = createChainLimit(2, 'is downloading failed rows');
  const leave = limit.enter('a');
  limit.enter('a');
  assert.throws(() => limit.enter('a'), { code: 'service_unavailable', message: /downloading failed rows 2 times/ });
  limit.enter('b');
  leave();
  limit.enter('a');
});
