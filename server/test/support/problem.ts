import assert from 'node:assert/strict';
import { type ErrorCode, errors } from '@aisle/contract/errors';
import type { Response } from './aisle.ts';

/** Checks that the response is the problem document for this error code. */
export function assertProblem(response: Response, code: ErrorCode): void {
  const { status, title } = errors[code];
  assert.equal(response.status, status, response.text);
  assertProblemType(response);
  const { type, detail, instance } = response.body;
  assert.deepEqual(
    {
      type,
      title: response.body.title,
      status: response.body.status,
      code: response.body.code,
      message: response.body.message,
    },
    { type: `/docs/errors#${code}`, title, status, code, message: detail },
  );
  assert.equal(typeof detail, 'string');
  assert.equal(typeof instance, 'string');
}

/** Checks the content type. Errors from the token endpoint are plain JSON with OAuth fields (RFC 6749, section 5.2). */
export function assertProblemType({ headers, body }: Response): void {
  const type = typeof body.error === 'string' ? 'application/json' : 'application/problem+json';
  assert.equal(headers['content-type'], `${type}; charset=utf-8`);
}

/** Checks that the response is a 400 with errors at exactly these pointers. */
export function assertInvalid(response: Response, ...pointers: string[]): void {
  assertProblem(response, 'invalid_request');
  const found = (response.body.errors ?? []) as { pointer: string; code: string; message: string }[];
  assert.deepEqual(found.map((error) => error.pointer).toSorted(), pointers.toSorted(), response.text);
  for (const error of found) {
    assert.match(error.code, /^[a-z0-9_]+$/);
    assert.ok(error.message.length > 0);
  }
}
