import { tables } from '../../src/cluster/tables.ts';

/**
 * The feature that owns each table and sequence in server/schema.sql. A feature's SQL uses only its own tables. To get
 * another feature's data, it calls the functions in that feature's index.ts.
 */
export const tablesOf: Record<string, string[]> = Object.fromEntries(
  Object.entries(tables).map(([owner, owned]) => [owner, Object.keys(owned)]),
);

/** Files or folders whose SQL deliberately uses another feature's table. A test fails if an entry is not needed. */
export const tableExceptions: { path: string; table: string; why: string }[] = [
  {
    path: 'server/src/cluster/queries.ts',
    table: 'chains',
    why: 'Whether there is data, and which node has which chain, is part of the state of the cluster.',
  },
  {
    path: 'server/src/cluster/queries.ts',
    table: 'citus_shards',
    why: 'This view belongs to Citus, and only this file uses it, to show what the nodes store.',
  },
  {
    path: 'server/src/jobs/storage-queries.ts',
    table: 'file_parts',
    why: 'Uploaded files are part of what is stored for jobs, and their size is measured in the same statement.',
  },
  {
    path: 'server/src/jobs/storage-queries.ts',
    table: 'promotion_entries',
    why: 'Promotion jobs write these rows, and they are counted in the same statement, without reading them.',
  },
  {
    path: 'server/src/jobs/storage-queries.ts',
    table: 'promotion_offers',
    why: 'As for `promotion_entries`, these rows are counted in the same statement.',
  },
  {
    path: 'server/src/jobs/schedule-queries.ts',
    table: 'acceptance_numbers',
    why: "A job's number is the default of its column, which an update on a distributed database cannot use.",
  },
  {
    path: 'server/src/promotions/running-queries.ts',
    table: 'offers',
    why: 'Final prices that are not below the price are passed over while promotions are read, because there can be any number of them.',
  },
  {
    path: 'server/src/promotions/apply-queries.ts',
    table: 'offers',
    why: "A slice checks ten thousand discounts against a vendor's prices, and a join makes that fast.",
  },
  {
    path: 'server/src/promotions/apply-queries.ts',
    table: 'products',
    why: 'A slice checks in the same join that the products in a bundle are not sold by weight.',
  },
  {
    path: 'server/src/promotions/running-queries.ts',
    table: 'vendors',
    why: "A page of products includes the vendor's currency, and a join avoids another query on the busiest read.",
  },
  {
    path: 'server/src/deliveries/',
    table: 'events',
    why: "A delivery sends the event's body as recorded, and a join avoids storing a copy for each delivery.",
  },
  {
    path: 'server/src/deliveries/',
    table: 'endpoints',
    why: 'The statement that locks and claims lanes skips endpoints that are disabled or failing.',
  },
  {
    path: 'server/src/deliveries/',
    table: 'webhooks',
    why: 'Planning and claiming read the delivery and the current URL and secrets in one snapshot.',
  },
  {
    path: 'server/src/deliveries/',
    table: 'platform_events',
    why: "As for `events`: a delivery sends the event's body as recorded.",
  },
  {
    path: 'server/src/deliveries/',
    table: 'platform_webhooks',
    why: 'As for `endpoints` and `webhooks`, which are read by the same statements.',
  },
  {
    path: 'server/src/statistics/queries.ts',
    table: 'deliveries',
    why: 'Statistics only count these rows with an index-only scan, and make no decisions based on them.',
  },
  {
    path: 'server/src/statistics/queries.ts',
    table: 'jobs',
    why: 'Statistics only count these rows with an index-only scan, and make no decisions based on them.',
  },
  ...Object.entries({
    'alert-queries': [
      'orders',
      'vendors',
      'chains',
      'outlet_statuses',
      'api_tokens',
      'clients',
      'sessions',
      'users',
      'user_vendors',
      'endpoints',
      'webhooks',
    ],
    'overview-queries': [
      'orders',
      'vendors',
      'chains',
      'outlet_statuses',
      'endpoints',
      'webhooks',
      'deliveries',
      'jobs',
    ],
    'search-queries': [
      'chains',
      'vendors',
      'orders',
      'order_search',
      'products',
      'deliveries',
      'jobs',
      'requests',
      'users',
    ],
    'timeline-queries': ['order_changes', 'events', 'deliveries', 'delivery_attempts', 'requests'],
    'checklist-queries': ['vendors', 'categories', 'users', 'api_tokens', 'clients', 'webhooks', 'products', 'orders'],
  }).flatMap(([file, owned]) =>
    owned.map((table) => ({
      path: `server/src/console/${file}.ts`,
      table,
      why: 'The console only reads, and shows the data of all features together.',
    })),
  ),
];

/** Files that contain SQL but are neither queries files nor in the kernel. A test fails if an entry is not needed. */
export const placeExceptions: { path: string; why: string }[] = [
  { path: 'server/src/start-database.ts', why: 'The database version is checked before any feature is built.' },
  {
    path: 'server/src/jobs/files.ts',
    why: 'Result files are stored by one module, so that the storage can be replaced.',
  },
];
