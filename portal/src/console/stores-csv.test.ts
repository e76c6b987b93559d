import assert from 'node:assert/strict';
import test from 'node:test';
import { chunksOf, readStores } from './stores-csv.ts';

const defaults = {
  currency: 'AED',
  country_code: 'AE',
  locale: 'en_AE',
  timezone: 'Asia/Dubai',
  transport_type: 'LOGISTICS_DELIVERY',
} as const;

test('a store has the values of its row, and the defaults for what is missing', () => {
  const { stores, problems } = readStores(
    '\uFEFFName,external_id,currency\n"Marina, Walk",1001,\nCreek,1002,USD\n\n',
    defaults,
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(stores, [
    { row: 2, store: { ...defaults, name: 'Marina, Walk', external_id: '1001' } },
    { row: 3, store: { ...defaults, name: 'Creek', external_id: '1002', currency: 'USD' } },
  ]);
});

test('rows without a name, repeated ids and unknown columns are reported with their line', () => {
  const { problems } = readStores('name,external_id,color\nA,1,red\n,2,red\nC,1,red\n', defaults);
  assert.deepEqual(problems, [
    { row: 1, problem: 'column', value: 'color' },
    { row: 3, problem: 'name', value: '' },
    { row: 4, problem: 'duplicate', value: '1' },
  ]);
});

test('a file without a column for names is reported as a whole', () => {
  assert.deepEqual(readStores('id;store\n1;A\n', defaults), {
    stores: [],
    problems: [{ row: 1, problem: 'header', value: 'id;store' }],
  });
});

test('rows are numbered as in the file, also after empty ones, and quotes that do not match are reported', () => {
  const twice = readStores('name\nA\n\n\nB\nA\n', defaults);
  assert.deepEqual(twice.problems, [{ row: 6, problem: 'sameName', value: 'A' }]);
  assert.deepEqual(readStores('name\nA\n"B\n', defaults), {
    stores: [],
    problems: [{ row: 3, problem: 'quote', value: '' }],
  });
});

test('5,000 stores are sent in 50 parts', () => {
  const parts = chunksOf(
    Array.from({ length: 5000 }, (_, index) => index),
    100,
  );
  assert.equal(parts.length, 50);
  assert.deepEqual([parts[0]?.[0], parts[49]?.at(-1)], [0, 4999]);
});
