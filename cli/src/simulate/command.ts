import { randomInt } from 'node:crypto';
import { defineCommand } from '../command.ts';
import { findPlatform } from '../config/connection.ts';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { count } from '../terminal/text.ts';
import { startDisplay } from './dashboard.ts';
import { createMonitor } from './monitor.ts';
import { countPickers, countPlanned, maxSeed, type SimulateOptions, simulateOptions } from './options.ts';
import { createPickers } from './pickers.ts';
import { buildReport, reportText } from './report.ts';
import { runSimulation } from './run.ts';

export const simulateCommand = defineCommand<SimulateOptions>({
  name: 'simulate',
  summary: 'Run a whole marketplace: a load test, a demo and a sandbox',
  details:
    'Creates chains and stores, and runs a day in them: customers order by a daily curve, pickers fulfil the orders with replacements, weights and mistakes, riders collect them, prices change, stores close, and webhook receivers on this computer fail for a while. In the end, it checks that every order, unit of stock and event adds up; the exit code is 8 if something does not. The same seed gives the same day. Needs a platform token (--demo has one), leaves its chains on the server, and is not for production. For a load test, start the server with AISLE_RATE_LIMITS=off. Ctrl-C ends the day early and checks it.',
  options: simulateOptions,
  examples: [
    'simulate --demo',
    'simulate --demo --stores 5 --orders-per-minute 60 --pickers 2',
    'simulate --seed 7 --orders-per-minute 3000 --duration 60s',
    'simulate --profile night --duration 10m --json',
  ],
  async run(context, options) {
    const { terminal } = context;
    const planned = countPlanned(options);
    const platform = findPlatform(terminal, context.options);
    const seed = options.seed ?? randomInt(maxSeed);
    const pickerCount = countPickers(options);
    const pickers = createPickers(pickerCount);
    const monitor = createMonitor({ planned, durationMs: options.duration, pickerCount, pickers });
    const title = `Seed ${seed}, ${options.profile}, ${count(options.stores, 'store')}, ${options.ordersPerMinute.toLocaleString('en')} orders per minute`;
    if (!terminal.stdout.isTTY) context.note(`${title} at ${platform.url}`);
    const display = startDisplay(context, monitor, title);
    const { signal } = terminal;
    const run = { platform, options, seed, planned, pickers, monitor, signal };
    const outcome = await runSimulation(run).finally(display.end);
    const orderedMs = monitor.orderedMs();
    const isInterrupted = signal.aborted;
    const report = buildReport(options, { seed, planned, pickerCount, isInterrupted, orderedMs }, monitor, outcome);
    context.show(report, () => reportText(context, report, monitor.history));
    if (report.violations.length === 0) return;
    throw new CliError(`${count(report.violations.length, 'violation')} found.`, {
      exitCode: exitCodes.violations,
      hint: `The same day again: aisle simulate --seed ${seed} with the same options.`,
    });
  },
});
