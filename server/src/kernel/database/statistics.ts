import type { Db } from './db.ts';

/**
 * Analyzes tables that have many more rows than PostgreSQL expects, and returns their names. A queue is usually almost
 * empty when it is analyzed. If PostgreSQL then expects a single row, it compares each row of a table with each one of a
 * list instead of looking them up, so a burst of work is slow until autovacuum analyzes the table again, which takes a
 * minute or more. Tables that PostgreSQL has never analyzed are not a problem: it guesses their rows from their size. It
 * also does that for those whose file was empty when they were analyzed, but not in plans that it made then and still uses.
 */
export async function analyzeGrownTables(db: Db): Promise<string[]> {
  const grown = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.schemaname = current_schema() and pg_has_role(c.relowner, 'usage')
       and s.n_live_tup > $1 and c.reltuples >= 0
       and (c.relpages = 0 or s.n_live_tup >
         $2 * c.reltuples / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::int))`,
    [minRows, factor],
  );
  for (const { name } of grown) await db.query(`analyze (skip_locked) ${name}`, [], { prepare: false });
  return grown.map(({ name }) => name);
}

const minRows = 1000;
const factor = 10;
