import { routes } from '@aisle/contract/index';
import type { Route } from '@aisle/contract/route';
import type { Cluster } from './cluster/index.ts';
import type { Config } from './config.ts';
import type { Access } from './identity/index.ts';
import type { Database } from './kernel/database/db.ts';
import { preferReplica } from './kernel/database/replica.ts';
import { createShares, type Shares } from './kernel/database/shares.ts';

/**
 * Lists, searches and statistics, which may read many rows and write nothing. Exports use the replica too (see
 * `copyOut`). Lists with a cursor are not included, because they assign positions to the newest changes.
 */
const replicaReads: ReadonlySet<Route> = new Set<Route>([
  routes.listCatalog,
  routes.listCategories,
  routes.listProductOffers,
  routes.listProductHistory,
  routes.listProductOrders,
  routes.listPromotions,
  routes.listOrders,
  routes.listOrdersBare,
  routes.searchOrders,
  routes.listDeliveries,
  routes.listRequests,
  routes.getStatistics,
  routes.getStoreStatistics,
  routes.platformListAssortment,
  routes.platformListCategories,
]);

/**
 * Reads that count or add up everything a chain has stored, however little they return: 0.1 to 0.4 s for 200,000 jobs,
 * requests, deliveries or products of a promotion. And one that returns a product with all of its texts for each store
 * of the chain. They are slow reads (see `Database.runSlow`).
 */
const slowReads: ReadonlySet<Route> = new Set<Route>([
  routes.listProductOffers,
  routes.listCategories,
  routes.listProductOrders,
  routes.listCatalogJobs,
  routes.listPromotions,
  routes.getPromotion,
  routes.listFiles,
  routes.listDeliveries,
  routes.listRequests,
  routes.getStatistics,
  routes.getChecklist,
]);

/** Requests that use only rows of their chain, row locks and constraints (see `Cluster.databaseOf`). */
const nodeRoutes: ReadonlySet<Route> = new Set<Route>([
  routes.putOrder,
  routes.getOrder,
  routes.getOrderById,
  routes.getCatalogJob,
  routes.getPromotionJob,
]);

/** Returns functions that give each request its database, with the chain's limit. */
export function createDatabaseFor(
  db: Database,
  cluster: Cluster | undefined,
  shares: Shares,
  { chainConnections, lockSeconds }: Config,
) {
  const replicaShares = createShares(chainConnections, lockSeconds);
  return {
    isSlow: (route: Route) => slowReads.has(route),
    /**
     * On the replica or on the chain's node if it can be. The locks of idempotency keys and the audit log are on the
     * coordinator. Clients without credentials share a limit of their own, in which networks take turns, so that a flood
     * of them delays neither the platform nor the sign-ins and token requests of other networks.
     */
    databaseFor({ chainId, actor }: Access, route: Route, isAtomic: boolean, network: string): Database {
      if (actor.kind === 'anonymous') return shares.limit(db, actor.kind, network);
      cluster?.rejectAway(chainId);
      if (cluster && nodeRoutes.has(route) && !isAtomic) return shares.limit(cluster.databaseOf(chainId), chainId);
      const limited = shares.limit(db, chainId);
      if (!replicaReads.has(route)) return limited;
      return preferReplica(limited, (replica) => replicaShares.limit(replica, chainId));
    },
    /** For a request of the platform that concerns one chain. Undefined if the database is not distributed. */
    chainDatabaseFor(access: Access, chainId: string): Database | undefined {
      cluster?.rejectAway(chainId);
      return cluster && shares.limit(cluster.databaseOf(chainId), access.chainId);
    },
  };
}
