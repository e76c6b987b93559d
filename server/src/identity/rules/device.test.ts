import assert from 'node:assert/strict';
import test from 'node:test';
import { describeDevice } from './device.ts';

const mozilla = 'Mozilla/5.0';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
const known: [userAgent: string, device: string][] = [
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome on Windows'],
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  [`${mozilla} (Linux; Android 13; TC26) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
  [`${mozilla} (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0`, 'Firefox on Linux'],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.6 Safari/605.1.15`,
    'Safari on macOS',
  ],
  ['curl/8.14.1', 'curl'],
];
for (const [userAgent, device] of known) {
  test(`a session of ${device} is recognized`, () => assert.equal(describeDevice(userAgent), device));
}

test('a missing or strange user agent is not described', () => {
  for (const userAgent of [undefined, '', '  ', '<b>x</b>']) assert.equal(describeDevice(userAgent), null);
  assert.ok((describeDevice('x'.repeat(5000))?.length ?? 0) <= 40);
});
