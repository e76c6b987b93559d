import { type Database } from '../server/src/kernel/database/db.ts';

/** Returns how many statements per second Aisle's database driver runs, 16 at a time. */
export async function runBareSql(db: Database, chainId: string, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const loop = async () => {
    while (performance.now() < until) {
      await db.query(
        `select *, count(*) over ()::int as total from vendors
         where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))
         order by vendor_id limit $3 offset $4`,
        [chainId, null, 20, 0],
      );
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, loop));
  return count / seconds;
}
