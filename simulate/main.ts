import { parseArgs } from 'node:util';
import { describeFault } from './fault-plan.ts';
import { describeHistory } from '../cli/src/simulate/world/history.ts';
import { type Plant, plants } from './plant.ts';
import { type Report, simulate } from './run.ts';

/**
 * npm run simulate -- [--seed N] [--minutes M] [--plant BUG]: runs Aisle with real processes under faults and checks
 * that nothing is lost, repeated or mixed up. See docs/how-to/simulate.md.
 */
const maxShown = 10;
const options = readOptions();
const command = `npm run simulate -- --seed ${options.seed} --minutes ${options.minutes}${options.plant ? ` --plant ${options.plant}` : ''}`;
console.log(`Seed ${options.seed}, ${options.minutes} minutes. Replay with: ${command}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const { seed, minutes, plant } = options;
const report = await simulate({
  seed,
  seconds: minutes * 60,
  minOrders: 20,
  ...(plant && { plant }),
  onProgress: console.log,
});
printReport(report);
process.exit(report.violations.length === 0 ? 0 : 1);

function readOptions(): { seed: number; minutes: number; plant: Plant | undefined } {
  try {
    const { values } = parseArgs({
      options: { seed: { type: 'string' }, minutes: { type: 'string' }, plant: { type: 'string' } },
    });
    return checkOptions(values);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}.`);
    console.error('Usage: npm run simulate -- [--seed N] [--minutes M] [--plant BUG]');
    return process.exit(2);
  }
}

function checkOptions(values: { seed?: string; minutes?: string; plant?: string }) {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
  const minutes = Number(values.minutes ?? 1);
  const plant = plants.find((name) => name === values.plant);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed must be a non-negative integer');
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error('--minutes must be greater than 0 and at most 1440');
  if (values.plant !== undefined && !plant) throw new Error(`--plant must be one of ${plants.join(', ')}`);
  return { seed, minutes, plant };
}

function printReport({ history, violations, orders, events, faults, folder }: Report): void {
  const responses = [...history.responses].toSorted((one, other) => other[1] - one[1]);
  console.log(`Responses: ${responses.map(([name, count]) => `${name}: ${count}`).join(', ')}`);
  const kinds = Map.groupBy(faults, ({ kind }) => kind);
  console.log(`Faults: ${[...kinds].map(([kind, each]) => `${kind}: ${each.length}`).join(', ')}`);
  console.log(
    `${orders} orders, ${history.operations.length} writes, ${events} events, ${history.arrivals.length} messages received, ${faults.length} faults, ${violations.length} violations`,
  );
  if (violations.length === 0) return;
  console.log(`Violations (the first ${maxShown} of each rule):`);
  for (const [rule, found] of Map.groupBy(violations, (violation) => violation.rule)) {
    console.log(`\n✖ ${rule}: ${found.length}`);
    for (const { message, subject, details = [] } of found.slice(0, maxShown)) {
      console.log(`  ${message}`);
      const lines = subject === undefined ? [] : describeHistory(history, subject);
      for (const line of [...details, ...lines]) console.log(`    ${line}`);
    }
  }
  console.log(`\nFaults:\n${faults.map((fault) => `  ${describeFault(fault)}`).join('\n')}`);
  console.log(`\nThe logs of the processes are in ${folder}/logs.\nReplay with: ${command}`);
}
