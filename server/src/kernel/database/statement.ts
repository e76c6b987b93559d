import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { QueryOptions } from './tx.ts';

/** How statements are sent. */
export type Wire = {
  /** Whether statements are prepared once per connection, which is 1.5 times as fast. */
  named: boolean;
  /**
   * The connection is closed if a response takes longer. Otherwise, statements sent to a server whose host has
   * disappeared would wait until the operating system gives up, which takes a quarter of an hour.
   */
  deadlineMs: number | undefined;
};

export async function runStatement<Row>(
  on: pg.Pool | Pick<pg.PoolClient, 'query'>,
  { named, deadlineMs }: Wire,
  text: string,
  values: readonly unknown[] = [],
  options?: QueryOptions,
): Promise<Row[]> {
  const name = named && options?.prepare !== false ? statementName(text) : undefined;
  const query = {
    text,
    values: [...values],
    ...(name !== undefined && { name }),
    ...(deadlineMs !== undefined && { query_timeout: deadlineMs }),
  };
  const result = await on.query(query as pg.QueryConfig);
  return result.rows as Row[];
}

const statementNames = new Map<string, string>();

/** There are a few hundred. The limit bounds the memory of a connection if a text varies unexpectedly. */
const maxNames = 2000;

/**
 * A name is derived from the text, so that two processes that share a connection through a pooler never use the same
 * name for different statements. Undefined if there are too many names.
 */
function statementName(text: string): string | undefined {
  let name = statementNames.get(text);
  if (name === undefined && statementNames.size < maxNames) {
    name = `s${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
    statementNames.set(text, name);
  }
  return name;
}
