import assert from 'node:assert/strict';
import test from 'node:test';
import { readCategories } from './categories-file.ts';

test('a category tree is read from CSV or JSON', () => {
  const tree = [
    { global_id: '1', parent_global_id: null, details: { name: { en_AE: 'Fruit, fresh' } } },
    { global_id: '2', parent_global_id: '1', details: { name: { en_AE: 'Apples' } } },
  ];
  const csv = '\uFEFFglobal_id,parent_global_id,name\n1,,"Fruit, fresh"\n\n2,1,Apples\n';
  for (const text of [csv, JSON.stringify(tree), JSON.stringify({ categories: tree })])
    assert.deepEqual(readCategories(text, 'en_AE'), { categories: tree });
});

for (const text of [
  'global_id,name\n1,"Fruit\n',
  'global_id,name\n1,Fr"uit"\n',
  'id,name\n1,Fruit\n',
  '{"categories":',
  '{}',
  'null',
  '',
])
  test(`${JSON.stringify(text)} is not a category tree`, () => assert.equal(readCategories(text, 'en_AE'), undefined));
