/**
 * Where the rows of a table are stored if the database is distributed over several nodes:
 *
 * - `distributed`: by chain_id, together with the other rows of the chain. Every unique key and foreign key contains
 *   chain_id, and every statement names the chain (see "Data rules" in ARCHITECTURE.md).
 * - `reference`: a copy on every node, so that distributed tables can have foreign keys to it. Rarely written.
 * - `coordinator`: on the coordinator only, but known to the nodes, so that a transaction that also writes to a node is
 *   committed in two phases, and foreign keys to reference tables work.
 * - `local`: on the coordinator only; never written together with distributed tables.
 */
export type TableClass = 'distributed' | 'reference' | 'coordinator' | 'local';

/** Every table with its class, by the feature that owns it. Sequences exist on the coordinator. */
export const tables: Record<string, Record<string, TableClass | 'sequence'>> = {
  kernel: {
    idempotency_keys: 'distributed',
    migrations: 'local',
    queue_dead: 'coordinator',
    queue_tasks: 'coordinator',
    rate_windows: 'local',
    schedules: 'coordinator',
  },
  jobs: {
    chain_storage: 'distributed',
    job_chunks: 'distributed',
    job_failures: 'distributed',
    job_feedback: 'distributed',
    job_file_parts: 'distributed',
    jobs: 'distributed',
  },
  events: {
    deleted_events: 'distributed',
    event_positions: 'sequence',
    events: 'distributed',
    feed_timeline: 'coordinator',
    platform_events: 'distributed',
    platform_feed_reads: 'local',
  },
  tallies: { tallies: 'distributed', tally_changes: 'distributed', tally_times: 'distributed' },
  identity: {
    access_tokens: 'coordinator',
    api_tokens: 'coordinator',
    chains: 'reference',
    clients: 'coordinator',
    failed_attempts: 'local',
    invitations: 'coordinator',
    platform_tokens: 'local',
    required_second_factors: 'coordinator',
    recovery_codes: 'coordinator',
    second_factors: 'coordinator',
    session_tokens: 'coordinator',
    sessions: 'coordinator',
    support_sessions: 'coordinator',
    temporary_passwords: 'coordinator',
    user_vendors: 'coordinator',
    users: 'coordinator',
    vendors: 'distributed',
  },
  requests: { dropped_requests: 'distributed', requests: 'distributed' },
  audit: { audit_entries: 'coordinator' },
  outlets: { outlet_statuses: 'distributed' },
  catalog: {
    acceptance_numbers: 'sequence',
    categories: 'distributed',
    job_changes: 'distributed',
    offer_changes: 'distributed',
    offer_counts: 'distributed',
    offer_history: 'distributed',
    offers: 'distributed',
    placed_offer_changes: 'distributed',
    preview_skus: 'distributed',
    products: 'distributed',
  },
  promotions: {
    promotion_changes: 'distributed',
    promotion_clocks: 'distributed',
    promotion_entries: 'distributed',
    promotion_offers: 'distributed',
    promotions: 'distributed',
  },
  storefront: { product_event_cursors: 'distributed' },
  files: { file_parts: 'distributed', files: 'distributed' },
  orders: {
    counted_days: 'distributed',
    order_changes: 'distributed',
    order_days: 'distributed',
    order_numbers: 'distributed',
    order_positions: 'sequence',
    order_search: 'distributed',
    orders: 'distributed',
  },
  picking: {
    picking_claims: 'distributed',
    picking_lines: 'distributed',
    picking_marks: 'distributed',
    picking_settings: 'distributed',
    pickings: 'distributed',
  },
  webhooks: { endpoints: 'distributed', platform_webhooks: 'reference', webhooks: 'distributed' },
  deliveries: { deliveries: 'distributed', delivery_attempts: 'distributed', delivery_lanes: 'distributed' },
  sandbox: { sandbox_riders: 'distributed', test_orders: 'distributed' },
  certification: { certification_scenarios: 'distributed', certifications: 'distributed' },
  console: { alerts: 'distributed' },
  sftp: { sftp_host_keys: 'local', sftp_public_keys: 'coordinator', sftp_users: 'coordinator' },
};

export const tableClasses: ReadonlyMap<string, TableClass | 'sequence'> = new Map(
  Object.values(tables).flatMap((owned) => Object.entries(owned)),
);
