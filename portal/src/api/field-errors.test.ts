import assert from 'node:assert/strict';
import test from 'node:test';
import { loadMessages } from '../messages/language.ts';
import { ApiError } from './api-error.ts';
import { fieldErrorsOf } from './field-errors.ts';

const rejected = (...pointers: string[]) =>
  new ApiError(400, {
    errors: pointers.map((pointer) => ({ pointer, code: 'bad_address', message: 'must be a URL' })),
  });

await loadMessages('start');

test('each error belongs to the field that its pointer names', () => {
  assert.deepEqual(fieldErrorsOf(rejected('/url', '/secret'), ['url', 'secret']), {
    url: 'Must be a URL',
    secret: 'Must be a URL',
  });
});

test('if an error has no field, or there are no field errors, the form shows the error as a whole', () => {
  assert.equal(fieldErrorsOf(rejected('/url', '/other'), ['url']), undefined);
  assert.equal(fieldErrorsOf(new ApiError(409, {}), ['url']), undefined);
  assert.equal(fieldErrorsOf(new Error('offline'), ['url']), undefined);
});
