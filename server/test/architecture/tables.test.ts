import assert from 'node:assert/strict';
import test from 'node:test';
import { parseSource, production, readText, type Source } from './sources.ts';
import { definitionsIn, readSql, tablesIn } from './sql.ts';
import { placeExceptions, tableExceptions, tablesOf } from './table-owners.ts';

const owners = new Map(Object.entries(tablesOf).flatMap(([owner, tables]) => tables.map((table) => [table, owner])));
const server = production.filter(({ path }) => path.startsWith('server/src/'));
type Use = { path: string; line: number; table: string };

test('every table and sequence in the schema has exactly one owner', () => {
  const pattern = /^create (?:unlogged )?(?:table|sequence) (\w+)/gm;
  const existing = [...readText('server/schema.sql').matchAll(pattern)].map(([, name = '']) => name);
  assert.deepEqual(Object.values(tablesOf).flat().toSorted(), existing.toSorted());
});

test("no SQL uses another feature's table, except where table-owners.ts gives a reason", () => {
  assert.deepEqual(
    findForeignUses(server)
      .filter((use) => !tableExceptions.some(({ path, table }) => use.path.startsWith(path) && table === use.table))
      .map(({ path, line, table }) => `${path}:${line} must not use ${table}, which ${ownerName(table)}`),
    [],
  );
});

test('SQL is written only in queries files and in the kernel, except where table-owners.ts gives a reason', () => {
  const allowed = new Set(placeExceptions.map(({ path }) => path));
  assert.deepEqual(
    findMisplacedSql(server).filter((place) => !allowed.has(place.replace(/:\d+$/, ''))),
    [],
  );
});

test('every exception is still needed and gives a reason', () => {
  const uses = findForeignUses(server);
  const places = new Set(findMisplacedSql(server).map((place) => place.replace(/:\d+$/, '')));
  const unused = [
    ...tableExceptions.filter(
      (one) => !uses.some(({ path, table }) => path.startsWith(one.path) && table === one.table),
    ),
    ...placeExceptions.filter(({ path }) => !places.has(path)),
  ];
  assert.deepEqual(unused, []);
  for (const { why } of [...tableExceptions, ...placeExceptions]) assert.match(why, /^[A-Z].{30,}\.$/);
});

test("the scan finds uses of another feature's table in statements and in fragments", () => {
  const foreign = (text: string) =>
    findForeignUses([parseSource('server/src/catalog/queries.ts', text)]).map(({ table }) => table);
  assert.deepEqual(foreign("tx.query('select 1 from products p join offers o using (sku)')"), []);
  assert.deepEqual(foreign("tx.query('select 1 from products p join orders o using (sku)')"), ['orders']);
  assert.deepEqual(foreign('const source = `from vendors v where ${inScope}`;'), ['vendors']);
  assert.deepEqual(foreign("tx.query('select 1 from invented_table')"), ['invented_table']);
  assert.deepEqual(
    foreign("tx.query('create temporary table incoming (a int)'); tx.query('select a from incoming')"),
    [],
  );
  assert.deepEqual(foreign("throw new Error('Products come from orders')"), ['orders']);
  assert.deepEqual(foreign("throw new Error('Read the update first')"), []);
});

test('the scan finds SQL outside `queries.ts` files', () => {
  const misplaced = (path: string) => findMisplacedSql([parseSource(path, "tx.query('delete from products')")]);
  assert.deepEqual(misplaced('server/src/catalog/update-queries.ts'), []);
  assert.deepEqual(misplaced('server/src/kernel/database/db.ts'), []);
  assert.deepEqual(misplaced('server/src/catalog/end-job.ts'), ['server/src/catalog/end-job.ts:1']);
});

const statements: [sql: string, tables: string[]][] = [
  ['select * from a, b x, lateral (select 1 from c) d, e where f = (select g, h from i)', ['a', 'b', 'c', 'e', 'i']],
  ['select a, b from c left join d on d.x = c.x inner join only e using (f, g)', ['c', 'd', 'e']],
  ['with a as (select 1 from b), c (d, e) as not materialized (select 1, 2 from a) select from c, f', ['b', 'f']],
  ['insert into a (b, c) select b, c from d on conflict (b) do update set c = excluded.c', ['a', 'd']],
  ['update a x set b = y.b, c = 1 from d y, e where f is distinct from g returning h, i', ['a', 'd', 'e']],
  ['delete from a using b, c where d in (select e from f for update of f skip locked)', ['a', 'b', 'c', 'f']],
  ['select extract(epoch from now), substring(a from 2), \'from b\', "c" from d -- from e', ['d']],
  ['select * from unnest($1::int[], $2) as a (b, c) join generate_series(1, 2) d on true', []],
  ['copy a (b, c) from stdin', ['a']],
  ['truncate a, b', ['a', 'b']],
  ["select nextval('a') from b for no key update", ['a', 'b']],
  ['create table if not exists a (b int)', ['a']],
  ['merge into a using b on a.c = b.c when matched then update set d = e', ['a', 'b']],
];
for (const [sql, tables] of statements) {
  test(`the scan finds the tables in: ${sql}`, () => assert.deepEqual(tablesIn(sql), tables));
}

function findForeignUses(files: Source[]): Use[] {
  const defined = new Map<string, Set<string>>();
  for (const source of files) {
    const names = readSql(source).flatMap(({ text }) => definitionsIn(text));
    const feature = featureOf(source.path);
    defined.set(feature, new Set([...(defined.get(feature) ?? []), ...names]));
  }
  return files.flatMap((source) => {
    const feature = featureOf(source.path);
    const isForeign = (table: string) => owners.get(table) !== feature && !defined.get(feature)?.has(table);
    return readSql(source).flatMap(({ text, line, isStatement }) =>
      tablesIn(text)
        .filter(
          (table) => isForeign(table) && (isStatement || owners.has(table)) && !/^(pg_|information_schema)/.test(table),
        )
        .map((table) => ({ path: source.path, line, table })),
    );
  });
}

function findMisplacedSql(files: Source[]): string[] {
  const isPlace = (path: string) => /^server\/src\/kernel\/|\/([\w-]+-)?queries\.ts$/.test(path);
  return files
    .filter(({ path }) => !isPlace(path))
    .flatMap((source) =>
      readSql(source)
        .filter(({ isStatement }) => isStatement)
        .map(({ line }) => `${source.path}:${line}`),
    );
}

function ownerName(table: string): string {
  const owner = owners.get(table);
  return owner ? `belongs to ${owner}` : 'is not in table-owners.ts';
}

function featureOf(path: string): string {
  return path.split('/')[2] ?? '';
}
