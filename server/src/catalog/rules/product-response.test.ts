import assert from 'node:assert/strict';
import test from 'node:test';
import { chooseText, isAvailable } from './product-response.ts';

const texts = { en_AE: 'Milk', en_SG: 'Milk SG', ar_AE: 'حليب' };

test("text falls back to the same language in another country, then the vendor's locale, then any locale", () => {
  assert.equal(chooseText(texts, 'ar_AE', 'en_AE'), 'حليب');
  assert.equal(chooseText(texts, 'ar_KW', 'en_AE'), 'حليب');
  assert.equal(chooseText(texts, 'en_GB', 'ar_AE'), 'Milk');
  assert.equal(chooseText(texts, 'fr_FR', 'en_SG'), 'Milk SG');
  assert.equal(chooseText({ de_DE: 'Milch' }, 'fr_FR', 'en_SG'), 'Milch');
  assert.equal(chooseText({}, 'fr_FR', 'en_SG'), null);
});

test('a product is available if it is active and not sold out, and its maximum is not 0', () => {
  const offer = { active: true, quantity: null, maximum_sales_quantity: null };
  assert.equal(isAvailable(offer, 0), true);
  assert.equal(isAvailable({ ...offer, active: false }, 0), false);
  assert.equal(isAvailable({ ...offer, quantity: 0 }, 0), false);
  assert.equal(isAvailable({ ...offer, quantity: 3 }, 3), false);
  assert.equal(isAvailable({ ...offer, quantity: 4 }, 3), true);
  assert.equal(isAvailable({ ...offer, maximum_sales_quantity: 0 }, 0), false);
});
