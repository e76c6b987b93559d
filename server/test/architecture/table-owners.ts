/**
 * The feature that owns each table and sequence in server/schema.sql. A feature's SQL uses only its own tables. To get
 * another feature's data, it calls the functions in that feature's index.ts.
 */
export const tablesOf: Record<string, string[]> = {
  kernel: ['idempotency_keys', 'migrations', 'queue_dead', 'queue_tasks', 'rate_windows', 'schedules'],
  jobs: ['job_chunks', 'job_failures', 'job_feedback', 'job_file_parts', 'jobs'],
  events: ['event_positions', 'events'],
  tallies: ['tallies', 'tally_changes', 'tally_times'],
  identity: [
    'access_tokens',
    'api_tokens',
    'chains',
    'clients',
    'failed_attempts',
    'invitations',
    'platform_tokens',
    'required_second_factors',
    'recovery_codes',
    'second_factors',
    'session_tokens',
    'sessions',
    'temporary_passwords',
    'user_vendors',
    'users',
    'vendors',
  ],
  requests: ['dropped_requests', 'requests'],
  outlets: ['outlet_statuses'],
  catalog: [
    'acceptance_numbers',
    'categories',
    'job_changes',
    'offer_changes',
    'offer_counts',
    'offer_history',
    'offers',
    'placed_offer_changes',
    'preview_skus',
    'products',
  ],
  promotions: ['promotion_changes', 'promotion_clocks', 'promotion_entries', 'promotion_offers', 'promotions'],
  files: ['file_parts', 'files'],
  orders: ['counted_days', 'order_changes', 'order_days', 'order_numbers', 'order_search', 'orders'],
  picking: ['picking_claims', 'picking_lines', 'picking_marks', 'picking_settings', 'pickings'],
  webhooks: ['endpoints', 'webhooks'],
  deliveries: ['deliveries', 'delivery_attempts', 'delivery_lanes'],
  sandbox: ['sandbox_riders', 'test_orders'],
  certification: ['certification_scenarios', 'certifications'],
  sftp: ['sftp_host_keys', 'sftp_public_keys', 'sftp_users'],
};

/** Files or folders whose SQL deliberately uses another feature's table. A test fails if an entry is not needed. */
export const tableExceptions: { path: string; table: string; why: string }[] = [
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
    path: 'server/src/statistics/queries.ts',
    table: 'deliveries',
    why: 'Statistics only count these rows with an index-only scan, and make no decisions based on them.',
  },
  {
    path: 'server/src/statistics/queries.ts',
    table: 'jobs',
    why: 'Statistics only count these rows with an index-only scan, and make no decisions based on them.',
  },
];

/** Files that contain SQL but are neither queries files nor in the kernel. A test fails if an entry is not needed. */
export const placeExceptions: { path: string; why: string }[] = [
  { path: 'server/src/start-database.ts', why: 'The database version is checked before any feature is built.' },
  {
    path: 'server/src/jobs/files.ts',
    why: 'Result files are stored by one module, so that the storage can be replaced.',
  },
];
