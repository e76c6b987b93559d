import { locks } from '../kernel/database/locks.ts';
import type { Tx } from '../kernel/database/db.ts';

/** Of several processes that start at once, one fills the demo chain while the others wait. */
export async function lockDemo(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${locks.demo})`);
}
