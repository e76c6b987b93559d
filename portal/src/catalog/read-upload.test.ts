import assert from 'node:assert/strict';
import test from 'node:test';
import { writeCsv } from '@aisle/contract/csv';
import { readUpload } from './read-upload.ts';

test('an exported CSV file is read as an update', () => {
  const text = 'sku,barcode,price,active,max_sales_quantity,quantity\nA-1,200,4.50,1,,7\nA-2,,"3,25",0,5,\n';
  const upload = readUpload('export.csv', text);
  assert.equal(upload.kind, 'update');
  assert.deepEqual(upload.products, [
    { sku: 'A-1', barcode: '200', price: 4.5, active: true, quantity: 7 },
    { sku: 'A-2', price: 3.25, active: false, max_sales_quantity: 5 },
  ]);
  assert.deepEqual(upload.ignored, []);
});

test('a file with a title column is read as a creation, and unknown columns are reported', () => {
  const upload = readUpload('new.csv', 'SKU,Title,Price,Categories,Aisle\nN-1,Milk,2,dairy;milk,7\n');
  assert.equal(upload.kind, 'creation');
  assert.deepEqual(upload.products, [{ sku: 'N-1', title: 'Milk', price: 2, categories: ['dairy', 'milk'] }]);
  assert.deepEqual(upload.ignored, ['aisle']);
});

test('an invalid number is sent unchanged, so that the server reports the row', () => {
  assert.deepEqual(readUpload('a.csv', 'sku,price,active\nA,cheap,maybe\n').products, [
    { sku: 'A', price: 'cheap', active: 'maybe' },
  ]);
});

test('a JSON file can be a list or an object with a list of products', () => {
  for (const text of ['[{"sku":"A","price":1}]', ' {"products":[{"sku":"A","price":1}]}']) {
    assert.deepEqual(readUpload('a.json', text).products, [{ sku: 'A', price: 1 }]);
  }
});

test('a file in any other format is rejected with a message', () => {
  assert.throws(() => readUpload('a.csv', 'name,price\nx,1\n'), /"sku" column/);
  assert.throws(() => readUpload('a.csv', 'sku,price\n'), /no rows/);
  assert.throws(() => readUpload('a.json', '{"orders":[]}'), /does not contain a list of products/);
});

test("an exported SKU such as -5A is not read back as '-5A when the file is uploaded", () => {
  const exported = writeCsv([
    ['sku', 'price'],
    ['-5A', '1'],
    ["'-5A", '2'],
    ['=B', '3'],
  ]);
  assert.deepEqual(readUpload('export.csv', exported).products, [
    { sku: '-5A', price: 1 },
    { sku: "'-5A", price: 2 },
    { sku: '=B', price: 3 },
  ]);
});

test('a byte order mark, blank rows and a missing last line break are ignored', () => {
  const { products } = readUpload('a.csv', '\ufeffsku,price\n\n\nA,1\n,\nB,2');
  assert.deepEqual(products, [
    { sku: 'A', price: 1 },
    { sku: 'B', price: 2 },
  ]);
});
