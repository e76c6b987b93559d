import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { searchTerm, searchText } from './search.ts';

function isFound(titles: Record<string, string>, term: string): boolean {
  return searchTerm(term).words.every((word) => searchText(titles).includes(word));
}

test('a search matches parts of any title in any order, ignoring case', () => {
  const titles = { en_AE: 'Full Fat MILK', el_GR: 'ΑΣΠΡΟΣ ΟΙΚΟΣ', ar_AE: 'حليب' };
  for (const term of ['milk', 'L FAT', 'ΑΣ', 'ασ', 'ασπρος', 'ΟΙΚΟΣ', 'ليب', 'milk  full', 'milk ασπρος']) {
    assert.ok(isFound(titles, term), term);
  }
  assert.equal(isFound(titles, 'milk ασπρη'), false);
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
  assert.deepEqual(searchTerm('A%_\\É'), {
    lowerCode: 'a%_\\É',
    codes: ['A%_\\É'],
    words: ['a%_\\é'],
    sku: 'a\\%\\_\\\\É%',
    barcodes: [],
  });
});

test('a word counts once, and only the first ten words count', () => {
  assert.deepEqual(searchTerm('milk  Milk fresh milk').words, ['milk', 'fresh']);
  assert.equal(searchTerm(Array.from({ length: 60 }, (_, index) => `w${index}`).join(' ')).words.length, 10);
});
