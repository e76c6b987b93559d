import assert from 'node:assert/strict';
import test from 'node:test';
import { countries, currencies } from './iso.ts';

test('every currency code has three letters, and every country code has a name', () => {
  assert.equal(currencies.size, 155);
  for (const code of currencies) assert.match(code, /^[A-Z]{3}$/);
  assert.equal(countries.size, 249);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  for (const code of countries) assert.ok(names.of(code), code);
});
