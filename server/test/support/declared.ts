import assert from 'node:assert/strict';
import { Problem } from '@aisle/contract/common';
import { type ErrorCode, errors } from '@aisle/contract/errors';
import { isConditional, type Route, sharedErrors } from '@aisle/contract/route';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Response } from './aisle.ts';
import { assertProblemType } from './problem.ts';

export function assertFailure(route: Route, response: Response, code: ErrorCode): void {
  assertDeclared(route, response);
  assert.equal(response.body.code, code, response.text);
}

/** Checks that the response is declared by the route, matches the declared schema, and is not a server error. */
export function assertDeclared(route: Route, response: Response): void {
  assertSane(response);
  const success = Object.entries(route.responses).find(([status]) => Number(status) === response.status)?.[1];
  const type = String(response.headers['content-type']);
  if (response.status === 304) return assert.ok(isConditional(route) && response.text === '', response.text);
  if (!success) return assertDeclaredCode(route, response);
  if (!success.schema)
    return assert.ok(
      success.mediaTypes?.some((one) => type.startsWith(one)),
      type,
    );
  assert.equal(type, 'application/json; charset=utf-8');
  assertMatches(success.schema, response.body);
  assertTimes(response.body);
}

/** Checks rules that apply to every response, even if the request matches no route. */
export function assertSane(response: Response): void {
  assert.ok(response.status < 500, `${response.status} ${response.text}`);
  assert.match(String(response.headers['x-request-id']), /^[\w.:-]{1,128}$/);
  if (response.status < 400) return;
  assertProblemType(response);
  assertMatches(Problem, response.body);
  const declared = errors[response.body.code as ErrorCode]?.status;
  assert.deepEqual([response.status, response.body.status], [declared, declared], response.text);
}

function assertDeclaredCode(route: Route, response: Response): void {
  const declared = new Set<ErrorCode>([...sharedErrors(route), ...route.errors]);
  assert.ok(declared.has(response.body.code), `${response.body.code} is not declared: ${response.text}`);
}

const validators = new Map<TSchema, Validator>();

export function assertMatches(schema: TSchema, value: unknown): void {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  const mismatches = validator.Check(value) ? [] : validator.Errors(value);
  assert.deepEqual(
    mismatches.map(({ instancePath, message }) => `${instancePath} ${message}`),
    [],
  );
}

/**
 * Checks that every field that ends in `_at` is an RFC 3339 time in UTC with milliseconds. The details of an audit entry
 * are what a request contained.
 */
function assertTimes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name.endsWith('_at') && typeof inner === 'string') {
      assert.match(inner, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, name);
    }
    if (name !== 'details') assertTimes(inner);
  }
}
