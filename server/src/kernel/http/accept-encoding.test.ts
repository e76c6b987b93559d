import assert from 'node:assert/strict';
import test from 'node:test';
import { endsInTime, veryMany } from '../../../test/support/in-time.ts';
import { acceptedEncodings } from './accept-encoding.ts';

const cases: [string | undefined, string][] = [
  [undefined, ''],
  ['', ''],
  ['identity', ''],
  ['deflate', ''],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd br gzip'],
  ['gzip;q=1.0, br;q=0.5, zstd;q=0.8', 'gzip zstd br'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip; q=0', ''],
  ['gzip ; Q = 0.3', 'gzip'],
  ['gzip;q=0.5, identity', ''],
  ['gzip, identity;q=0.5', 'gzip'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['*;q=0', ''],
  ['gzip;q=0, *', ''],
  ['gzip;q=high', ''],
  ['gzip;q=2', ''],
  [';;,=,gzip', 'gzip'],
];
for (const [header, expected] of cases) {
  test(`${header === undefined ? 'no Accept-Encoding' : `Accept-Encoding "${header}"`} accepts ${expected || 'no compression'}`, () => {
    assert.equal(acceptedEncodings(header).join(' '), expected);
  });
}

test('a long weight does not need quadratic time', () => {
  const header = `gzip;q=a${' '.repeat(veryMany)}b, br`;
  assert.deepEqual(
    endsInTime(() => acceptedEncodings(header)),
    ['br'],
  );
});
