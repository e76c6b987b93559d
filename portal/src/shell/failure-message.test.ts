import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../api/api-error.ts';
import { failureMessage } from './failure-message.ts';

test('what passes by itself is told from what does not', () => {
  const isPassing = (status: number) => failureMessage(new ApiError(status, {})).isPassing;
  assert.deepEqual([0, 429, 503, 500, 404, 403].map(isPassing), [true, true, true, false, false, false]);
});

test('what is not there is named in the server’s words', () => {
  assert.equal(failureMessage(new ApiError(404, { title: 'There is no such order' })).title, 'There is no such order');
  assert.equal(failureMessage(new ApiError(404, {})).title, 'There is nothing here');
});

test('a mistake of the page itself shows its message', () => {
  assert.equal(failureMessage(new Error('Broken.')).text, 'Broken.');
});
