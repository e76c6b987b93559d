import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, and the way to get rid of it with all that has been put into it. */
export function makeFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-e2e-'));
  // As it would be for data in a usual place: enterable for the user that PostgreSQL runs as.
  chmodSync(folder, 0o755);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
