import assert from 'node:assert/strict';
import test from 'node:test';
import { normalizePath, parsePlace } from './path.ts';

const places = {
  '/': { kind: 'root' },
  '.': { kind: 'root' },
  '': { kind: 'root' },
  '/../../..': { kind: 'root' },
  '/catalog': { kind: 'stores', of: 'catalog' },
  'catalog/': { kind: 'stores', of: 'catalog' },
  '/catalog/s1': { kind: 'inbox', of: 'catalog', store: 's1' },
  '/catalog/all/': { kind: 'inbox', of: 'catalog', store: 'all' },
  '/catalog/s1/prices.csv': { kind: 'upload', of: 'catalog', store: 's1', name: 'prices.csv' },
  '/catalog/s1/../s2/./prices.csv': { kind: 'upload', of: 'catalog', store: 's2', name: 'prices.csv' },
  '/products/TEMPLATE.csv': { kind: 'template', of: 'products' },
  '/promotions/.x.part': { kind: 'upload', of: 'promotions', name: '.x.part' },
  '/exports/s1': { kind: 'exportFolder', store: 's1' },
  '/exports/s1/catalog.csv': { kind: 'export', store: 's1' },
  '/results/../results/a.csv': { kind: 'result', name: 'a.csv' },
};
for (const [path, expected] of Object.entries(places)) {
  test(`the path "${path}" is parsed`, () => assert.deepEqual(parsePlace(path), expected));
}

const nowhere = [
  '/etc',
  '/etc/passwd',
  '/../etc/passwd',
  '/catalog/s1/a/b',
  '/exports/all',
  '/exports/s1/x',
  '/results/a/b',
  '/catalog\\s1',
  '/a\0b',
  `/${'x'.repeat(2000)}`,
  '/products/\u{d800}',
];
for (const path of nowhere) {
  test(`the path ${JSON.stringify(path.slice(0, 40))} is rejected`, () => assert.equal(parsePlace(path), undefined));
}

test('a path is normalized without leaving the root', () => {
  assert.equal(normalizePath('a/../../../b/./c//'), '/b/c');
});
