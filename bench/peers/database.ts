import pg from 'pg';
import { startEmbeddedPostgres } from '../../server/src/embedded/index.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../tools/temporary-folder.ts';
import { atEnd } from './cleanup.ts';

/** Starts a PostgreSQL server for one program, with the same binaries and settings as Aisle's. Returns its URL. */
export async function startPostgres(name: string): Promise<string> {
  console.log(`  starting PostgreSQL for ${name} …`);
  const folder = makeTemporaryFolder('bench');
  atEnd(async () => removeTemporaryFolder(folder));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  atEnd(() => postgres.stop());
  return postgres.url;
}

/** Updates the planner's statistics, as they are in a shop that has existed for a minute. */
export async function analyze(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('analyze');
  } finally {
    await client.end();
  }
}
