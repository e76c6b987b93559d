import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../api/api-error.ts';
import { failureWords } from './failure-words.ts';

test('what passes by itself is told from what does not', () => {
  const isPassing = (status: number) => failureWords(new ApiError(status, {})).isPassing;
  assert.deepEqual([0, 429, 503, 500, 404, 403].map(isPassing), [true, true, true, false, false, false]);
});

test('what is not there is named in the server’s words', () => {
  assert.equal(failureWords(new ApiError(404, { title: 'Order not found' })).title, 'Order not found');
  assert.equal(failureWords(new ApiError(404, {})).title, 'There is nothing here');
});

test('a mistake of the page itself shows its message', () => {
  assert.equal(failureWords(new Error('Broken.')).text, 'Broken.');
});
