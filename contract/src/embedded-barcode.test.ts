import assert from 'node:assert/strict';
import test from 'node:test';
import {
  barcodeForms,
  type EmbeddedBarcodeRule,
  hasItemCode,
  hasValidCheckDigit,
  parseEmbeddedBarcode,
} from './embedded-barcode.ts';

const weight: EmbeddedBarcodeRule = { prefix: '21', kind: 'WEIGHT', code_digits: 5, value_digits: 5, decimals: 3 };
const price: EmbeddedBarcodeRule = { prefix: '02', kind: 'PRICE', code_digits: 5, value_digits: 4, decimals: 2 };

test('a weight in grams is read in kilograms', () => {
  const parsed = { kind: 'WEIGHT', prefix: '21', item_code: '12345', value: 0.85 };
  assert.deepEqual(parseEmbeddedBarcode('2112345008509', [weight]), parsed);
});

test('a price with its own check digit between code and value is read from 12 and from 13 digits', () => {
  const parsed = { kind: 'PRICE', prefix: '02', item_code: '00123', value: 9.99 };
  assert.deepEqual(parseEmbeddedBarcode('0200123709990', [weight, price]), parsed);
  assert.deepEqual(parseEmbeddedBarcode('200123709990', [weight, price]), parsed);
});

test('a wrong check digit, another prefix, another length and text are not read', () => {
  for (const code of ['2112345008507', '2012345008502', '211234500850', '21123450085', '21A2345008509', '']) {
    assert.equal(parseEmbeddedBarcode(code, [weight]), undefined, code);
  }
  assert.equal(parseEmbeddedBarcode('2112345008509', []), undefined);
});

test('only 13 digits can have a valid check digit', () => {
  assert.equal(hasValidCheckDigit('6291000000017'), false);
  assert.equal(hasValidCheckDigit('4006381333931'), true);
  assert.equal(hasValidCheckDigit('0000000000000'), true);
  assert.equal(hasValidCheckDigit('00'), false);
});

test('an item code is compared with SKUs and barcodes', () => {
  const code = { prefix: '21', item_code: '00123' };
  const isFound = (sku: string, ...barcodes: string[]) => hasItemCode(code, { sku, barcodes });
  assert.equal(isFound('123'), true);
  assert.equal(isFound('00123'), true);
  assert.equal(isFound('CHS-00123'), false);
  assert.equal(isFound('CHS', '00123'), true);
  assert.equal(isFound('CHS', '123'), false);
  assert.equal(isFound('CHS', '4006381333931', '2100123000007'), true);
  assert.equal(isFound('CHS', '2100123'), true);
  assert.equal(isFound('CHS', '02100123000007'), true);
  assert.equal(isFound('CHS', '2000123000007'), false);
  assert.equal(isFound('1230', '1230'), false);
  assert.equal(hasItemCode({ prefix: '02', item_code: '00123' }, { sku: 'CHS', barcodes: ['200123000004'] }), true);
  // The prefix of this barcode is 21, and its item code 23450.
  const other = { sku: 'CHS', barcodes: ['2123450000005', '02123450000005'] };
  assert.equal(hasItemCode({ prefix: '02', item_code: '12345' }, other), false);
});

test('a barcode is compared in all forms that differ only in leading zeros', () => {
  const upcA = ['036000291452', '0036000291452', '00036000291452'];
  for (const form of upcA) assert.deepEqual(barcodeForms(form).toSorted(), upcA.toSorted());
  const ean8 = ['96385074', '000096385074', '0000096385074', '00000096385074'];
  for (const form of ean8) assert.deepEqual(barcodeForms(form).toSorted(), ean8.toSorted());
  assert.deepEqual(barcodeForms('4006381333931'), ['4006381333931', '04006381333931']);
  assert.deepEqual(barcodeForms('14006381333938'), ['14006381333938']);
  assert.deepEqual(barcodeForms('036000'), ['036000']);
  assert.deepEqual(barcodeForms('MILK'), ['MILK']);
});
