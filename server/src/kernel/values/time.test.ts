import assert from 'node:assert/strict';
import test from 'node:test';
import { isTimeZone, parseTime, tomorrowAt } from './time.ts';

const same = (text: string, expected: string) => assert.equal(parseTime(text)?.toISOString(), expected, text);

test('a time can have Z, an offset or neither, with or without fractional seconds', () => {
  same('2026-05-04T09:30:00', '2026-05-04T09:30:00.000Z');
  same('2026-05-04T09:30:00Z', '2026-05-04T09:30:00.000Z');
  same('2026-05-04T09:30:00.5Z', '2026-05-04T09:30:00.500Z');
  same('2026-05-04T09:30:00.123456+03:00', '2026-05-04T06:30:00.123Z');
  same('2026-05-04T23:30:00-0500', '2026-05-05T04:30:00.000Z');
  same('2026-05-04', '2026-05-04T00:00:00.000Z');
});

test('an invalid time is rejected', () => {
  for (const text of [
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60:00Z',
    'soon',
    '',
    '1',
  ]) {
    assert.equal(parseTime(text), null, text);
  }
});

test('29 February exists only in leap years', () => {
  same('2028-02-29', '2028-02-29T00:00:00.000Z');
  assert.equal(parseTime('2026-02-29'), null);
});

test('an offset is rejected as a time zone, because statistics would fail or group by the wrong days', () => {
  for (const name of ['+0530', '+05:30', '+14:00', '-03', '']) assert.equal(isTimeZone(name), false, name);
  for (const name of ['Asia/Dubai', 'UTC', 'Etc/GMT+5']) assert.equal(isTimeZone(name), true, name);
});

test('an old name that PostgreSQL does not know, or takes for another zone, is rejected as a time zone', () => {
  const old = ['AET', 'CTT', 'IST', 'cst', 'BST', 'SystemV/PST8', 'US/Pacific-New', 'Canada/East-Saskatchewan'];
  for (const name of old) assert.equal(isTimeZone(name), false, name);
  for (const name of ['EST', 'cet', 'PRC', 'US/Pacific', 'NZ', 'EST5EDT']) assert.equal(isTimeZone(name), true, name);
});

const mornings: [zone: string, now: string, time: string, expected: string][] = [
  ['Asia/Dubai', '2026-11-16T19:59:00Z', '08:00', '2026-11-17T04:00:00.000Z'],
  ['Asia/Dubai', '2026-11-16T20:00:00Z', '08:00', '2026-11-18T04:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-16T09:59:00Z', '23:30', '2026-11-17T09:30:00.000Z'],
  ['America/New_York', '2026-03-07T12:00:00Z', '08:00', '2026-03-08T12:00:00.000Z'],
  ['America/New_York', '2026-10-31T12:00:00Z', '08:00', '2026-11-01T13:00:00.000Z'],
  ['America/New_York', '2026-10-31T12:00:00Z', '00:00', '2026-11-01T04:00:00.000Z'],
  ['America/New_York', '2026-03-07T12:00:00Z', '02:30', '2026-03-08T07:30:00.000Z'],
];
for (const [zone, now, time, expected] of mornings) {
  test(`tomorrow at ${time} in ${zone}, at ${now}, is ${expected}`, () => {
    assert.equal(tomorrowAt(time, new Date(now), zone).toISOString(), expected);
  });
}
