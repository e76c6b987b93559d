import type { TableClass } from '../../server/src/cluster/tables.ts';

/**
 * - `chain`: a distributed table is read without naming the chain, so every node is asked.
 * - `write`: rows of several chains are written in one statement.
 * - `lock`: rows of several chains, or of a table that every node has a copy of, are locked.
 * - `volatile`: a function in UPDATE, DELETE or ON CONFLICT could return something else on each node.
 * - `subquery`: a subquery where nodes do not support it.
 * - `broadcast`: the result of a part of the statement is sent to every node, so it fails if one of them is away.
 * - `ctid`: the physical place of a row is used to find it again.
 */
export type Rule = 'chain' | 'write' | 'lock' | 'volatile' | 'subquery' | 'broadcast' | 'ctid';

export type Violation = { rule: Rule; detail: string };

export type TableInfo = (table: string) => TableClass | 'sequence' | undefined;

/** Whether a function always returns the same, the same within a statement, or anything. */
export type Volatility = (name: string) => 'immutable' | 'stable' | 'volatile';

export type Context = {
  classOf: TableInfo;
  volatilityOf: Volatility;
  report(rule: Rule, detail: string): void;
  /** What distributed tables are compared with. */
  chains: Set<string>;
};

/** Calls `enter` for each node in a parsed statement. It returns whether the parts of the node are visited too. */
export function visit(tree: unknown, enter: (key: string, node: unknown) => boolean): void {
  if (Array.isArray(tree)) for (const one of tree) visit(one, enter);
  else if (typeof tree === 'object' && tree !== null) {
    for (const [key, node] of Object.entries(tree)) if (enter(key, node)) visit(node, enter);
  }
}
