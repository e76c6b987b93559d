import type { Browser } from 'playwright-core';
import { launchBrowser } from '../e2e/support/browser.ts';
import { type FilledChain, makeFilledChain } from './portal/fixture.ts';
import { type Clicks, walk } from './portal/walk.ts';
import { aisleModule, startDatabase, startProcess } from './support/processes.ts';
import { measureFirstLoads } from './portal/first-load.ts';
import { median, ms, printTable, ratio, summarize, thousands } from './support/report.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const [few, many] = (process.env['BENCH_ROWS'] ?? '600,100000').split(',').map(Number) as [number, number];

/** npm run bench portal: measures the same clicks in a real browser, alternating between a large and a small chain. */
export async function run(): Promise<void> {
  const database = await startDatabase();
  const aisle = await startProcess(aisleModule, ['all'], { DATABASE_URL: database.url, AISLE_RATE_LIMITS: 'off' });
  let browser: Browser | undefined;
  try {
    console.log(`Benchmark portal: stores with ${thousands(few)} and ${thousands(many)} products and orders …`);
    const small = await makeFilledChain(database.db, few, few);
    const large = await makeFilledChain(database.db, many, many);
    browser = await launchBrowser();
    await compare(browser, aisle.url, large, small);
    await measureFirstLoads(browser, aisle.url, rounds);
  } finally {
    await browser?.close();
    await aisle.stop();
    await database.stop();
  }
}

async function compare(browser: Browser, url: string, large: FilledChain, small: FilledChain): Promise<void> {
  const times = { large: [] as Clicks[], small: [] as Clicks[] };
  // The first walk through each chain is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    const clicks = { large: await walk(browser, url, large), small: await walk(browser, url, small) };
    if (round === 0) continue;
    times.large.push(clicks.large);
    times.small.push(clicks.small);
    console.log(`  round ${round} of ${rounds}`);
  }
  const row = (what: string, key: keyof Clicks, target: string) => {
    const of = (list: Clicks[]) => median(list.map((clicks) => clicks[key]));
    return {
      Step: what,
      [`Aisle, ${thousands(many)} rows`]: ms(of(times.large)),
      [`Baseline, ${thousands(few)} rows`]: ms(of(times.small)),
      Ratio: ratio(of(times.large), of(times.small)),
      Target: target,
    };
  };
  for (const [what, keys] of [
    ['orders', ['ordersNext', 'ordersLast', 'ordersFound']],
    ['products', ['catalogNext', 'catalogLast', 'catalogFound']],
  ] as const) {
    const of = (list: Clicks[]) => keys.map((key) => median(list.map((clicks) => clicks[key])));
    const [large, small] = [of(times.large), of(times.small)];
    summarize(
      `portal, click to rendered rows, ${thousands(many)} ${what}: next / last / search`,
      `${large.map(ms).join(' / ')} ms`,
      `${thousands(few)} ${what}: ${small.map(ms).join(' / ')} ms`,
      large.map((value, index) => ratio(value, small[index] ?? 0)).join(' / '),
      '≤ 2',
    );
  }
  printTable('Time from the click to the rendered rows (ms, median)', [
    row('home: statistics loaded', 'home', '≤ 2'),
    row('orders: first page', 'ordersOpened', '≤ 2'),
    row('orders: next page', 'ordersNext', '≤ 2'),
    row('orders: last page', 'ordersLast', '≤ 2'),
    row('orders: filter by status', 'ordersFiltered', '≤ 2'),
    row('orders: search by code', 'ordersFound', '≤ 2'),
    row('catalog: first page', 'catalogOpened', '≤ 2'),
    row('catalog: next page', 'catalogNext', '≤ 2'),
    row('catalog: last page', 'catalogLast', '≤ 2'),
    row('catalog: filter by status', 'catalogFiltered', '≤ 2'),
    row('catalog: search', 'catalogFound', '≤ 2'),
  ]);
  printTable('Scrolling through 500 catalog rows', [
    row('longest frame, ms', 'longestFrame', '≤ 2'),
    row('longest main-thread task, ms (0 means none over 50 ms)', 'longestTask', ''),
    row('rows on the page', 'rows', '1'),
  ]);
}
