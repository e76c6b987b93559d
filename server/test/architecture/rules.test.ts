import assert from 'node:assert/strict';
import test from 'node:test';
import { findNondeterminism, findImpurePackages, findMutations, findThrowingFinds, isRule } from './rules.ts';
import { parseSource, production, sources } from './sources.ts';

const rules = production.filter(({ path }) => isRule(path));

test('rules do not import code that performs I/O', () => {
  assert.ok(rules.length > 30, 'the scan found the rules');
  assert.deepEqual(
    rules.flatMap((source) => findImpurePackages(sources, source)),
    [],
  );
});

test('rules neither read a clock nor generate random values', () => {
  assert.deepEqual(rules.flatMap(findNondeterminism), []);
});

test('rules do not change their arguments', () => {
  assert.deepEqual(rules.flatMap(findMutations), []);
});

test('a function named find… never throws', () => {
  const server = production.filter(({ path }) => path.startsWith('server/src/'));
  assert.deepEqual(server.flatMap(findThrowingFinds), []);
});

const rule = (text: string) => parseSource('server/src/catalog/rules/price.ts', text);

test('the scan finds direct and indirect imports of code that performs I/O', () => {
  const find = (text: string) => findImpurePackages(sources, rule(text));
  assert.deepEqual(find("import { decimal } from '../../kernel/values/decimal.ts';"), []);
  assert.deepEqual(find("import type { ProductRow } from '../queries.ts';"), []);
  assert.notDeepEqual(find("import { openDatabase } from '../../kernel/database/db.ts';"), []);
  assert.notDeepEqual(find("import fs from 'node:fs';"), []);
});

test('the scan finds code that reads a clock or generates random values', () => {
  assert.deepEqual(findNondeterminism(rule('export const isOld = (at: Date, now: Date) => at < new Date(now);')), []);
  assert.deepEqual(findNondeterminism(rule('// The caller calls Date.now().')), []);
  for (const call of ['Date.now()', 'new Date()', 'performance.now()', 'Math.random()', 'crypto.randomUUID()']) {
    assert.notDeepEqual(findNondeterminism(rule(`export const value = () => ${call};`)), [], call);
  }
  assert.deepEqual(findNondeterminism(rule('export const line = (newId: () => string) => ({ id: newId() });')), []);
  assert.notDeepEqual(findNondeterminism(rule("import { newId } from '../../kernel/values/ids.ts';")), []);
  assert.notDeepEqual(findNondeterminism(rule("import { createHash, randomBytes } from 'node:crypto';")), []);
});

test('the scan finds functions that change their arguments', () => {
  const allowed = [
    'function total(lines: number[]) { const copy = [...lines]; copy.push(1); return copy.toSorted(); }',
    'function name(line: Line) { line = { ...line }; return line.name; }',
  ];
  for (const text of allowed) assert.deepEqual(findMutations(rule(text)), [], text);
  const forbidden = [
    'function total(lines: number[]) { lines.push(1); }',
    'const total = (lines: number[]) => lines.sort();',
    'function total(cart: Cart) { cart.lines[0].price = 1; }',
    'function total(cart: Cart) { cart.count += 1; }',
    'function total(cart: Cart) { cart.count++; }',
    'function total({ lines }: Cart) { lines.delete(1); }',
    'function total(cart: Cart) { delete cart.price; }',
    'function total(cart: Cart) { Object.assign(cart, { price: 1 }); }',
    'function total(cart: Cart) { return cart.lines.map((line) => { (line as Line).price = 1; return line; }); }',
  ];
  for (const text of forbidden) assert.notDeepEqual(findMutations(rule(text)), [], text);
});

test('the scan finds a find… function that throws', () => {
  const find = (text: string) => findThrowingFinds(parseSource('server/src/catalog/queries.ts', text));
  assert.deepEqual(
    find('export function findOrder() { return undefined; } export function getOrder() { throw a; }'),
    [],
  );
  assert.notDeepEqual(find('export async function findOrder() { if (!row) throw new Failure("gone"); }'), []);
  assert.notDeepEqual(find('export const findOrder = async () => getOrder(tx);'), []);
});
