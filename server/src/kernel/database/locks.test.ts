import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { locks, lockSeeds } from './locks.ts';

test('no two advisory locks have the same number or seed', () => {
  for (const numbers of [Object.values(locks), Object.values(lockSeeds)]) {
    assert.equal(new Set<number>(numbers).size, numbers.length);
  }
});

test('advisory lock numbers and seeds appear only in locks.ts', () => {
  const root = join(import.meta.dirname, '../..');
  const paths = globSync('**/*.ts', { cwd: root }).filter((path) => !path.includes('database/locks.'));
  assert.ok(paths.length > 100);
  const literal = /advisory\w*lock\w*\(\s*\d|hashtextextended\(/;
  assert.deepEqual(
    paths.filter((path) => literal.test(readFileSync(join(root, path), 'utf8'))),
    [],
  );
});
