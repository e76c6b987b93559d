/** Settings for an embedded server on a laptop that also runs other programs. Durability is not reduced. */
export const laptopSettings: Record<string, string> = {
  max_connections: '60',
  shared_buffers: '256MB',
  effective_cache_size: '2GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  huge_pages: 'off',

  // An acknowledged write survives a power failure.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  // Bulk updates write a lot of WAL, so checkpoints are rare and spread out. pglz, unlike lz4 and zstd, is always
  // compiled in.
  wal_compression: 'pglz',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  // The WAL of a bulk update is written as it grows, so that the commit of a single update has little left to write.
  wal_writer_delay: '10ms',

  // Offers and the queue change all the time, so autovacuum runs early and in small batches.
  autovacuum: 'on',
  autovacuum_naptime: '10s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  autovacuum_vacuum_insert_scale_factor: '0.1',
  autovacuum_vacuum_cost_limit: '1000',

  // Tuned for short statements on an SSD. Parallel workers would compete with Aisle for the cores, and the shared
  // memory they need is limited to 64 MB in a container.
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',

  // Messages are in English, because errors are recognized by their text.
  lc_messages: 'C',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  log_min_error_statement: 'error',
  // Logs only the message and the statement, because the details can contain values such as email addresses.
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_min_duration_statement: '-1',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  logging_collector: 'off',
};

export function asArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
