import type { statisticsRoutes } from '@aisle/contract/statistics';
import type { Config } from '../config.ts';
import { type Access, getVendor } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { invalid } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { parseTime } from '../kernel/values/time.ts';
import { sumTallies, sumTimes, type TallyScope } from '../tallies/index.ts';
import { pingType } from '../deliveries/index.ts';
import { countJobs, countOpenDeliveries } from './queries.ts';
import { jobStatistics, listDays, orderStatistics, webhookStatistics, alignToQuarterHours } from './rules/days.ts';

const dayMs = 86_400_000;

export function statisticsHandlers(config: Config): Handlers<typeof statisticsRoutes, Access> {
  return {
    async getStatistics({ db, access, query }) {
      const scope = { ...(await reachOf(db, access, query.vendor_id)), ...rangeOf(query, config.limits.readableDays) };
      const { chainId } = access;
      const [tallies, times, open, jobs] = await Promise.all([
        sumTallies(db, chainId, scope),
        sumTimes(db, chainId, scope),
        countOpenDeliveries(db, chainId, scope, pingType),
        countJobs(db, chainId, scope),
      ]);
      const days = listDays(scope.from, scope.to, scope.timezone);
      return {
        status: 200,
        body: {
          from: scope.from.toISOString(),
          to: scope.to.toISOString(),
          timezone: scope.timezone,
          orders: orderStatistics(days, tallies),
          webhooks: webhookStatistics(days, tallies, times, open),
          jobs: jobStatistics(days, jobs),
        },
      };
    },
  };
}

async function reachOf(
  db: Db,
  { chainId, actor }: Access,
  id: string | undefined,
): Promise<Pick<TallyScope, 'vendorIds' | 'timezone'>> {
  if (id === undefined) return { vendorIds: actor.vendorIds, timezone: 'UTC' };
  const vendor = await getVendor(db, chainId, actor, id);
  return { vendorIds: [vendor.vendor_id], timezone: vendor.timezone };
}

function rangeOf(query: { from?: string; to?: string }, maxDays: number): Pick<TallyScope, 'from' | 'to'> {
  const time = (text: string | undefined) => (text === undefined ? undefined : (parseTime(text) ?? undefined));
  const to = time(query.to) ?? new Date();
  const from = time(query.from) ?? new Date(to.getTime() - 13 * dayMs);
  const outOfRange = (message: string) => invalid([{ pointer: 'from', code: 'out_of_range', message }]);
  if (to.getTime() > Date.now() + maxDays * dayMs) {
    throw invalid([{ pointer: 'to', code: 'out_of_range', message: `must be at most ${maxDays} days in the future` }]);
  }
  if (from > to) throw outOfRange('must not be after to');
  if (to.getTime() - from.getTime() > maxDays * dayMs) throw outOfRange(`must be at most ${maxDays} days before to`);
  return alignToQuarterHours({ from, to });
}
