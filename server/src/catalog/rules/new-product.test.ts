import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { validateNewProduct } from './new-product.ts';

const minimal = { sku: 'A', title: { en_AE: 'Milk' }, price: 1 };

function product(raw: Record<string, unknown>) {
  const result = validateNewProduct({ ...minimal, ...raw });
  assert.ok('product' in result, JSON.stringify(result));
  return result.product;
}

function faults(raw: Record<string, unknown>): string[] {
  const result = validateNewProduct({ ...minimal, ...raw });
  return 'faults' in result ? result.faults.map(({ field, code }) => `${field} ${code}`) : [];
}

test('omitted fields get their defaults', () => {
  assert.deepEqual(product({}), {
    sku: 'A',
    titles: { en_AE: 'Milk' },
    descriptions: {},
    barcodes: [],
    categories: [],
    images: [],
    isSoldByWeight: false,
    weightSpecifications: null,
    price: '1',
    quantity: null,
    active: true,
    maximum: null,
  });
});

test('the number of locales and the total size of the texts are limited', () => {
  const locales = (count: number, text: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `${String.fromCharCode(97 + (index % 26))}x_A${'AB'.at(index / 26)}`,
        text,
      ]),
    );
  assert.deepEqual(faults({ title: locales(50, 'Milk') }), []);
  assert.deepEqual(faults({ title: locales(51, 'Milk') }), ['title too_long']);
  assert.deepEqual(faults({ description: locales(51, 'Fresh') }), ['description too_long']);
  // 256 KiB are 262,144 bytes, and each of these letters takes two.
  assert.deepEqual(faults({ description: locales(13, 'é'.repeat(10_000)) }), []);
  assert.deepEqual(faults({ description: locales(14, 'é'.repeat(10_000)) }), ['description too_long']);
  // In JSON, a control character takes six.
  assert.deepEqual(faults({ description: locales(4, '\u0001'.repeat(10_000)) }), []);
  assert.deepEqual(faults({ description: locales(5, '\u0001'.repeat(10_000)) }), ['description too_long']);
});

test("a string without a locale is stored under an empty key until the vendor's locale is known", () => {
  assert.deepEqual(product({ title: 'Milk', description: 'Fresh' }).titles, { '': 'Milk' });
  assert.deepEqual(product({ title: 'Milk', description: 'Fresh' }).descriptions, { '': 'Fresh' });
});

test('a title must not be empty, but a description can be', () => {
  for (const title of [undefined, null]) assert.deepEqual(faults({ title }), ['title missing']);
  for (const title of [
    '',
    '  ',
    {},
    [],
    5,
    { en_AE: '' },
    { en_AE: null },
    { en: 'x' },
    { '': 'x' },
    { en_AE: 'a\0' },
  ]) {
    assert.deepEqual(faults({ title }), ['title bad_format'], JSON.stringify(title));
  }
  for (const description of [{}, { en_AE: null }, '', { en_AE: '' }, null]) {
    assert.deepEqual(faults({ description }), [], JSON.stringify(description));
  }
  for (const description of [[], 5, { en: 'x' }]) assert.deepEqual(faults({ description }), ['description bad_format']);
  assert.deepEqual(product({ title: { en_AE: 'Milk', ar_AE: null } }).titles, { en_AE: 'Milk' });
  assert.deepEqual(faults({ title: 'x'.repeat(10_001) }), ['title bad_format']);
});

test('one barcode or a list of barcodes is accepted, and duplicates are removed', () => {
  assert.deepEqual(product({ barcode: '1' }).barcodes, ['1']);
  assert.deepEqual(product({ barcodes: ['2', '1', '2'] }).barcodes, ['2', '1']);
  assert.deepEqual(product({ barcode: '3', barcodes: ['2', '3', '1'] }).barcodes, ['3', '2', '1']);
  for (const bad of [{ barcode: 1 }, { barcodes: '1' }, { barcodes: [1] }, { barcodes: Array(51).fill('1') }]) {
    assert.deepEqual(faults(bad), ['barcode bad_format']);
  }
});

test('categories must be ids and images must be https URLs', () => {
  assert.deepEqual(product({ categories: ['a', 'b', 'a'] }).categories, ['a', 'b']);
  for (const categories of ['a', [''], [5], ['a\0'], ['x'.repeat(65)], Array(51).fill('a')]) {
    assert.deepEqual(faults({ categories }), ['categories bad_format']);
  }
  assert.deepEqual(product({ images: ['https://a.test/b.jpg'] }).images, ['https://a.test/b.jpg']);
  for (const image of ['http://a.test', 'https://', 'ftp://a.test', 'a.jpg', `https://a.test/${'x'.repeat(2000)}`, 5]) {
    assert.deepEqual(faults({ images: [image] }), ['images bad_format'], String(image));
  }
});

test('weights are numbers in kilograms, truncated to grams', () => {
  const weightSpecifications = { base_weight: 1.23456, average_weight_per_piece: null, color: 'red' };
  assert.deepEqual(product({ weight_specifications: weightSpecifications }).weightSpecifications, {
    base_weight: 1.234,
  });
  for (const weights of [5, [], { base_weight: '1' }, { minimum_starting_weight: -1 }]) {
    assert.deepEqual(faults({ weight_specifications: weights }), ['weight_specifications bad_format']);
  }
});

test('price, stock, maximum and booleans are validated as in an update', () => {
  assert.deepEqual(faults({ price: undefined }), ['price missing']);
  assert.deepEqual(faults({ price: null }), ['price missing']);
  assert.deepEqual(faults({ price: '1', quantity: 'x', max_sales_quantity: -1, active: 0, is_sold_by_weight: 'no' }), [
    'is_sold_by_weight wrong_type',
    'price wrong_type',
    'quantity wrong_type',
    'active wrong_type',
    'maximum_sales_quantity out_of_range',
  ]);
  assert.equal(product({ price: 4.5559 }).price, '4.555');
  assert.equal(product({ max_sales_quantity: 3 }).maximum, 3);
});

test('any input is either accepted as a product or rejected with an error', () => {
  const names = ['sku', 'title', 'price', 'description', 'barcode', 'barcodes', 'categories', 'images', 'active'];
  const raw = fc.dictionary(fc.constantFrom(...names, 'quantity', 'weight_specifications'), fc.jsonValue());
  fc.assert(
    fc.property(raw, (given) => {
      const result = validateNewProduct(given);
      assert.ok('product' in result || result.faults.length > 0);
    }),
  );
});
