import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem, type System, type Used } from './capacity/measure.ts';
import { type Costs, type OperationName, planFor, targetUtilization, visitsOf } from './capacity/plan.ts';
import { simulate } from './capacity/simulate.ts';
import { ms, percentile, printTable, thousands } from './support/report.ts';

const parts = ['api', 'worker', 'postgres'] as const;
const counts: Record<OperationName, number> = { order: 800, list: 1500, update: 1500, bulk: 80 };

/**
 * npm run bench capacity: measures the processor time of each operation, checks the model with a mixed load on this
 * machine, and prints how many cores 1,000, 10,000 and 100,000 stores need. See docs/guides/scaling.md.
 */
export async function run(): Promise<void> {
  const system = await startSystem();
  try {
    const costs = await measureCosts(system);
    printTable('Processor time per operation (ms)', rowsOf(costs));
    await checkModel(system, costs);
    printTable(
      `Cores for the busiest hour, ${targetUtilization * 100}% used`,
      [1000, 10_000, 100_000].map((stores) => {
        const { cores, p99 } = planFor(stores, costs);
        return {
          Stores: thousands(stores),
          API: cores.api,
          Worker: cores.worker,
          PostgreSQL: cores.postgres,
          'Order p99 (ms)': ms(p99),
        };
      }),
    );
  } finally {
    await system.stop();
  }
}

async function measureCosts(system: System): Promise<Costs> {
  const costs: Partial<Costs> = {};
  for (const [name, count] of Object.entries(counts) as [OperationName, number][]) {
    await repeat(system, name, Math.ceil(count / 5));
    await system.settle();
    const before = system.used();
    await repeat(system, name, count);
    await system.settle();
    const used = difference(system.used(), before);
    costs[name] = { api: used.api / count, worker: used.worker / count, postgres: used.postgres / count };
    console.log(`  ${name}: ${parts.map((part) => `${part} ${ms(costs[name]?.[part] ?? 0)}`).join(', ')} ms`);
  }
  // What a worker does for reads and single updates is its polling and housekeeping.
  return { ...(costs as Costs), list: withoutWorker(costs.list), update: withoutWorker(costs.update) };
}

function withoutWorker(cost: Used | undefined): Used {
  return { api: cost?.api ?? 0, worker: 0, postgres: cost?.postgres ?? 0 };
}

/** Sends all operations at a rate that uses about 40% of this machine, and compares with what the model expects. */
async function checkModel(system: System, costs: Costs): Promise<void> {
  const seconds = 20;
  const names = Object.keys(costs) as OperationName[];
  const mix: Record<OperationName, number> = { order: 1, list: 10, update: 3, bulk: 0.17 };
  const total = (name: OperationName) => parts.reduce((sum, part) => sum + costs[name][part], 0);
  const perSecond = (0.4 * cpus().length * 1000) / names.reduce((sum, name) => sum + mix[name] * total(name), 0);
  const operations = names.map((name) => ({
    name,
    perSecond: perSecond * mix[name],
    visits: visitsOf(costs[name]).map((visit) => ({ ...visit, part: 'machine' })),
  }));
  const expected = simulate(operations, { machine: cpus().length }, 600);
  await system.settle();
  const before = system.used();
  const measured = await sendAtRate(system, operations, seconds);
  await system.settle();
  const used = difference(system.used(), before);
  printTable(
    `The model and a run of ${seconds} s with ${thousands(perSecond)} orders/s (load of the machine ${loadavg()[0]?.toFixed(1)})`,
    parts.map((part) => {
      const model = names.reduce((sum, name) => sum + (measured[name]?.length ?? 0) * costs[name][part], 0);
      return {
        Part: part,
        'Model (s)': ms(model / 1000),
        'Measured (s)': ms(used[part] / 1000),
        Ratio: ms(used[part] / model),
      };
    }),
  );
  printTable(
    'Time until the response (ms)',
    names.map((name) => ({
      Operation: name,
      'Model p50 / p99': `${ms(percentile(expected.latencies[name] ?? [], 0.5))} / ${ms(percentile(expected.latencies[name] ?? [], 0.99))}`,
      'Measured p50 / p99': `${ms(percentile(measured[name] ?? [], 0.5))} / ${ms(percentile(measured[name] ?? [], 0.99))}`,
    })),
  );
}

/** Sends operations at random times, whether or not earlier ones have a response. */
async function sendAtRate(
  system: System,
  operations: readonly { name: OperationName; perSecond: number }[],
  seconds: number,
) {
  const latencies: Record<string, number[]> = {};
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    operations.map(async ({ name, perSecond }) => {
      const times = (latencies[name] = [] as number[]);
      const open: Promise<void>[] = [];
      for (let next = performance.now(); next < until; next += (-Math.log(1 - Math.random()) * 1000) / perSecond) {
        await sleep(Math.max(0, next - performance.now()));
        const started = next;
        open.push(system.run[name]().then(() => void times.push(performance.now() - started)));
      }
      await Promise.all(open);
    }),
  );
  return latencies;
}

async function repeat(system: System, name: OperationName, count: number): Promise<void> {
  let left = count;
  const work = async () => {
    while (left-- > 0) await system.run[name]();
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

function difference(after: Used, before: Used): Used {
  return {
    api: after.api - before.api,
    worker: after.worker - before.worker,
    postgres: after.postgres - before.postgres,
  };
}

function rowsOf(costs: Costs) {
  return Object.entries(costs).map(([name, cost]) => ({
    Operation: name,
    API: ms(cost.api),
    Worker: ms(cost.worker),
    PostgreSQL: ms(cost.postgres),
  }));
}
