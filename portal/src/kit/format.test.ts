import assert from 'node:assert/strict';
import test from 'node:test';
import { ago, agoOrWhen, when, words } from './format.ts';

const now = Date.parse('2026-05-04T12:00:00Z');

test('a time in the near future is not shown as past', () => {
  assert.equal(ago('2026-05-04T12:00:20Z', now), 'in a moment');
  assert.equal(ago('2026-05-04T11:59:40Z', now), 'just now');
});

test('lists show a time more than a day ago as a date and time', () => {
  assert.match(agoOrWhen('2026-05-04T09:00:00Z', now), /3 hours ago/);
  assert.match(agoOrWhen('2026-05-01T09:00:00Z', now), /May/);
});

test('a time includes its time zone', () => {
  assert.match(when('2026-05-04T09:00:00Z'), /UTC|GMT|[A-Z]{2,5}$/);
});

test('codes are shown as words, and abbreviations stay uppercase', () => {
  assert.equal(words('CATALOG_UPDATE'), 'Catalog update');
  assert.equal(words('http_error'), 'HTTP error');
});
