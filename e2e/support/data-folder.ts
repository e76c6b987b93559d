import { chmodSync, constants, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Fills a new data folder with a migrated database, which `tools/test.ts` has prepared, so that not every test has to
 * create and migrate one. Does nothing outside of a test run.
 */
export function fillDataFolder(dataDir: string): void {
  const { AISLE_TEST_DATA: prepared } = process.env;
  if (prepared === undefined) return;
  mkdirSync(dataDir, { recursive: true });
  const copy = join(dataDir, 'postgres');
  cpSync(join(prepared, 'postgres'), copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  // PostgreSQL does not start if others have access to the folder.
  chmodSync(copy, 0o700);
}
