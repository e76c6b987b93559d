import { locks } from '../kernel/database/locks.ts';
import type { Tx } from '../kernel/database/db.ts';

/** If several processes start at once, one seeds the demo chain while the others wait. */
export async function lockDemo(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${locks.demo})`);
}
