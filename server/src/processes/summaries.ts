import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { CheckResult } from '../kernel/http/health.ts';
import type { MetricsReport } from './messages.ts';

export type ProcessState = 'ready' | 'starting' | 'restarting';

/**
 * The metrics of all processes together. The last known counters of a process that has exited stay in the sums;
 * otherwise a sum would decrease, which Prometheus takes for a restart of everything.
 */
export type MetricsSum = {
  /** Replaces the previous report of the process. */
  record(number: number, report: MetricsReport): void;
  /** Keeps the counters of a process that has exited. */
  retire(number: number): void;
  /** Processes that are not among these did not respond: what they reported last contains old gauges. */
  render(responded: ReadonlySet<number>): Promise<string>;
  countExit(): void;
};

export function createMetricsSum(states: () => readonly ProcessState[]): MetricsSum {
  const own = ownMetrics(states);
  const last = new Map<number, MetricsReport>();
  let retired: MetricsReport = [];
  return {
    record: (number, report) => void last.set(number, report),
    retire(number) {
      const counters = last.get(number)?.filter(isCounter) ?? [];
      last.delete(number);
      retired = aggregate([retired, counters]).getMetricsAsArray() as unknown as MetricsReport;
    },
    async render(responded) {
      const ours = await own.registry.getMetricsAsJSON();
      const reports = [...last].map(([number, report]) => (responded.has(number) ? report : report.filter(isCounter)));
      return aggregate([ours, retired, ...reports]).metrics();
    },
    countExit: () => own.exits.inc(),
  };
}

function ownMetrics(states: () => readonly ProcessState[]) {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    registers,
    name: 'aisle_processes',
    help: 'Processes that serve requests, by state.',
    labelNames: ['state'],
    collect() {
      for (const state of ['ready', 'starting', 'restarting'] as const) {
        this.set({ state }, states().filter((one) => one === state).length);
      }
    },
  });
  const exits = new Counter({
    registers,
    name: 'aisle_process_exits_total',
    help: 'Processes that exited unexpectedly.',
  });
  return { registry, exits };
}

/** prom-client declares the type as a number, but it is a string. */
function isCounter({ type }: { type: unknown }): boolean {
  return type === 'counter' || type === 'histogram';
}

function aggregate(reports: MetricsReport[]): Registry {
  return AggregatorRegistry.aggregate(reports);
}

/**
 * A check is `ok` if it is in all processes. A process that is restarting is a warning, because the others serve.
 * `silent` are the processes that did not respond.
 */
export function summarizeHealth(
  reports: ReadonlyMap<number, CheckResult[]>,
  states: ReadonlyMap<number, ProcessState>,
  silent: readonly number[],
): CheckResult[] {
  const absent = [...states].filter(([, state]) => state !== 'ready');
  const rows = [...reports].flatMap(([number, results]) => results.map((result) => ({ number, ...result })));
  const byName = Map.groupBy(rows, ({ name }) => name);
  return [
    ...[...byName].map(([name, results]) => ({
      name,
      isWarning: results[0]?.isWarning ?? false,
      result: mergeResults(results),
    })),
    {
      name: 'processes',
      isWarning: false,
      result: silent.map((number) => `process ${number} does not respond`).join('; ') || 'ok',
    },
    {
      name: 'processes',
      isWarning: true,
      result: absent.map(([number, state]) => `process ${number} is ${state}`).join('; ') || 'ok',
    },
  ];
}

/** The process is named unless all of them have the same problem. */
function mergeResults(results: { number: number; result: string }[]): string {
  const problems = results.filter(({ result }) => result !== 'ok');
  const distinct = new Set(results.map(({ result }) => result));
  if (problems.length === 0) return 'ok';
  if (distinct.size === 1) return problems[0]?.result ?? 'ok';
  return problems.map(({ number, result }) => `process ${number}: ${result}`).join('; ');
}
