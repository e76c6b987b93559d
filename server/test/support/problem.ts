import assert from 'node:assert/strict';
import { type ErrorCode, errors } from '@aisle/contract/errors';
import type { Answer } from './aisle.ts';

/** The answer is this failure, in the form every failure has. */
export function assertProblem(answer: Answer, code: ErrorCode): void {
  const { status, title } = errors[code];
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  const { type, detail, instance } = answer.body;
  assert.deepEqual(
    {
      type,
      title: answer.body.title,
      status: answer.body.status,
      code: answer.body.code,
      message: answer.body.message,
    },
    { type: `/docs/errors#${code}`, title, status, code, message: detail },
  );
  assert.equal(typeof detail, 'string');
  assert.equal(typeof instance, 'string');
}

/** The answer is 400, and these are the places it complains about. */
export function assertInvalid(answer: Answer, ...pointers: string[]): void {
  assertProblem(answer, 'invalid_request');
  const found = (answer.body.errors ?? []) as { pointer: string; code: string; message: string }[];
  assert.deepEqual(found.map((error) => error.pointer).toSorted(), pointers.toSorted(), answer.text);
  for (const error of found) {
    assert.match(error.code, /^[a-z0-9_]+$/);
    assert.ok(error.message.length > 0);
  }
}
