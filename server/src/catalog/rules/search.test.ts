import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isIndexed, searchPatterns, searchText } from './search.ts';

/** Emulates LIKE for a pattern that starts and ends with a percent sign and has no other unescaped wildcards. */
function isFound(titles: Record<string, string>, term: string): boolean {
  const pattern = searchPatterns(term).title;
  const text = pattern.slice(1, -1).replace(/\\([\\%_])/g, '$1');
  return searchText(titles).includes(text);
}

test('a search matches any part of any title, ignoring case', () => {
  const titles = { en_AE: 'Full Fat MILK', el_GR: 'ΑΣΠΡΟΣ ΟΙΚΟΣ', ar_AE: 'حليب' };
  for (const term of ['milk', 'L FAT', 'ΑΣ', 'ασ', 'ασπρος', 'ΟΙΚΟΣ', 'ليب']) assert.ok(isFound(titles, term), term);
  assert.equal(isFound(titles, 'milk ασπρος'), false);
});

test('a search for any part of a title finds that title, whatever characters the part contains', () => {
  const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\n'));
  fc.assert(
    fc.property(part, part, part, (before, term, after) => {
      assert.ok(isFound({ en_AE: before + term + after }, term));
      assert.ok(isFound({ en_AE: before + term + after }, before + term));
    }),
  );
});

test('wildcards are escaped, and SKUs and barcodes are matched by prefix', () => {
  assert.deepEqual(searchPatterns('A%_\\É'), {
    title: '%a\\%\\_\\\\é%',
    sku: 'a\\%\\_\\\\É%',
    barcode: '% A\\%\\_\\\\É%',
  });
});

test('the index needs three letters or digits in a row', () => {
  for (const term of ['milk', 'a milk', '123', 'حلي', 'É12']) assert.equal(isIndexed(term), true, term);
  for (const term of ['', 'm', 'mi', '%%%', 'a b c', '--']) assert.equal(isIndexed(term), false, term);
});
