import type { Database } from './database.ts';
import { isUnreachable } from './errors.ts';

/**
 * Direct connections to the nodes of a distributed database.
 *
 * Every node of a Citus cluster knows where all rows are, and can execute any statement. The node with the rows of a chain
 * executes statements about that chain without a hop, and keeps their plans, so they cost about a third of what
 * they cost through the coordinator (decision 0126). If the chain was moved, the node passes them on, so nothing depends on the place being right.
 *
 * Row locks and constraints hold wherever a statement comes from. What belongs to one server does not: advisory locks,
 * sequences and NOTIFY. A connection to a node rejects statements with these (see `configOf`).
 */
export type Node = {
  db: Database;
  /** Whether the node could not be reached a moment ago. */
  isAvoided(): boolean;
  avoid(error: unknown): void;
};

/**
 * The same database for statements about chains whose rows are on the node. If the node cannot be reached from here, the
 * coordinator executes them, and finds out whether the node is away for all. If a connection is lost, a single statement
 * is repeated, so it must be a read, or a claim that expires.
 */
export function preferNode(coordinator: Database, node: Node): Database {
  const preferred = (of: (db: Database) => Database): Pick<Database, 'query' | 'transaction'> => {
    const run = async <Result>(work: (db: Database) => Promise<Result>): Promise<Result> => {
      if (node.isAvoided()) return work(of(coordinator));
      try {
        return await work(of(node.db));
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        node.avoid(error);
        return work(of(coordinator));
      }
    };
    return {
      query: (...statement) => run((db) => db.query(...statement)),
      transaction: (work) => run((db) => db.transaction(work)),
    };
  };
  const variants = {
    withoutTimeout: { ...coordinator.withoutTimeout, ...preferred((db) => db.withoutTimeout) },
    withIdleLimit: { ...coordinator.withIdleLimit, ...preferred((db) => db.withIdleLimit) },
  };
  for (const variant of Object.values(variants)) Object.assign(variant, variants);
  return { ...coordinator, ...preferred((db) => db), ...variants };
}
