import assert from 'node:assert/strict';
import test from 'node:test';
import { findMatch, startWeakTag, tagForEncoding, withoutEncodings } from './etag.ts';

test('a weak tag depends on the text, not on how it is split', () => {
  assert.equal(weakTag(['ab', 'c']), weakTag(['a', 'bc']));
  assert.notEqual(weakTag(['abc']), weakTag(['abd']));
  assert.match(weakTag(['abc']), /^W\/"[0-9a-f]{32}"$/);
});

function weakTag(parts: string[]): string {
  const tagger = startWeakTag();
  for (const part of parts) tagger.add(part);
  return tagger.tag();
}

test('a strong tag includes the encoding, and a weak tag is the same for all encodings', () => {
  assert.equal(tagForEncoding('"3"', 'gzip'), '"3-gzip"');
  assert.equal(tagForEncoding('W/"abc"', 'gzip'), 'W/"abc"');
  assert.equal(withoutEncodings('"3-gzip", W/"4-br", "5-zstd", "6"'), '"3", W/"4", "5", "6"');
});

const cases: [string | undefined, string, string | undefined][] = [
  [undefined, '"3"', undefined],
  ['', '"3"', undefined],
  ['"2"', '"3"', undefined],
  ['3', '"3"', undefined],
  ['"3"', '"3"', '"3"'],
  ['*', '"3"', '"3"'],
  ['W/"3"', '"3"', 'W/"3"'],
  ['"abc"', 'W/"abc"', '"abc"'],
  ['"1", "3-gzip" , "4"', '"3"', '"3-gzip"'],
  ['"33"', '"3"', undefined],
];
for (const [header, tag, expected] of cases) {
  test(`If-None-Match ${header} ${expected ? 'matches' : 'does not match'} the tag ${tag}`, () => {
    assert.equal(findMatch(header, tag), expected);
  });
}
