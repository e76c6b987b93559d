import assert from 'node:assert/strict';
import test from 'node:test';
import { checkStatement, type Rule, type TableInfo, type Volatility } from './check-statement.ts';
import { exceptions } from './exceptions.ts';

const classes: Record<string, ReturnType<TableInfo>> = {
  orders: 'distributed',
  items: 'distributed',
  chains: 'reference',
  users: 'coordinator',
  migrations: 'local',
};
const kinds: Record<string, ReturnType<Volatility>> = {
  now: 'stable',
  clock_timestamp: 'volatile',
  nextval: 'volatile',
  gen_random_uuid: 'volatile',
};
const catalog = {
  classOf: (table: string) => classes[table],
  volatilityOf: (name: string) => kinds[name] ?? 'immutable',
};
const rulesBrokenBy = (sql: string) => [...new Set(checkStatement(sql, catalog).map(({ rule }) => rule))];

const allowed = [
  'select * from orders where chain_id = $1',
  'select 1 from orders o where o.chain_id = $1::uuid and o.order_id = $2',
  'select 1 from orders o join items i on i.chain_id = o.chain_id where o.chain_id = $1',
  'select 1 from orders o join items i using (chain_id, order_id) where o.chain_id = $1',
  'select 1 from orders o left join items i on i.chain_id = o.chain_id where o.chain_id = $1',
  'select 1 from orders o, items i where (o.chain_id, o.a) = ($1, $2) and i.chain_id = o.chain_id',
  'select 1 from chains c join orders o on o.chain_id = c.chain_id where c.chain_id = $1',
  'select (select count(*) from items i where i.chain_id = $1) from orders o where o.chain_id = $1',
  'with page as (select * from orders where chain_id = $1) select * from page join items i on i.chain_id = $1',
  'select * from users join migrations on true',
  'select * from orders o where ($1::uuid is null or o.chain_id = $1) and o.order_id = $2',
  'select 1 from orders where chain_id = $1 for update',
  'insert into orders (chain_id, a) values ($1, $2), ($1, $3)',
  'insert into orders (a, chain_id) select a, $1 from unnest($2::int[]) as given (a)',
  'insert into orders (chain_id, a) select i.chain_id, i.a from items i where i.chain_id = $1',
  'with fresh as (select chain_id, a from items where chain_id = $1) insert into orders select chain_id, a from fresh',
  'insert into orders (chain_id, a) values ($1, now()) on conflict (chain_id) do update set a = excluded.a',
  'update orders o set a = $2, updated_at = now() where o.chain_id = $1 and o.at < now() - make_interval(days => $3)',
  'update orders o set a = least(o.a, now()) from items i where o.chain_id = $1 and i.chain_id = $1',
  "update migrations set a = nextval('numbers'), at = clock_timestamp()",
  'delete from orders where chain_id = $1 and order_id = any ($2)',
  'insert into orders (chain_id, at) values ($1, clock_timestamp())',
  'with gone as (delete from items where chain_id = $1 returning a) insert into orders (chain_id, a) select $1, a from gone',
  'with a as (insert into orders (chain_id) values ($1)) insert into items (chain_id, a) select $1, $2 where $2 > 0',
  'with f as (select 1 as a), o as (insert into orders (chain_id) select i.chain_id from items i where i.chain_id = $1 and i.a in (select a from f)) select 1 from f',
  'truncate incoming',
  'set local synchronous_commit = off',
];
for (const sql of allowed) test(`allowed: ${sql}`, () => assert.deepEqual(rulesBrokenBy(sql), []));

const forbidden: [rule: Rule, sql: string][] = [
  ['chain', 'select * from orders'],
  ['chain', 'select * from orders where order_id = $1'],
  ['chain', 'select * from orders where chain_id = any ($1)'],
  ['chain', 'select * from orders where chain_id = $1 or order_id = $2'],
  ['chain', 'select * from orders where ($2::uuid is null or chain_id = $1)'],
  ['chain', 'select * from orders where ($1::uuid is null or chain_id <> $1)'],
  ['chain', 'select * from orders where ($1::uuid is null or chain_id = $1 or a = $2)'],
  ['chain', 'select 1 from orders o join items i on i.order_id = o.order_id where o.chain_id = $1'],
  ['chain', 'select 1 from orders o left join items i on o.chain_id = $1 and i.chain_id = $1'],
  ['chain', 'select 1 from orders o full join items i on o.chain_id = i.chain_id and o.chain_id = $1'],
  ['chain', 'select 1 from orders o, items i where o.chain_id = $1 and i.chain_id = $2'],
  ['chain', 'select (select 1 from items i where i.chain_id = o.chain_id) from orders o where o.chain_id = $1'],
  [
    'chain',
    'select 1 from orders o, lateral (select 1 from items i where i.chain_id = o.chain_id limit 1) x where o.chain_id = $1',
  ],
  ['chain', 'with page as (select * from orders where chain_id = $1) select 1 from page join items i using (chain_id)'],
  ['chain', 'with page as (select * from orders) select * from page where chain_id = $1'],
  ['chain', 'select 1 from unnest($1::uuid[]) as given (chain_id) join orders o on o.chain_id = given.chain_id'],
  ['chain', 'select 1 from orders where chain_id = $1 union all select 1 from items'],
  ['chain', 'copy (select * from orders) to stdout'],
  ['write', 'delete from orders where created_at < now()'],
  ['write', 'update orders set a = 1'],
  ['write', 'update orders o set a = 1 from unnest($1::uuid[]) as given (chain_id) where o.chain_id = given.chain_id'],
  ['write', 'insert into orders (chain_id, a) select * from unnest($1::uuid[], $2::int[]) as given (chain_id, a)'],
  ['write', 'insert into orders (chain_id) values ($1), (gen_random_uuid())'],
  ['write', 'with gone as (delete from orders returning 1) select count(*) from gone'],
  ['write', 'truncate orders'],
  ['lock', 'select 1 from orders order by created_at for update skip locked'],
  ['lock', 'select 1 from chains where chain_id = $1 for update'],
  ['lock', 'select 1 from orders o join chains c on c.chain_id = o.chain_id where o.chain_id = $1 for share of c'],
  ['volatile', 'update users set a = clock_timestamp() where user_id = $1'],
  ['volatile', "update orders set a = nextval('numbers') where chain_id = $1"],
  ['volatile', 'update orders set a = 1 where chain_id = $1 and at < clock_timestamp()'],
  ['volatile', 'delete from orders where chain_id = $1 and at < clock_timestamp()'],
  ['volatile', 'delete from orders where chain_id = $1 returning at > now() as is_live'],
  ['volatile', 'insert into orders (chain_id) values ($1) returning at > now() as is_live'],
  ['volatile', 'update orders set a = coalesce($2, now()) where chain_id = $1'],
  ['volatile', 'update orders set a = case when b then a else now() end where chain_id = $1'],
  ['volatile', 'update orders set a = now() + make_interval(secs => b) where chain_id = $1'],
  ['volatile', 'insert into orders (chain_id) values ($1) on conflict (chain_id) do update set a = now()'],
  ['volatile', 'insert into orders (chain_id) values ($1) on conflict (chain_id) do update set a = current_timestamp'],
  [
    'subquery',
    'update orders set a = case when b then (select max(c) from items where chain_id = $1) end where chain_id = $1',
  ],
  ['subquery', 'insert into orders (chain_id, a) values ($1, (select max(a) from items where chain_id = $1))'],
  ['subquery', 'insert into orders (chain_id) select $1 on conflict do update set a = (select 1)'],
  ['subquery', 'insert into chains (chain_id) values ($1) returning exists (select from users) as has_users'],
  ['broadcast', 'insert into orders (chain_id, a) select $1, i.a from items i where i.chain_id = $1'],
  [
    'broadcast',
    'with gone as (delete from items where chain_id = $1 returning a), o as (insert into orders (chain_id, a) select $1, a from gone) select 1 from gone',
  ],
  ['ctid', 'select ctid from orders where chain_id = $1'],
  [
    'ctid',
    'delete from orders o where chain_id = $1 and o.ctid in (select x.ctid from orders x where x.chain_id = $1)',
  ],
];
for (const [rule, sql] of forbidden) test(`${rule}: ${sql}`, () => assert.deepEqual(rulesBrokenBy(sql), [rule]));

test('every exception has a reason and is listed once', () => {
  assert.equal(new Set(exceptions.map(({ place }) => place)).size, exceptions.length);
  for (const { why } of exceptions) assert.match(why, /^[A-Z].{30,}\.$/);
});
