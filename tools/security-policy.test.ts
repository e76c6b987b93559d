import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';

const root = new URL('..', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', root), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('every file named in SECURITY.md exists', () => {
  const named = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.[a-z]+)`|\]\(([^#)]+)\)/g)].map(
    ([, code, link]) => code ?? link,
  );
  assert.ok(named.length > 50, `${named.length} files`);
  assert.deepEqual(
    named.filter((path) => !existsSync(new URL(String(path), root))),
    [],
  );
});

for (const [list, names] of [
  ['OWASP API Security Top 10', Array.from({ length: 10 }, (_, index) => `API${index + 1}`)],
  ['ASVS 5.0', Array.from({ length: 17 }, (_, index) => `V${index + 1}`)],
] as const) {
  test(`SECURITY.md states whether every part of the ${list} is met, and which tests cover it`, () => {
    for (const name of names) {
      const [row, ...others] = rows.filter(([, first = '']) => first.startsWith(`${name} `));
      assert.ok(row && others.length === 0, name);
      const [, , state = '', , tests = ''] = row;
      assert.match(state, /^(met|partly|not met|not applicable)$/, name);
      if (state !== 'not applicable') assert.match(tests, /\.test\.ts`/, name);
    }
  });
}
