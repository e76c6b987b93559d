import { type Operation, type Part, simulate } from './simulate.ts';

/** Milliseconds of processor time per operation. `bulk` is for 1,000 items. */
export type Costs = Record<OperationName, Record<Part, number>>;
export type OperationName = 'order' | 'list' | 'update' | 'bulk';

/** What one store does in the busiest hour of the day. Replace the numbers with your own. */
export const storePerHour: Record<OperationName, number> = {
  // 250 orders a day, 12% of them in this hour.
  order: 30,
  // Ten pages of products or orders for each order.
  list: 300,
  // Three single changes of a price or a stock level for each order.
  update: 90,
  // 5,000 items, sent in bulk.
  bulk: 5,
};

export type Plan = { stores: number; cores: Record<Part, number>; utilization: Record<string, number>; p99: number };

/** The part of the cores that is used in the busiest hour, so that a failed machine or a peak does not matter. */
export const targetUtilization = 0.6;

export function operationsFor(stores: number, costs: Costs): Operation[] {
  const names = Object.keys(storePerHour) as OperationName[];
  return names.map((name) => ({
    name,
    perSecond: (stores * storePerHour[name]) / 3600,
    visits: visitsOf(costs[name]),
  }));
}

/** The API works before and after PostgreSQL. The worker's part, with its own statements, follows after the response. */
export function visitsOf({ api, worker, postgres }: Record<Part, number>): Operation['visits'] {
  const share = worker === 0 ? 1 : 0.6;
  return [
    { part: 'api', ms: api / 2 },
    { part: 'postgres', ms: postgres * share },
    { part: 'api', ms: api / 2, isLast: true },
    ...(worker === 0
      ? []
      : [
          { part: 'worker', ms: worker },
          { part: 'postgres', ms: postgres * (1 - share) },
        ]),
  ];
}

export function planFor(stores: number, costs: Costs): Plan {
  const operations = operationsFor(stores, costs);
  const needed = (part: Part) =>
    operations.reduce((sum, { name, perSecond }) => sum + (perSecond * costs[name as OperationName][part]) / 1000, 0);
  const coresOf = (part: Part) => Math.max(1, Math.ceil(needed(part) / targetUtilization));
  const cores = { api: coresOf('api'), worker: coresOf('worker'), postgres: coresOf('postgres') };
  const { utilization, latencies } = simulate(operations, cores, stores > 10_000 ? 30 : 120);
  const order = latencies['order'] ?? [];
  return { stores, cores, utilization, p99: order[Math.floor(order.length * 0.99)] ?? 0 };
}
