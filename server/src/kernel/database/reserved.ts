import type pg from 'pg';
import type { DatabaseOptions } from './database.ts';
import { isConnectionLoss } from './errors.ts';
import { openPool } from './pool.ts';
import { createLocator, type Locator } from './servers.ts';
import { runOnPool, type Wire } from './statement.ts';
import type { Db } from './tx.ts';

/** Beyond `connections`, see `Database.reserved`. */
export const reservedConnections = 2;
/** While PostgreSQL cannot be reached directly, statements do not wait for it each time. */
const avoidMs = 5000;

/** Opens the connections of `Database.reserved`. Its statements only read, so they can be executed again. */
export function openReserved(
  options: DatabaseOptions,
  open: Set<pg.PoolClient>,
  locator: Locator,
  wire: Wire,
): { reserved: Db; pools: pg.Pool[]; locators: Locator[] } {
  const { directUrl } = options;
  const pool = openPool(options, reservedConnections, open, locator);
  const locators = [locator];
  if (!directUrl) {
    return { reserved: { query: (...statement) => runOnPool(pool, wire, ...statement) }, pools: [pool], locators };
  }
  const directLocator = createLocator(directUrl);
  locators.push(directLocator);
  const direct = openPool({ ...options, isPooled: false }, reservedConnections, open, directLocator);
  const directWire = { ...wire, isPooled: false, settings: undefined };
  let avoidedUntil = 0;
  return {
    reserved: {
      async query(...statement) {
        if (performance.now() < avoidedUntil) return runOnPool(pool, wire, ...statement);
        try {
          return await runOnPool(direct, directWire, ...statement);
        } catch (error) {
          if (!isConnectionLoss(error)) throw error;
          avoidedUntil = performance.now() + avoidMs;
          return runOnPool(pool, wire, ...statement);
        }
      },
    },
    pools: [pool, direct],
    locators,
  };
}
