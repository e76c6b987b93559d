/** Files of tests that only make sense if the database is one PostgreSQL server, each with the reason. */
export const oneNodeTests: Record<string, string> = {
  'server/test/backup.test.ts': 'Backups are made of the embedded PostgreSQL.',
  'server/test/cluster.test.ts': 'Checks what the commands say on a PostgreSQL without Citus.',
  'server/test/upgrades.test.ts': 'Loads dumps of databases that older versions created on one server.',
};
