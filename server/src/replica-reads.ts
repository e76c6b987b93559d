import { routes } from '@aisle/contract/index';
import type { Route } from '@aisle/contract/route';
import type { Config } from './config.ts';
import type { Access } from './identity/index.ts';
import type { Database } from './kernel/database/db.ts';
import { preferReplica } from './kernel/database/replica.ts';
import { createShares } from './kernel/database/shares.ts';

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

/** Returns a function that gives each request its database: with the chain's limit, and on the replica if it can be. */
export function createDatabaseFor(db: Database, { chainConnections, lockSeconds }: Config) {
  const shares = createShares(chainConnections, lockSeconds);
  const replicaShares = createShares(chainConnections, lockSeconds);
  return ({ chainId }: Access, route: Route): Database => {
    const limited = shares.limit(db, chainId);
    if (!replicaReads.has(route)) return limited;
    return preferReplica(limited, (replica) => replicaShares.limit(replica, chainId));
  };
}
