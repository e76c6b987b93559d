/**
 * The feature that owns each table and sequence of server/schema.sql. The SQL of a feature uses only its own tables;
 * it gets another feature's data by calling the functions in that feature's index.ts.
 */
export const tablesOf: Record<string, string[]> = {
  kernel: ['idempotency_keys', 'migrations', 'queue_dead', 'queue_tasks', 'rate_windows', 'schedules'],
  jobs: ['job_chunks', 'job_feedback', 'job_file_parts', 'jobs'],
  events: ['event_positions', 'events'],
  tallies: ['tallies', 'tally_changes', 'tally_times'],
  identity: ['access_tokens', 'api_tokens', 'chains', 'clients', 'platform_tokens', 'sessions', 'users', 'vendors'],
  requests: ['dropped_requests', 'requests'],
  outlets: ['outlet_statuses'],
  catalog: ['acceptance_numbers', 'categories', 'offer_changes', 'offers', 'placed_offer_changes', 'products'],
  promotions: ['promotion_entries', 'promotion_offers', 'promotions'],
  orders: ['order_changes', 'orders'],
  webhooks: ['endpoints', 'webhooks'],
  deliveries: ['deliveries', 'delivery_attempts', 'delivery_lanes'],
  sandbox: ['sandbox_riders', 'test_orders'],
};

/** Files or folders whose SQL deliberately uses another feature's table. An exception that is not needed is an error. */
export const tableExceptions: { path: string; table: string; why: string }[] = [
  {
    path: 'server/src/promotions/apply-queries.ts',
    table: 'offers',
    why: 'A slice checks ten thousand discounts against the prices of a vendor; a join makes that fast.',
  },
  {
    path: 'server/src/promotions/apply-queries.ts',
    table: 'products',
    why: 'A slice checks in the same join that the products of a bundle are not sold by weight.',
  },
  {
    path: 'server/src/promotions/running-queries.ts',
    table: 'vendors',
    why: 'A page of products gets the currency of its vendor in the same statement: one query fewer on the busiest read.',
  },
  {
    path: 'server/src/deliveries/',
    table: 'events',
    why: 'A delivery sends the body of its event as it was recorded; a join reads it without a second copy per delivery.',
  },
  {
    path: 'server/src/deliveries/',
    table: 'endpoints',
    why: 'Claiming skips endpoints that are disabled or failing, in the statement that locks the lanes.',
  },
  {
    path: 'server/src/deliveries/',
    table: 'webhooks',
    why: 'Planning and claiming read the current URL and secrets with the delivery, in one snapshot.',
  },
  {
    path: 'server/src/statistics/queries.ts',
    table: 'deliveries',
    why: 'Statistics only count the rows of other features with an index-only scan, and make no decisions with them.',
  },
  {
    path: 'server/src/statistics/queries.ts',
    table: 'jobs',
    why: 'Statistics only count the rows of other features with an index-only scan, and make no decisions with them.',
  },
];

/** Files with SQL that are neither queries nor part of the kernel. An exception that is not needed is an error. */
export const placeExceptions: { path: string; why: string }[] = [
  { path: 'server/src/app.ts', why: 'The health check runs a trivial query to see whether the database responds.' },
  { path: 'server/src/program.ts', why: 'The version of the database is checked before any feature exists.' },
  {
    path: 'server/src/jobs/files.ts',
    why: 'The storage of result files is in one module, so that it can be replaced.',
  },
];
