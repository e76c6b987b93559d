import { type Access, getVendor, listAllVendors, type VendorRow } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { invalid } from '../kernel/failures/failure.ts';
import { type StoreSums, sumOrders } from '../orders/index.ts';
import { checkPeriod, type Period, periodIn, type PeriodQuery } from './rules/periods.ts';
import { storeNumbers } from './rules/store-numbers.ts';

type StoreQuery = PeriodQuery & { vendor_id?: string };
type Context = { readableDays: number; now: Date };

/** The numbers of every store that the caller can access, and of all of them together. */
export async function compareStores(db: Db, access: Access, query: StoreQuery, context: Context) {
  const error = checkPeriod(query);
  if (error) throw invalid([error]);
  const vendors = await listStores(db, access, query.vendor_id);
  const periods = periodsByZone(vendors, query, context);
  const stores = vendors.map((vendor) => ({ vendor, ...getPeriod(periods, zoneOf(vendor, query)) }));
  const sums = await sumOrders(
    db,
    access.chainId,
    stores.map(({ vendor, from, to }) => ({ vendorId: vendor.vendor_id, from, to })),
  );
  const sumsOf = Map.groupBy(sums, (row) => row.vendor_id);
  return {
    stores: stores.map(({ vendor, firstDay, lastDay, from, to }) => ({
      vendor_id: vendor.vendor_id,
      external_id: vendor.external_id,
      name: vendor.name,
      timezone: zoneOf(vendor, query),
      first_day: firstDay,
      last_day: lastDay,
      from: from.toISOString(),
      to: to.toISOString(),
      ...storeNumbers(sumsOf.get(vendor.vendor_id) ?? []),
    })),
    totals: totalsOf(stores, sums),
  };
}

async function listStores(db: Db, { chainId, actor }: Access, id: string | undefined): Promise<VendorRow[]> {
  if (id !== undefined) return [await getVendor(db, chainId, actor, id)];
  const vendors = await listAllVendors(db, chainId);
  return vendors.filter(({ vendor_id }) => actor.vendorIds === null || actor.vendorIds.includes(vendor_id));
}

function zoneOf(vendor: VendorRow, { timezone }: StoreQuery): string {
  return timezone ?? vendor.timezone;
}

/** Stores share few time zones, so that the periods are worked out once for each zone. */
function periodsByZone(vendors: VendorRow[], query: StoreQuery, { readableDays, now }: Context): Map<string, Period> {
  const zones = new Set(vendors.map((vendor) => zoneOf(vendor, query)));
  return new Map(
    Array.from(zones, (zone) => {
      const period = periodIn(query, zone, readableDays, now);
      if ('message' in period) throw invalid([period]);
      return [zone, period];
    }),
  );
}

function getPeriod(periods: Map<string, Period>, zone: string): Period {
  const period = periods.get(zone);
  if (!period) throw new Error(`There is no period for ${zone}.`);
  return period;
}

function totalsOf(stores: readonly Period[], sums: readonly StoreSums[]) {
  const shared = (pick: (store: Period) => Date) => {
    const times = new Set(stores.map((store) => pick(store).toISOString()));
    return times.size === 1 ? ([...times][0] ?? null) : null;
  };
  return { from: shared(({ from }) => from), to: shared(({ to }) => to), ...storeNumbers(sums) };
}
