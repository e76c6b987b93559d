import type { Database } from '../kernel/database/db.ts';
import { type Node, preferNode } from '../kernel/database/nodes.ts';
import type { Log } from '../kernel/monitoring/log.ts';

/** The databases to use for chains on each node. Connections are opened when a node is used for the first time. */
export type NodeDatabases = { of(address: string): Database; close(): Promise<void> };

/** How long statements go through the coordinator after a node could not be reached. */
const avoidMs = 5000;

export function createNodeDatabases(db: Database, log: Log): NodeDatabases {
  const nodes = new Map<string, { node: Node; preferred: Database }>();
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
    return { node, preferred: preferNode(db, node) };
  };
  return {
    of(address) {
      let opened = nodes.get(address);
      if (!opened) nodes.set(address, (opened = open(address)));
      return opened.preferred;
    },
    close: async () => void (await Promise.all([...nodes.values()].map(({ node }) => node.db.close()))),
  };
}
