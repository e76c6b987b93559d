import assert from 'node:assert/strict';
import test from 'node:test';
import { loadModule, parseSync } from 'libpg-query';
import { readMigrations } from './migrate.ts';
import { splitStatements } from './split-statements.ts';

test('statements are split at semicolons, but not in literals, names, comments and function bodies', () => {
  assert.deepEqual(splitStatements('select 1; select 2;'), ['select 1', 'select 2']);
  assert.deepEqual(splitStatements(`select 'a;''b', "c;d" -- e;\n; /* f; */ select 2`), [
    `select 'a;''b', "c;d"`,
    'select 2',
  ]);
  const body = 'create function f() returns int as $x$ select 1; $x$ language sql';
  assert.deepEqual(splitStatements(`${body};\nselect $1 - 2 / 3;\n\n;`), [body, 'select $1 - 2 / 3']);
});

test('every migration is split as PostgreSQL parses it', async () => {
  await loadModule();
  const migrations = readMigrations(new URL('../../../migrations/', import.meta.url));
  assert.ok(migrations.length > 30);
  for (const { name, sql } of migrations) {
    const parsed = parseSync(sql).stmts ?? [];
    const split = splitStatements(sql);
    assert.equal(split.length, parsed.length, name);
    for (const statement of split) assert.equal(parseSync(statement).stmts?.length, 1, name);
  }
});
