import assert from 'node:assert/strict';
import test from 'node:test';
import type { Response } from './aisle.ts';
import { assertDocumented } from './documented.ts';

const path = '/v2/chains/0192f0c1-7d1e-7a55-9c3b-5f0a1b2c3d4e/vendors/s8ym/sandbox/rider';
const rider = { after_seconds: 5 };
const problem = {
  type: '/docs/errors#vendor_not_found',
  title: 'Vendor not found',
  status: 404,
  detail: 'There is no vendor s8ym.',
  instance: '1',
  code: 'vendor_not_found',
  message: 'There is no vendor s8ym.',
};

test('a documented response and a documented failure are accepted', () => {
  assertDocumented('GET', path, response(200, rider));
  assertDocumented('GET', `${path}?page=1`, response(200, { after_seconds: null }));
  assertDocumented('GET', path, response(404, problem));
});

const rejected: [what: string, Response, RegExp][] = [
  ['an undocumented status', response(201, rider), /getSandboxRider 201 is not documented/],
  ['an undocumented property', response(200, { ...rider, name: 'Sam' }), /must not have additional properties/],
  ['a property of another type', response(200, { after_seconds: 'five' }), /\/after_seconds must be/],
  ['an undocumented header', response(200, rider, { 'x-mood': 'good' }), /x-mood is not documented/],
  ['an undocumented content type', response(200, rider, { 'content-type': 'text/plain' }), /text\/plain is not/],
  ['an undocumented code', response(404, { ...problem, code: 'job_not_found' }), /job_not_found is not documented/],
  ['an undocumented field in a problem', response(404, { ...problem, mood: 'bad' }), /additional properties/],
];
for (const [what, given, message] of rejected) {
  test(`${what} is rejected`, () => {
    assert.throws(() => assertDocumented('GET', path, given), message);
  });
}

function response(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return {
    status,
    body,
    text: JSON.stringify(body),
    headers: { 'content-type': `${type}; charset=utf-8`, 'x-request-id': '1', ...headers },
  };
}
