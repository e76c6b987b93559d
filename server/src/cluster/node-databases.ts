import type { Database } from '../kernel/database/db.ts';
import { type Node, preferNode } from '../kernel/database/nodes.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import { describeSizes } from './queries.ts';
import { repeat } from './repeat.ts';

/** The databases to use for chains on each node. Connections are opened when a node is used for the first time. */
export type NodeDatabases = { of(address: string): Database; close(): Promise<void> };

/** How long statements go through the coordinator after a node could not be reached. */
const avoidMs = 5000;
/** How often the sizes of a node's tables are read. */
const sizesMs = 5000;
const minRenewMs = 60_000;

export function createNodeDatabases(db: Database, log: Log): NodeDatabases {
  const nodes = new Map<string, { node: Node; preferred: Database; close(): Promise<unknown> }>();
  const open = (address: string) => {
    let avoidedUntil = 0;
    const node: Node = {
      db: db.openNode(address),
      isAvoided: () => performance.now() < avoidedUntil,
      avoid(error) {
        if (!node.isAvoided()) log.warn({ event: 'cluster.node_not_direct', node: address, error: String(error) });
        avoidedUntil = performance.now() + avoidMs;
      },
    };
    const sizes = repeat(renewPlansOf(node.db), sizesMs);
    const close = () => sizes.stop().finally(node.db.close);
    return { node, preferred: preferNode(db, node), close };
  };
  return {
    of(address) {
      let opened = nodes.get(address);
      if (!opened) nodes.set(address, (opened = open(address)));
      return opened.preferred;
    },
    close: async () => void (await Promise.all([...nodes.values()].map(({ close }) => close()))),
  };
}

/**
 * A node keeps the plan of a prepared statement until the connection is closed. One that was made while a table was small
 * reads all rows of a chain, so plans are made again when a table has become several times as large. This takes about as
 * long as the first seconds of a new connection, so it is done rarely.
 */
function renewPlansOf(node: Database): () => Promise<void> {
  let known: string | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const sizes = await describeSizes(node);
    if (known !== undefined && sizes !== known) {
      if (performance.now() - renewedAt < minRenewMs) return;
      renewedAt = performance.now();
      node.forgetPlans();
    }
    known = sizes;
  };
}
