import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { pages } from '../../server/src/docs/pages.ts';
import { assertAccessible } from './accessibility.ts';
import { setStage } from './stage.ts';
import { visit, visitAsOwner } from './visitor.ts';

const stage = await setStage();
const documents = pages.filter((page) => 'source' in page);
const apis = pages.filter((page) => 'api' in page);

const combinations = [
  { width: 1440, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
] as const;

/** All pages have the same styles, so each is checked in one combination of width and scheme, and a long one in all. */
test('every documentation page is accessible in light and dark mode, and fits on a phone and a tablet', async () => {
  const visitor = await visit(stage);
  const { page } = visitor;
  for (const [index, { path }] of documents.entries()) {
    await page.goto(path);
    for (const width of [320, 390, 820]) await assertFits(page, width);
    const checked = path === '/docs/catalog' ? combinations : [combinations[index % combinations.length]];
    for (const combination of checked) {
      await show(page, combination ?? assert.fail());
      await assertAccessible(page);
    }
  }
  await visitor.leave();
});

async function show(page: Page, { width, scheme }: { width: number; scheme: 'light' | 'dark' }): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`html[data-scheme="${scheme}"]`).waitFor();
}

test('pressing slash opens the search, which finds a term and opens the section that contains it', async () => {
  const visitor = await visit(stage);
  const { page } = visitor;
  await page.goto('/docs');
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search' }).fill('verifying signatures');
  const result = page.getByRole('dialog').getByRole('link').first();
  await result.getByText('Verifying signatures').waitFor();
  await assertAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/events#verifying-signatures');
  await page.getByRole('heading', { name: 'Verifying signatures' }).waitFor();
  await visitor.leave();
});

test('the search shows a message when it finds nothing, and Escape closes the search', async () => {
  const visitor = await visit(stage, { width: 390 });
  const { page } = visitor;
  await page.goto('/docs/orders');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('qxzqxz');
  await page.getByText('No results.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await visitor.leave();
});

/** Reads the references. Several tests share the window, because loading a reference takes seconds. */
const reader = await visit(stage);
after(() => reader.leave());
const requests: string[] = [];
reader.page.on('request', (request) => requests.push(new URL(request.url()).pathname));
const sections = { platform: 'tag/orders/platformPlaceOrder', partner: 'tag/orders/putOrder' };

testReference('platform');

test('the search finds a route and opens it in the API reference', async () => {
  const { page } = reader;
  await openReference('platform');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('putOrder');
  await page.getByRole('dialog').getByRole('link', { name: 'Fulfil, modify' }).click();
  await page.waitForURL('**/docs/reference#tag/orders/putOrder');
  await page.getByRole('heading', { name: 'Fulfil, modify, validate or cancel an order' }).waitFor();
});

testReference('partner');

test('the reference asks for nothing on behalf of a visitor who is not signed in', async () => {
  const { page } = reader;
  await openReference('partner', 'tag/outlets/listVendors');
  await page.getByRole('heading', { name: 'List stores' }).first().waitFor();
  assert.equal(await page.locator('#prefilled').textContent(), '');
  assert.ok(requests.includes('/docs/reference'));
  assert.deepEqual(
    requests.filter((path) => path.startsWith('/v2/')),
    [],
  );
});

function testReference(name: 'partner' | 'platform'): void {
  const { page } = reader;
  const { title } = apis.find(({ api }) => api === name) ?? assert.fail();

  test(`the reference for the ${name} API shows its routes without errors, next to the documentation navigation`, async () => {
    await openReference(name);
    await page.getByRole('heading', { name: new RegExp(`Aisle ${title}`, 'i') }).waitFor();
    const button = page.getByRole('button', { name: 'Navigation' });
    await button.click();
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: title }).waitFor();
    await button.click();
    await page.locator('body:not(.menu-open)').waitFor();
  });

  // Both references have the same styles.
  for (const combination of name === 'partner' ? combinations.slice(0, 2) : combinations.slice(2)) {
    const { width, scheme } = combination;
    test(`the reference for the ${name} API is accessible at ${width} px in ${scheme} mode`, async () => {
      await openReference(name);
      await show(page, combination);
      await page.locator(`body.${scheme}-mode`).waitFor();
      await page.getByRole('button', { name: 'Test Request' }).first().waitFor();
      // The reference renders its sections one by one, and a script fixes them shortly afterwards.
      await page.waitForFunction(`!document.querySelector('#api button[class*="copy-button"]:not([aria-label])')`);
      await assertAccessible(page);
      await show(page, { width: 1280, scheme: 'light' });
    });
  }
}

/** Opens a section of a reference, which is loaded only if the window shows something else. */
async function openReference(name: 'partner' | 'platform', section = sections[name]): Promise<void> {
  const { path } = apis.find(({ api }) => api === name) ?? assert.fail();
  await reader.page.goto(`${path}#${section}`);
}

test('a signed-in user sends a request from the reference without filling in anything', async () => {
  const visitor = await visitAsOwner(stage, { width: 1440, isAlone: true });
  const { page } = visitor;
  await page.goto('/docs/reference#tag/outlets/listVendors');
  await page.getByText(/^Signed in as .* a token that is valid for 15 minutes\.$/).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: /^Test Request ?\(get \/v2\/chains\/\{chain_id\}\/vendors\)/ }).click();
  const isVendors = (url: string) => new URL(url).pathname === `/v2/chains/${stage.demo.chain_id}/vendors`;
  const send = async () => {
    const sent = page.waitForResponse((response) => isVendors(response.url()));
    await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click();
    const response = await sent;
    assert.equal(response.status(), 200);
    return String((await response.request().allHeaders())['authorization']);
  };
  const first = await send();
  assert.match(first, /^Bearer aisle_user_/);
  await page.clock.setFixedTime(Date.now() + 14.5 * 60_000);
  const second = await send();
  assert.match(second, /^Bearer aisle_user_/);
  assert.notEqual(second, first, 'a token that is about to expire is replaced');
  await visitor.leave();
});

test('an old link to the reference under /docs redirects to its new URL', async () => {
  const visitor = await visit(stage);
  await visitor.page.goto('/docs#partner/tag/orders');
  await visitor.page.waitForURL('**/docs/reference#tag/orders');
  await visitor.leave();
});

test('on a phone, a button opens the navigation, and a tap beside it or a wider window closes it', async () => {
  const visitor = await visit(stage, { width: 390 });
  const { page } = visitor;
  await page.goto('/docs');
  const link = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Catalog' });
  assert.equal(await link.isVisible(), false);
  await page.getByRole('button', { name: 'Navigation' }).click();
  await assertAccessible(page);
  await page.mouse.click(380, 700);
  await link.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Navigation' }).click();
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.locator('body.menu-open').waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator('body:not(.menu-open)').waitFor();
  await visitor.leave();
});

test('on a phone, the cells of a wide table are below each other, each with the name of its column', async () => {
  const visitor = await visit(stage, { width: 390 });
  const { page } = visitor;
  await page.goto('/docs/errors');
  const cells = page.locator('tbody tr').first().locator('td');
  const boxes = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().top));
  assert.ok(boxes.length > 3 && new Set(boxes).size === boxes.length, boxes.join());
  const labels = await page.evaluate<string[]>(
    `Array.from(document.querySelector('tbody tr').cells, (cell) => getComputedStyle(cell, '::before').content)`,
  );
  assert.deepEqual(labels, ['"Code"', '"Status"', '"Meaning"', '"What to do"']);
  await visitor.leave();
});

test('dark mode selected in the documentation applies to the portal too', async () => {
  const visitor = await visit(stage);
  const { page } = visitor;
  await page.goto('/docs/partners');
  await page.getByRole('button', { name: 'Switch between light and dark mode' }).click();
  await page.goto('/docs/orders');
  await page.locator('html[data-scheme="dark"]').waitFor();
  await page.goto('/portal');
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await visitor.leave();
});

test('the copy button copies the code without its label', async () => {
  const visitor = await visit(stage);
  const { page } = visitor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/catalog');
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.match(text, /^call -X PUT "\$CATALOG"/);
  await visitor.leave();
});

test('an unknown documentation URL shows an accessible error page', async () => {
  const visitor = await visit(stage);
  visitor.expectError(/404/);
  await visitor.page.goto('/docs/unknown');
  await visitor.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await assertAccessible(visitor.page);
  await visitor.leave();
});

async function assertFits(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(scrollWidth <= width, `${page.url()} is ${scrollWidth} wide`);
  const cutTables = await page
    .locator('.table')
    .evaluateAll((tables) =>
      tables.filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.textContent?.slice(0, 60)),
    );
  assert.deepEqual(cutTables, [], `tables of ${page.url()} are cut at ${width} px`);
}
