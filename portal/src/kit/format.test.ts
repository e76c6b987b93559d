import assert from 'node:assert/strict';
import test from 'node:test';
import { ago, agoOrWhen, when, words } from './format.ts';

const now = Date.parse('2026-05-04T12:00:00Z');

test('what is about to happen does not read as if it had happened', () => {
  assert.equal(ago('2026-05-04T12:00:20Z', now), 'in a moment');
  assert.equal(ago('2026-05-04T11:59:40Z', now), 'just now');
});

test('after a day a list shows the time itself', () => {
  assert.match(agoOrWhen('2026-05-04T09:00:00Z', now), /3 hours ago/);
  assert.match(agoOrWhen('2026-05-01T09:00:00Z', now), /May/);
});

test('a time names its zone', () => {
  assert.match(when('2026-05-04T09:00:00Z'), /UTC|GMT|[A-Z]{2,5}$/);
});

test('codes become words, abbreviations stay', () => {
  assert.equal(words('CATALOG_UPDATE'), 'Catalog update');
  assert.equal(words('http_error'), 'HTTP error');
});
