import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { FilledChain } from './fixture.ts';

/** Durations in ms, and metrics for scroll smoothness. */
export type Clicks = {
  home: number;
  ordersOpened: number;
  ordersNext: number;
  ordersLast: number;
  ordersFiltered: number;
  ordersFound: number;
  catalogOpened: number;
  catalogNext: number;
  catalogLast: number;
  catalogFiltered: number;
  catalogFound: number;
  longestFrame: number;
  longestTask: number;
  rows: number;
};

/** The debounce delay of the search field. It is subtracted from the measured times. */
const debounceMs = 250;

/** Performs the same steps for every chain, in a new browser context. */
export async function walk(browser: Browser, url: string, chain: FilledChain): Promise<Clicks> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: url });
  try {
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await signIn(page, chain);
    await goTo(page, '/portal/integration/tokens', 'main h1');
    const home = await inPage<number>(page, 'open', '/portal', 'main [role="img"]', 'main [class*="Skeleton-root"]');
    return { home, ...(await walkOrders(page)), ...(await walkCatalog(page)) };
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, { email, password }: FilledChain): Promise<void> {
  await page.goto('/portal/integration/tokens');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

async function walkOrders(page: Page) {
  const orders = list(page, '/portal/orders', 'Orders');
  const ordersOpened = await orders.open();
  const ordersNext = await orders.goToPage('next');
  const ordersLast = await orders.goToPage('last');
  const code = await orders.firstCode();
  await orders.goToPage('first');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Cancelled' }).waitFor();
  const ordersFiltered = await orders.click('[role="option"][value="CANCELLED"]');
  await orders.reload();
  const ordersFound = await orders.search(code);
  return { ordersOpened, ordersNext, ordersLast, ordersFiltered, ordersFound };
}

async function walkCatalog(page: Page) {
  const products = list(page, '/portal/catalog', 'Products');
  const catalogOpened = await products.open();
  const catalogNext = await products.goToPage('next');
  const catalogLast = await products.goToPage('last');
  await products.reload();
  const catalogFiltered = await products.click('[aria-label="Product status"] input[value="false"]');
  await products.reload();
  const catalogFound = await products.search('milk');
  await products.reload('?rows=500');
  const scrolled = await inPage<Pick<Clicks, 'longestFrame' | 'longestTask' | 'rows'>>(page, 'scroll');
  return { catalogOpened, catalogNext, catalogLast, catalogFiltered, catalogFound, ...scrolled };
}

function list(page: Page, path: string, label: string) {
  const table = `table[aria-label="${label}"]`;
  const row = `${table} tbody tr:first-child`;
  return {
    open: () => inPage<number>(page, 'open', path, `${table}[aria-busy="false"] tbody tr`, '[aria-busy="true"]'),
    click: (selector: string) => inPage<number>(page, 'click', row, selector),
    goToPage: (which: 'first' | 'next' | 'last') => inPage<number>(page, 'goToPage', row, which),
    search: async (term: string) => (await inPage<number>(page, 'search', row, term)) - debounceMs,
    firstCode: () => page.locator(`${row} .mono`).first().innerText(),
    async reload(search = '') {
      await goTo(page, path + search, `${table}[aria-busy="false"] ${row.slice(table.length)}`);
    },
  };
}

const inPageScript = readFileSync(new URL('in-page.js', import.meta.url), 'utf8');

/** Loads the page and waits for one of its elements. */
async function goTo(page: Page, path: string, part: string): Promise<void> {
  await page.goto(path);
  await page.locator(part).first().waitFor();
  await page.evaluate(inPageScript);
}

/** Calls a function defined in in-page.js. */
function inPage<Result>(page: Page, name: string, ...values: string[]): Promise<Result> {
  return page.evaluate(`bench.${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`);
}
