import assert from 'node:assert/strict';
import { Problem } from '@aisle/contract/common';
import { type ErrorCode, errors } from '@aisle/contract/errors';
import { type Route, sharedErrors } from '@aisle/contract/route';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Answer } from './aisle.ts';

export function assertFailure(route: Route, answer: Answer, code: ErrorCode): void {
  assertDeclared(route, answer);
  assert.equal(answer.body.code, code, answer.text);
}

/** The answer is one of those the route declares, in the form it declares, and no fault of ours. */
export function assertDeclared(route: Route, answer: Answer): void {
  assertSane(answer);
  const success = Object.entries(route.answers).find(([status]) => Number(status) === answer.status)?.[1];
  const type = String(answer.headers['content-type']);
  if (!success) return assertDeclaredCode(route, answer);
  if (!success.schema)
    return assert.ok(
      success.mediaTypes?.some((one) => type.startsWith(one)),
      type,
    );
  assert.equal(type, 'application/json; charset=utf-8');
  assertFits(success.schema, answer.body);
  assertTimes(answer.body);
}

/** As much as can be said of an answer to a request that may have met any route or none. */
export function assertSane(answer: Answer): void {
  assert.ok(answer.status < 500, `${answer.status} ${answer.text}`);
  assert.match(String(answer.headers['x-request-id']), /^[\w.:-]{1,128}$/);
  if (answer.status < 400) return;
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  assertFits(Problem, answer.body);
  const declared = errors[answer.body.code as ErrorCode]?.status;
  assert.deepEqual([answer.status, answer.body.status], [declared, declared], answer.text);
}

function assertDeclaredCode(route: Route, answer: Answer): void {
  const declared = new Set<ErrorCode>([...sharedErrors(route), ...route.errors]);
  assert.ok(declared.has(answer.body.code), `${answer.body.code} is not declared: ${answer.text}`);
}

const validators = new Map<TSchema, Validator>();

export function assertFits(schema: TSchema, value: unknown): void {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  const faults = validator.Check(value) ? [] : validator.Errors(value);
  assert.deepEqual(
    faults.map(({ instancePath, message }) => `${instancePath} ${message}`),
    [],
  );
}

/** RFC 3339 in UTC with milliseconds, wherever something is said to have happened. */
function assertTimes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name.endsWith('_at') && typeof inner === 'string') {
      assert.match(inner, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, name);
    }
    assertTimes(inner);
  }
}
