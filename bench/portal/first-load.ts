import type { Browser } from 'playwright-core';
import { median, ms, printTable, ratio, type Row, summarize } from '../support/report.ts';

type Load = { interactive: number; kilobytes: number };

/** How much slower than this machine the processor is made. */
const slowdown = 4;

/**
 * Measures the first visit to a page, with an empty cache: the time until its first field can be used, that is, until
 * the field is shown and the last task of more than 50 ms before a quiet second has ended.
 */
export async function measureFirstLoads(browser: Browser, url: string, rounds: number): Promise<void> {
  const rows: Row[] = [];
  for (const [what, path, limit] of [
    ['portal, sign-in page', '/portal', 200],
    ['picking app', '/pick', 150],
  ] as const) {
    const loads = { slow: [] as Load[], fast: [] as Load[] };
    for (let round = 0; round < rounds; round++) {
      loads.fast.push(await visit(browser, url + path, 1));
      loads.slow.push(await visit(browser, url + path, slowdown));
    }
    const of = (list: Load[]) => median(list.map(({ interactive }) => interactive));
    const kilobytes = Math.max(...loads.fast.map((load) => load.kilobytes));
    rows.push({
      Page: what,
      [`Interactive, processor ${slowdown} × slower (ms)`]: ms(of(loads.slow)),
      'Baseline, full speed (ms)': ms(of(loads.fast)),
      Ratio: ratio(of(loads.slow), of(loads.fast)),
      'Transferred (kB)': kilobytes.toFixed(0),
      'Target (kB)': `< ${limit}`,
    });
    summarize(
      `first visit to the ${what} until it is interactive, processor ${slowdown} × slower`,
      `${(of(loads.slow) / 1000).toFixed(2)} s, ${kilobytes.toFixed(0)} kB`,
      `full speed: ${(of(loads.fast) / 1000).toFixed(2)} s`,
      ratio(of(loads.slow), of(loads.fast)),
      `< ${limit} kB`,
    );
  }
  printTable(`First visit, median of ${rounds} rounds`, rows);
}

async function visit(browser: Browser, address: string, rate: number): Promise<Load> {
  // The Content Security Policy forbids what waitForFunction evaluates.
  const options = { viewport: { width: 390, height: 844 }, serviceWorkers: 'block', bypassCSP: true } as const;
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate });
    let bytes = 0;
    await devtools.send('Network.enable');
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.addInitScript(observe);
    await page.goto(address);
    await page.waitForFunction('window.interactiveAt() !== undefined', undefined, { polling: 200, timeout: 60_000 });
    return { interactive: await page.evaluate<number>('window.interactiveAt()'), kilobytes: bytes / 1000 };
  } finally {
    await context.close();
  }
}

/** Runs in the page, before its own scripts. */
const observe = `{
  let shownAt;
  let busyUntil = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) busyUntil = Math.max(busyUntil, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('input')) shownAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.interactiveAt = () => {
    const since = Math.max(shownAt ?? Infinity, busyUntil);
    return performance.now() - since > 1000 ? since : undefined;
  };
}`;
