import type { Rule } from './check-statement.ts';

/** Functions whose statements deliberately break these rules, with the reason. The paths are below server/src. */
type Group = { why: string; places: Record<string, Rule[]> };

/** A function whose statement breaks rules. */
export type Exception = { place: string; rules: Rule[]; why: string };

const groups: Group[] = [
  {
    why: 'A chore deletes what has expired in all chains, and no request waits for it; each node deletes its own rows.',
    places: {
      'catalog/change-queries.ts#deleteOldChanges': ['chain', 'write'],
      'catalog/history-queries.ts#deleteOldHistory': ['write'],
      'certification/queries.ts#deleteOldCertifications': ['write'],
      'console/alert-queries.ts#deleteOldAlerts': ['write'],
      'deliveries/queries.ts#deleteOldDeliveries': ['write'],
      'deliveries/queries.ts#markOldDeliveriesExhausted': ['write'],
      'events/deletion-queries.ts#deleteFrom': ['broadcast', 'chain', 'write'],
      'files/queries.ts#deleteExpiredUnfinished': ['write'],
      'jobs/queries.ts#deleteExpiredFiles': ['chain', 'write'],
      'jobs/queries.ts#deleteOldJobs': ['write'],
      'kernel/http/idempotency.ts#deleteOldKeys': ['write'],
      'orders/count-queries.ts#deleteOldDays': ['write'],
      'promotions/change-queries.ts#deleteOldChanges': ['chain', 'write'],
      'promotions/queries.ts#deleteEndedOffers': ['chain', 'write'],
      'requests/queries.ts#deleteOldDropped': ['write'],
      'tallies/queries.ts#deleteOldTallies': ['write'],
    },
  },
  {
    why: 'A chore finds the chains or rows with work to do; what it then does names the chain.',
    places: {
      'catalog/change-queries.ts#listChainsChangedAfter': ['chain'],
      'catalog/change-queries.ts#listChainsWithPendingChanges': ['chain'],
      'outlets/queries.ts#listEndedClosures': ['chain'],
      'promotions/announce-queries.ts#listUnannounced': ['chain'],
      'promotions/change-queries.ts#listChainsChangedAfter': ['chain'],
      'storefront/product-event-queries.ts#deleteCursors': ['write'],
      'storefront/product-event-queries.ts#findCursors': ['chain'],
      'storefront/product-event-queries.ts#insertCursors': ['write'],
      'storefront/product-event-queries.ts#listDueCursors': ['chain'],
      'catalog/count-queries.ts#recountOffers': ['chain'],
      'orders/change-queries.ts#listChainsWithPendingChanges': ['chain'],
      'orders/completion-queries.ts#listUncounted': ['chain'],
      'orders/completion-queries.ts#listUnsearchable': ['chain'],
      'orders/count-queries.ts#listUncountedChains': ['chain'],
      'requests/queries.ts#listLoggedChains': ['chain'],
    },
  },
  {
    why: 'Metrics and health checks count across all chains, at most once per scrape or check.',
    places: {
      'deliveries/backlog-queries.ts#findBacklog': ['chain'],
      'deliveries/backlog-queries.ts#isStalled': ['chain'],
      'events/queries.ts#countUnpublished': ['chain'],
      'events/queries.ts#findNextUnpublished': ['chain'],
      'jobs/storage-queries.ts#findMaxShare': ['chain'],
      'webhooks/queries.ts#hasWebhooks': ['chain'],
      'webhooks/queries.ts#listSealed': ['chain'],
    },
  },
  {
    why: 'Finds the chains with work on a distributed database; what is then done names the chain.',
    places: {
      'deliveries/claim-queries.ts#listDueChains': ['chain'],
      'events/queries.ts#listUnpublishedChains': ['chain'],
    },
  },
  {
    why: 'The rows of all chains are given if the database is on one node, and those of one chain if it is distributed.',
    places: {
      'deliveries/attempt-queries.ts#insertAttempts': ['write'],
      'deliveries/platform-queries.ts#insertPlatformDeliveries': ['write'],
      'deliveries/lane-queries.ts#openLanes': ['write'],
    },
  },
  {
    why: 'Executed only if the database is not distributed; there is another function for one that is (decision 0139).',
    places: {
      'catalog/creation-queries.ts#createAtOnce': ['broadcast'],
      'catalog/single-queries.ts#updateOffers': ['broadcast'],
      'catalog/update-queries.ts#writeAtOnce': ['broadcast'],
      'promotions/apply-queries.ts#applyAtOnce': ['broadcast'],
      'tallies/queries.ts#foldAllTallies': ['broadcast', 'chain', 'write'],
      'tallies/queries.ts#insertChangesOfChains': ['write'],
    },
  },
  {
    why: 'The platform lists the orders of all chains in the order of their changes, so their positions have one sequence.',
    places: {
      'orders/platform-queries.ts#findLastPositionOfAll': ['chain'],
      'orders/platform-queries.ts#listNextChanges': ['chain'],
      'orders/platform-queries.ts#listOrdersByExternalId': ['chain'],
      'orders/platform-queries.ts#listOrdersOfChanges': ['chain'],
    },
  },
  {
    why: 'The operator sees all chains at once in the console, and does not know the chain of what a support case names.',
    places: {
      'console/alert-queries.ts#listAlerts': ['chain'],
      'console/overview-queries.ts#countClosedStores': ['chain'],
      'console/overview-queries.ts#countFailingEndpoints': ['chain'],
      'console/overview-queries.ts#countOpenOrders': ['chain'],
      'console/overview-queries.ts#countOrdersByMinute': ['chain'],
      'console/overview-queries.ts#countRunningJobs': ['chain'],
      'console/overview-queries.ts#countWaitingDeliveries': ['chain'],
      'console/overview-queries.ts#listClosedStores': ['chain'],
      'console/overview-queries.ts#listFailingEndpoints': ['chain'],
      'console/overview-queries.ts#listRunningJobs': ['chain'],
      'console/search-queries.ts#findDeliveries': ['chain'],
      'console/search-queries.ts#findJobs': ['chain'],
      'console/search-queries.ts#findOrders': ['chain'],
      'console/search-queries.ts#findProducts': ['chain'],
      'console/search-queries.ts#findRequests': ['chain'],
      'console/search-queries.ts#findStores': ['chain'],
    },
  },
  {
    why: "The platform's feed and webhooks cover all chains; positions are assigned by the publisher (decision 0132).",
    places: {
      'deliveries/platform-queries.ts#countFailedByChain': ['chain'],
      'deliveries/platform-queries.ts#listChainsWithLanes': ['chain'],
      'events/deletion-queries.ts#findDeletedForPlatform': ['chain'],
      'events/platform-queries.ts#findNewestPlatformPosition': ['chain'],
      'events/platform-queries.ts#listPlatformFeed': ['chain'],
      'events/platform-queries.ts#listPlatformFeedUpTo': ['chain'],
    },
  },
  {
    why: 'The platform reads an order by its id alone, so every node is asked for its chain.',
    places: { 'orders/queries.ts#findChainOfOrder': ['chain'] },
  },
];

export const exceptions: Exception[] = groups.flatMap(({ why, places }) =>
  Object.entries(places).map(([place, rules]) => ({ place: `server/src/${place}`, rules, why })),
);
