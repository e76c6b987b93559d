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
      'deliveries/queries.ts#deleteOldDeliveries': ['write'],
      'deliveries/queries.ts#markOldDeliveriesExhausted': ['write'],
      'events/platform-queries.ts#deleteOldPlatformEvents': ['write'],
      'events/queries.ts#deleteOldEvents': ['write'],
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
      'webhooks/queries.ts#hasWebhooks': ['chain'],
      'webhooks/queries.ts#listSealed': ['chain'],
    },
  },
  {
    why: 'Publishing works on the events of all chains at once, and so do its subscribers; to be grouped by chain later.',
    places: {
      'deliveries/platform-queries.ts#insertPlatformDeliveries': ['write'],
      'deliveries/queries.ts#insertDeliveries': ['chain', 'write'],
      'deliveries/lane-queries.ts#openLanes': ['write'],
      'events/queries.ts#publishEvents': ['chain', 'write'],
      'orders/rider-queries.ts#listRevisions': ['chain'],
      'sandbox/queries.ts#listRiders': ['chain'],
    },
  },
  {
    why: 'A sender claims, sends and records the deliveries of all chains at once; to be grouped by chain later.',
    places: {
      'deliveries/attempt-queries.ts#deleteOldAttempts': ['write'],
      'deliveries/attempt-queries.ts#writeAttempts': ['write', 'volatile'],
      'deliveries/lane-queries.ts#claimLanes': ['chain', 'lock', 'write'],
      'deliveries/lane-queries.ts#deleteEmptyLanes': ['chain', 'write'],
      'deliveries/lane-queries.ts#listHeads': ['chain'],
      'deliveries/lane-queries.ts#lockEmptyLanes': ['chain', 'lock'],
      'deliveries/lane-queries.ts#lockLanes': ['lock'],
      'deliveries/lane-queries.ts#makeLanesDue': ['chain', 'volatile'],
      'deliveries/lane-queries.ts#renewLeases': ['write'],
      'deliveries/lane-queries.ts#settleLanes': ['chain', 'volatile', 'write'],
      'deliveries/pending-queries.ts#deleteLanesWithoutDeliveries': ['chain'],
      'deliveries/pending-queries.ts#detachLanes': ['chain'],
    },
  },
  {
    why: 'Tallies of all chains are folded in one statement, twice a minute; to be grouped by chain later.',
    places: { 'tallies/queries.ts#foldTallies': ['chain', 'write'] },
  },
  {
    why: 'The platform lists the orders of all chains in the order of their changes, so their positions have one sequence.',
    places: {
      'orders/change-queries.ts#assignPositions': ['chain'],
      'orders/platform-queries.ts#findLastPositionOfAll': ['chain'],
      'orders/platform-queries.ts#listNextChanges': ['chain'],
      'orders/platform-queries.ts#listOrdersByExternalId': ['chain'],
      'orders/platform-queries.ts#listOrdersOfChanges': ['chain'],
    },
  },
  {
    why: "The platform's feed and webhooks cover all chains; positions are assigned by the publisher (decision 0132).",
    places: {
      'deliveries/platform-queries.ts#countFailedByChain': ['chain'],
      'deliveries/platform-queries.ts#countPlatformDeliveries': ['chain'],
      'deliveries/platform-queries.ts#listChainsWithLanes': ['chain'],
      'deliveries/platform-queries.ts#listPlatformDeliveries': ['chain'],
      'events/platform-queries.ts#findNewestPlatformPosition': ['chain'],
      'events/platform-queries.ts#listPlatformFeed': ['chain'],
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
