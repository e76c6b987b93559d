import assert from 'node:assert/strict';
import test from 'node:test';
import { chooseLanguage, loadMessages } from '../messages/language.ts';
import {
  formatBytes,
  formatDateTime,
  formatList,
  formatLocale,
  formatMilliseconds,
  formatRecentTime,
  formatStoreTime,
  humanize,
  humanizeIfCode,
  relativeTime,
} from './format.ts';

await loadMessages('start');
const now = Date.parse('2026-05-04T12:00:00Z');

test('a time in the near future is not shown as in the past', () => {
  assert.equal(relativeTime('2026-05-04T12:00:20Z', now), 'in a moment');
  assert.equal(relativeTime('2026-05-04T11:59:40Z', now), 'just now');
});

test('in lists, a time more than a day ago is shown as a date and time', () => {
  assert.match(formatRecentTime('2026-05-04T09:00:00Z', now), /3 hours ago/);
  assert.match(formatRecentTime('2026-05-01T09:00:00Z', now), /May/);
});

test('a time includes its time zone', () => {
  assert.match(formatDateTime('2026-05-04T09:00:00Z'), /UTC|GMT|[A-Z]{2,5}$/);
});

test('a time of a store is in its time zone, which is named if it differs from that of the browser', () => {
  const format = (time: string, zone: string) => formatStoreTime(time, zone, new Date(now)).replaceAll(/\s/g, ' ');
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  assert.doesNotMatch(format('2026-05-04T12:30:00Z', own), /GMT|UTC/);
  assert.match(format('2026-05-04T12:30:00Z', 'Pacific/Chatham'), /^May 5, 1:15 AM GMT\+12:45$|^01:15 AM GMT\+12:45$/);
  assert.match(format('2026-05-04T18:30:00Z', 'Pacific/Chatham'), /^07:15 AM GMT\+12:45$/);
  assert.match(format('2026-05-05T18:30:00Z', 'Pacific/Chatham'), /^May 6, 07:15 AM GMT\+12:45$/);
  assert.match(formatDateTime('2026-05-04T12:30:00Z', 'Pacific/Chatham'), /1:15\sAM GMT\+12:45$/);
});

test('codes are shown as words, and abbreviations stay uppercase', () => {
  assert.equal(humanize('CATALOG_UPDATE'), 'Catalog update');
  assert.equal(humanize('http_error'), 'HTTP error');
});

test('a locale is shown as the name of its language and country, not as a code', () => {
  assert.equal(formatLocale('ar_AE'), 'Arabic (United Arab Emirates)');
});

test('the parts of a list are separated by commas', () => {
  assert.equal(formatList(['Marina', 'Jumeirah', 'Hawalli']), 'Marina, Jumeirah, Hawalli');
});

test('a size is shown in a suitable unit', () => {
  assert.equal(formatBytes(1), '1 byte');
  assert.equal(formatBytes(850), '850 bytes');
  assert.equal(formatBytes(48_213), '48.2 kB');
  assert.equal(formatBytes(2 * 1024 ** 3), '2.1 GB');
});

test('a duration is shown in a suitable unit', () => {
  assert.deepEqual([0.4, 9.9, 12.3, 999.4, 3210].map(formatMilliseconds), [
    '0.4 ms',
    '9.9 ms',
    '12 ms',
    '999 ms',
    '3.2 sec',
  ]);
});

test('the picking app has texts for the reasons that Aisle gives for a cancellation', async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('pick');
  await chooseLanguage('ar');
  assert.equal(humanizeIfCode('CERTIFICATION'), 'اعتماد التكامل');
  await chooseLanguage('en');
});
