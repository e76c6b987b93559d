import type pg from 'pg';

/** Planning again takes time, so the connections take turns. */
const betweenMs = 250;

/** Returns a function after which each connection of the pool discards its plans once, before it is used again. */
export function renewPlans(pool: pg.Pool): () => void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const discarded = new WeakMap<pg.PoolClient, number>();
  let version = 0;
  let nextAt = 0;
  const renewed = async () => {
    const client = await connect();
    if (discarded.get(client) === version || performance.now() < nextAt) return client;
    discarded.set(client, version);
    nextAt = performance.now() + betweenMs;
    // If the connection is lost, the next statement fails too.
    await client.query('discard plans').catch(() => {});
    return client;
  };
  return () => {
    version += 1;
    pool.connect = renewed as typeof pool.connect;
  };
}
