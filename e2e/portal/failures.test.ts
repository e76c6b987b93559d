import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOrderPages } from './pages.ts';
import { setStage } from './stage.ts';
import { sees, visitAsOwner } from './visitor.ts';

const stage = await setStage();
const nowhere = '00000000-0000-7000-8000-000000000000';

test('an order, a job and a promotion that are not there say so, and the way on is open', async () => {
  const visitor = await visitAsOwner(stage);
  visitor.expect(/404/);
  const headings = { orders: 'Order', jobs: 'Job', promotions: 'Promotion' };
  for (const [path, noun] of Object.entries(headings)) {
    await visitor.open(`/${path}/${nowhere}`, `${noun} not found`);
    await visitor.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  }
  await visitor.page.getByRole('link', { name: 'Go to the start' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'Saltbush Market' }).waitFor();
  await visitor.leave();
});

test('a page that cannot reach the server says so, and comes back by itself', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expect(/ERR_FAILED/);
  await page.route('**/v2/**/catalog?*', (route) => route.abort());
  await page.route('**/health/ready', (route) => route.abort());
  await visitor.open('/catalog?store=s8ym', 'The server cannot be reached');
  await page.unroute('**/v2/**/catalog?*');
  await page.unroute('**/health/ready');
  await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
  await page.getByRole('table', { name: 'Products' }).getByRole('row').nth(5).waitFor();
  await visitor.leave();
});

test('what is on the page stays when the server goes away, with a notice that ends when it is back', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expect(/ERR_FAILED/);
  const [[path, heading]] = await listOrderPages(stage);
  await visitor.open(path, heading);
  await page.getByRole('table', { name: 'Items' }).waitFor();
  await page.route('**/v2/**', (route) => route.abort());
  await sees(page, /what you see may be old/);
  assert.ok(await page.getByRole('table', { name: 'Items' }).isVisible());
  await page.unroute('**/v2/**');
  await page.getByText(/what you see may be old/).waitFor({ state: 'detached' });
  await visitor.leave();
});

test('a session that has ended asks to sign in again, and goes on where it was', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  visitor.expect(/401/);
  await visitor.open('/orders?store=s8ym', 'Orders');
  await page.context().clearCookies();
  await sees(page, /Your session has ended/);
  await page.getByLabel('Email').fill(stage.demo.portal.email);
  await page.getByLabel('Password', { exact: true }).fill(stage.demo.portal.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await visitor.leave();
});
