import assert from 'node:assert/strict';
import test from 'node:test';
import { type Response, type CallOptions, makeChain, useOwnAisle } from '../../support/aisle.ts';
import { assertInvalid } from '../../support/problem.ts';

const aisle = await useOwnAisle({ AISLE_MAX_API_TOKENS: '1000' });
const chain = await makeChain(aisle, { vendors: 3 });
const tokens = `${chain.base}/tokens`;

function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  return aisle.call(method, path, { token: chain.token, ...options });
}

const times = [
  ['2031-02-03', '2031-02-03T00:00:00.000Z'],
  ['2031-02-03T04:05', '2031-02-03T04:05:00.000Z'],
  ['2031-02-03 04:05:06', '2031-02-03T04:05:06.000Z'],
  ['2031-02-03T04:05:06', '2031-02-03T04:05:06.000Z'],
  ['2031-02-03T04:05:06Z', '2031-02-03T04:05:06.000Z'],
  ['2031-02-03t04:05:06z', '2031-02-03T04:05:06.000Z'],
  ['2031-02-03T04:05:06.7', '2031-02-03T04:05:06.700Z'],
  ['2031-02-03T04:05:06.789999Z', '2031-02-03T04:05:06.789Z'],
  ['2031-02-03T04:05:06+04:00', '2031-02-03T00:05:06.000Z'],
  ['2031-02-03T04:05:06.5-0330', '2031-02-03T07:35:06.500Z'],
  ['2032-02-29T23:59:59Z', '2032-02-29T23:59:59.000Z'],
] as const;
for (const [given, stored] of times) {
  test(`the time ${given} is accepted`, async () => {
    const { status, body } = await call('POST', tokens, { body: { name: 'timed', expires_at: given } });
    assert.equal(status, 201);
    assert.equal(body.expires_at, stored);
  });
}

const invalidTimes = [
  '2031-02-30',
  '2031-02-29T00:00:00Z',
  '2031-04-31T00:00:00Z',
  '2031-13-01T00:00:00Z',
  '2031-00-10T00:00:00Z',
  '2031-01-00T00:00:00Z',
  '2031-02-03T24:00:00Z',
  '2031-02-03T04:60:00Z',
  '2031-02-03T04:05:61Z',
  '2031-02-03T04:05:06+25:00',
  '2031-02-03T04:05:06 Z',
  '9999-12-31T23:59:59-01:00',
  '31-02-03',
  'tomorrow',
  '',
  1_930_000_000,
];
for (const given of invalidTimes) {
  test(`the time ${JSON.stringify(given)} is rejected`, async () => {
    assertInvalid(await call('POST', tokens, { body: { name: 'timed', expires_at: given } }), '/expires_at');
  });
}

test('times in responses are in UTC with milliseconds', async () => {
  const { body } = await call('POST', tokens, { body: { name: 'timed' } });
  assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});
