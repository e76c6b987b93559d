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
