/**
 * The chains that background work covers: one chain, or all of them if it is null. On one PostgreSQL, a statement for
 * all chains is cheaper. On a distributed database, each chain is worked on separately, so that one node executes the
 * statement, and the other chains do not depend on it.
 */
export type Scope = string | null;

/** The condition that the table's rows belong to the scope in the parameter, for example `inScope('l', '$1')`. */
export function inScope(table: string, parameter: string): string {
  return `(${parameter}::uuid is null or ${table}.chain_id = ${parameter})`;
}
