import assert from 'node:assert/strict';
import test from 'node:test';
import { tableClasses } from '../../src/cluster/tables.ts';
import { readText } from './sources.ts';

type Key = { table: string; columns: string[] };
type Schema = { tables: string[]; unique: Key[]; foreign: (Key & { target: string; targetColumns: string[] })[] };

const schema = readSchema(readText('server/schema.sql'));
const classOf = (table: string) => tableClasses.get(table);

test('every table in the schema has a class', () => {
  const classified = [...tableClasses].filter(([, one]) => one !== 'sequence').map(([table]) => table);
  assert.deepEqual(classified.toSorted(), schema.tables.toSorted());
});

test('every unique key and foreign key of a distributed table contains chain_id', () => {
  assert.ok(schema.unique.length > 60 && schema.foreign.length > 40, 'the scan found the keys');
  assert.deepEqual(findKeysWithoutChain(schema), []);
});

test('every distributed table has a primary or unique key', () => {
  const keyed = new Set(schema.unique.map(({ table }) => table));
  assert.deepEqual(
    schema.tables.filter((table) => classOf(table) === 'distributed' && !keyed.has(table)),
    [],
  );
});

test('foreign keys refer only to tables that the node has', () => {
  assert.deepEqual(findUnreachableTargets(schema), []);
});

test('the scan finds keys without chain_id', () => {
  const find = (line: string) => findKeysWithoutChain(readSchema(`create table orders (\n  ${line}\n);`)).length;
  assert.equal(find('constraint a PRIMARY KEY (chain_id, order_id),'), 0);
  assert.equal(find('constraint a PRIMARY KEY (order_id) INCLUDE (chain_id),'), 1);
  assert.equal(find('constraint a UNIQUE NULLS NOT DISTINCT (order_code),'), 1);
  assert.equal(find('constraint a FOREIGN KEY (vendor_id) REFERENCES vendors(vendor_id)'), 1);
  const index = (line: string) => findKeysWithoutChain(readSchema(line)).length;
  assert.equal(index('CREATE UNIQUE INDEX a ON public.orders USING btree (order_code);'), 1);
  assert.equal(index('CREATE UNIQUE INDEX a ON public.orders USING btree (chain_id, lower(order_code));'), 0);
});

test('the scan finds foreign keys to tables that the node does not have', () => {
  const find = (table: string, line: string) =>
    findUnreachableTargets(readSchema(`create table ${table} (\n  ${line}\n);`)).length;
  assert.equal(find('orders', 'constraint a FOREIGN KEY (chain_id, user_id) REFERENCES users(chain_id, user_id)'), 1);
  assert.equal(find('users', 'constraint a FOREIGN KEY (chain_id, order_id) REFERENCES orders(chain_id, order_id)'), 1);
  assert.equal(find('users', 'constraint a FOREIGN KEY (chain_id) REFERENCES chains(chain_id)'), 0);
});

function findKeysWithoutChain({ unique, foreign }: Schema): string[] {
  const lacksChain = (columns: string[]) => !columns.includes('chain_id');
  return [
    ...unique.filter(({ table, columns }) => classOf(table) === 'distributed' && lacksChain(columns)),
    ...foreign.filter(
      ({ table, columns, targetColumns }) =>
        classOf(table) === 'distributed' && (lacksChain(columns) || lacksChain(targetColumns)),
    ),
  ].map(({ table, columns }) => `${table} (${columns.join(', ')})`);
}

function findUnreachableTargets({ foreign }: Schema): string[] {
  const reachable: Record<string, string[]> = {
    distributed: ['distributed', 'reference'],
    reference: ['reference'],
    coordinator: ['coordinator', 'reference'],
    local: ['local'],
  };
  return foreign
    .filter(({ table, target }) => !reachable[classOf(table) ?? '']?.includes(classOf(target) ?? ''))
    .map(({ table, target }) => `${table} must not refer to ${target}`);
}

function readSchema(sql: string): Schema {
  const found: Schema = { tables: [], unique: [], foreign: [] };
  let table = '';
  for (const line of sql.split('\n')) {
    table = /^create (?:unlogged )?table (\w+)/.exec(line)?.[1] ?? table;
    if (/^create (?:unlogged )?table/.test(line)) found.tables.push(table);
    const key = /(?:PRIMARY KEY|UNIQUE(?: NULLS NOT DISTINCT)?) \(([^)]*)\)/.exec(line);
    if (key) found.unique.push({ table, columns: namesIn(key[1]) });
    const index = /^CREATE UNIQUE INDEX \w+ ON public\.(\w+) USING \w+ \((.*?)\)(?: INCLUDE| WHERE|;| NULLS)/.exec(
      line,
    );
    if (index) found.unique.push({ table: index[1] ?? '', columns: namesIn(index[2]) });
    const reference = /FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)\(([^)]*)\)/.exec(line);
    if (reference) {
      const [, columns, target = '', targetColumns] = reference;
      found.foreign.push({ table, columns: namesIn(columns), target, targetColumns: namesIn(targetColumns) });
    }
  }
  return found;
}

function namesIn(list = ''): string[] {
  return list.split(',').map((name) => name.trim().replaceAll('"', ''));
}
