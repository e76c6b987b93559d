import type { storeStatisticsRoutes } from '@aisle/contract/store-statistics';
import type { Config } from '../config.ts';
import type { Access } from '../identity/index.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { compareStores } from './compare-stores.ts';

export function storeStatisticsHandlers(config: Config): Handlers<typeof storeStatisticsRoutes, Access> {
  return {
    async getStoreStatistics({ db, access, query }) {
      const { readableDays } = config.limits;
      const context = { readableDays, now: new Date() };
      return { status: 200, body: await db.runSlow(access.chainId, () => compareStores(db, access, query, context)) };
    },
  };
}
