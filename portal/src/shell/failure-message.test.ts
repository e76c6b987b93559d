import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../api/api-error.ts';
import { currentLanguage, loadMessages } from '../messages/language.ts';
import { failureMessage } from './failure-message.ts';

await loadMessages('start');
const { t } = currentLanguage();

test('temporary failures are distinguished from permanent ones', () => {
  const isTemporary = (status: number) => failureMessage(t, new ApiError(status, {})).isTemporary;
  assert.deepEqual([0, 429, 503, 500, 404, 403].map(isTemporary), [true, true, true, false, false, false]);
});

test('the title for a missing object comes from the server', () => {
  assert.equal(
    failureMessage(t, new ApiError(404, { title: 'There is no such order' })).title,
    'There is no such order',
  );
  assert.equal(failureMessage(t, new ApiError(404, {})).title, 'Not found');
});

test('an error thrown by the page itself is shown with its message', () => {
  assert.equal(failureMessage(t, new Error('Broken.')).text, 'Broken.');
});
