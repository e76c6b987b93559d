import assert from 'node:assert/strict';
import test from 'node:test';
import { readCreation } from './read-creation.ts';

const options = { maxItems: 100_000, hasVendors: false };
const read = (products: unknown[]) => readCreation({ products }, options);

test('products are divided into chunks of 5,000', () => {
  const products = Array.from({ length: 5001 }, (_, index) => ({ sku: `S-${index}`, title: 'Milk', price: 1 }));
  const { total, chunks } = read(products);
  assert.deepEqual([total, chunks.length], [5001, 2]);
});

test('products with long titles are divided into smaller chunks, because a slice indexes all of their titles', () => {
  const title = Object.fromEntries(
    ['en_AE', 'ar_AE', 'fr_AE', 'de_AE', 'it_AE'].map((locale) => [locale, 'x'.repeat(10_000)]),
  );
  const products = Array.from({ length: 50 }, (_, index) => ({ sku: `S-${index}`, title, price: 1 }));
  assert.equal(read(products).chunks.length, 3);
  assert.equal(read([...products, { sku: 'S-0', title: 'Again', price: 1 }]).chunks.length, 3);
  const description = 'x'.repeat(10_000);
  const described = Array.from({ length: 1000 }, (_, index) => ({
    sku: `S-${index}`,
    title: 'Milk',
    description,
    price: 1,
  }));
  assert.equal(read(described).chunks.length, 2);
});
