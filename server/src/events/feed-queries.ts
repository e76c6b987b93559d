import type { Db } from '../kernel/database/db.ts';

/** Whether the chain has more events after the position than can be read in a few milliseconds. */
export async function isFarBehind(db: Db, chainId: string, after: string): Promise<boolean> {
  const rows = await db.query('select 1 from events where chain_id = $1 and position > $2 offset $3 limit 1', [
    chainId,
    after,
    maxNear,
  ]);
  return rows.length > 0;
}

const maxNear = 5000;
