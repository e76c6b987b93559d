import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Order } from '@aisle/sdk';
import { openDatabase } from '../../server/src/kernel/database/db.ts';
import { startReceiver } from '../../server/test/support/receiver.ts';
import { waitFor } from '../support/wait.ts';
import { assertAccessible } from './accessibility.ts';
import { setStage } from './stage.ts';
import { moveTo, visit, type Visitor, waitForText, waitUntilLoaded } from './visitor.ts';

/** The tests follow the operator guide: sign in, onboard a chain, find a failed delivery, act on behalf, audit. */
const stage = await setStage();
const { client, demo } = stage;
const receiver = await startReceiver();
after(() => receiver.close());

const visitor = await visit(stage);
const { page } = visitor;
after(() => visitor.leave());

test('an operator signs in, and sees what happens on the platform', async () => {
  await page.goto('/console');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await assertAccessible(page);
  await page.getByLabel('Email').fill(demo.console.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.console.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading('Overview');
  await page.getByRole('link', { name: /^Late orders/ }).waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: /^Late orders/ }).click();
  await heading('Late orders');
});

test('a chain with 200 stores is onboarded from a CSV file', async () => {
  await follow('Onboard a chain', 'Onboard a chain');
  await page.getByLabel('Name').fill('Palm Grocer');
  await page.getByRole('button', { name: 'Create the chain' }).click();
  await page.getByRole('heading', { name: 'Add stores' }).waitFor();
  await assertAccessible(page);
  await upload('CSV file', 'stores.csv', 'id;store\n1;Marina\n');
  await page.getByRole('button', { name: 'Import stores' }).click();
  await waitForText(page, /must contain a column “name”/);
  await waitForText(page, 'Nothing was imported. Correct the file and import it again.');
  const rows = Array.from({ length: 200 }, (_, index) => `Store ${index + 1},P-${index + 1}`);
  await upload('CSV file', 'stores.csv', `name,external_id\n${rows.join('\n')}\n`);
  await page.getByRole('button', { name: 'Import stores' }).click();
  await waitForText(page, 'Done: 200 stores created and 0 skipped of 200.');
  await page.getByRole('button', { name: 'Import stores' }).click();
  await waitForText(page, 'Done: 0 stores created and 200 skipped of 200.');
  visitor.expectError(/vendors\/batch/);
  await upload('CSV file', 'more.csv', 'name,external_id,currency\nMarina,P-201,XXQ\nCreek,P-202,AED\n');
  await page.getByRole('button', { name: 'Import stores' }).click();
  await waitForText(page, /Row 2 was not imported: currency/);
  await waitForText(page, 'Done: 1 stores created and 0 skipped of 2.');
  await page.getByRole('button', { name: 'Next step' }).click();
  visitor.expectError(/categories/);
  await upload('Category file', 'tree.csv', 'global_id,parent_global_id,name\nfood,,Food\ndairy,fod,Dairy\n');
  await page.getByRole('button', { name: 'Upload' }).click();
  await waitForText(page, 'Row 3: parent_global_id must be a global_id in this list');
  await upload('Category file', 'tree.csv', 'global_id,parent_global_id,name\nfood,,Food\ndairy,food,Dairy\n');
  await page.getByRole('button', { name: 'Upload' }).click();
  await waitForText(page, '2 categories were saved.');
  await page.getByRole('button', { name: 'Next step' }).click();
  await page.getByLabel('Email address').fill('owner@palm-grocer.example');
  await page.getByLabel('Name', { exact: true }).fill('Owner');
  await page.getByRole('button', { name: 'Invite' }).click();
  const link = await page.getByLabel('Invitation link').inputValue();
  assert.match(link, /\/portal\/invitation#aisle_invite_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Next step' }).click();
  await waitForText(page, 'The chain has stores (201)');
  await waitForText(page, '3 of 7 done');
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Open the chain' }).click();
  await heading('Palm Grocer');
  await waitForText(page, /of 201/);
  await assertAccessible(page);
  await page.getByRole('tab', { name: 'Categories' }).click();
  await waitForText(page, 'Category file');
});

/** The page of an order with a delivery. */
let orderPath = '';

test('a failed delivery is found by the code of its order, and sent again', async () => {
  receiver.respondWith((response) => void response.writeHead(503).end());
  await client.putWebhook({ body: { environment: 'production', production_url: receiver.url } });
  const order = await placeOrder();
  orderPath = `/orders/${order.order_id}`;
  await follow('Support', 'Support');
  await page.getByLabel('Search all chains').fill(order.order_code);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: order.order_code }).click();
  await heading(`Order ${order.order_code}`);
  await waitForText(page, '503');
  await assertAccessible(page);
  receiver.respondWith((response) => void response.writeHead(200).end());
  await page.getByRole('button', { name: 'Send again' }).first().click();
  await waitForText(page, 'The delivery will be sent again.');
  await page.getByRole('row', { name: /Attempt.*200/ }).waitFor();
});

test('an open alert is at the top of the overview, and leads to the list behind it', async () => {
  const { query, close } = openDb();
  const setFailing = async (since: string) => {
    await query(`update endpoints set failing_since = ${since} where topic = 'orders' and chain_id = $1`, [
      demo.chain_id,
    ]);
    await query("update schedules set next_run_at = now() where name like '%alerts'");
  };
  const openAlerts = () => query("select 1 from alerts where kind = 'ENDPOINT_FAILING' and ended_at is null");
  /** Otherwise the page would show the change only when it loads the alerts again. */
  const waitForAlerts = (count: number) =>
    waitFor(30, 'the alert', async () => (await openAlerts()).length === count || undefined);
  await setFailing("now() - interval '10 minutes'");
  await waitForAlerts(1);
  await follow('Overview', 'Overview');
  // Stores of the demo can be silent by now.
  const alertIn = (region: RegExp) =>
    page.getByRole('region', { name: region }).getByRole('link', { name: /webhook http:.* fails$/ });
  const alert = alertIn(/open alert/);
  await alert.waitFor();
  await assertAccessible(page);
  await alert.click();
  await heading('Failing webhooks');
  await setFailing('null');
  await waitForAlerts(0);
  await follow('Overview', 'Overview');
  await alertIn(/^Alerts that ended/).waitFor();
  assert.equal(await alert.count(), 0);
  await assertAccessible(page);
  await close();
});

test("the platform's webhook is added and pinged, and the page shows what it responds", async () => {
  await follow('Webhooks', 'Webhooks');
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByLabel('Events').and(page.locator('input:not([type=hidden])')).fill('store.silent');
  await page.getByRole('option', { name: 'store.silent' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Ping' }).click();
  await waitForText(page, 'Ping delivered');
  receiver.respondWith((response) => void response.writeHead(418).end());
  await page.getByRole('button', { name: 'Ping' }).click();
  await waitForText(page, 'Ping failed');
  await waitForText(page, 'Your endpoint returned 418.');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await waitForText(page, 'No webhook yet');
});

test('an operator acts on behalf of a chain with a banner, and the audit log shows it', async () => {
  await page.goto(`/console/chains/${demo.chain_id}`);
  await page.getByRole('button', { name: 'Act on behalf' }).click();
  await page.getByLabel('Reason').fill('Ticket 4711');
  await page.getByRole('button', { name: 'Open the portal' }).click();
  await waitForText(page, /you are acting on behalf of Saltbush Market/);
  await assertAccessible(page);
  // The portal may be reading something when the session ends.
  visitor.expectError(/status of 401 .*\/v2\//);
  await page.getByRole('button', { name: 'Back to the console' }).click();
  await heading('Overview');
  await follow('Audit log', 'Audit log');
  await page.getByRole('link', { name: 'consoleActForChain' }).first().waitFor();
  await waitForText(page, /Ticket 4711/);
  await page.getByRole('link', { name: 'platformCreateVendors' }).first().waitFor();
  await assertAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'audit-log.csv');
});

const paths = [
  '/',
  '/orders',
  '/closed-stores',
  '/endpoints',
  '/jobs',
  '/tasks',
  '/chains',
  `/chains/${demo.chain_id}`,
  '/webhooks',
  '/onboard',
  '/support',
  '/audit',
  '/users',
  '/account',
];

for (const { locale, scheme, width } of [
  { locale: 'en-GB', scheme: 'light', width: 320 },
  { locale: 'ar-EG', scheme: 'dark', width: 390 },
] as const) {
  test(`every page of the console is accessible and fits on a phone, in ${locale} and ${scheme} mode`, async () => {
    const phone = await visit(stage, { width, scheme, locale, storage: await page.context().storageState() });
    await phone.page.goto('/console');
    await phone.page.locator('main h1').waitFor();
    for (const path of paths) await checkOnPhone(phone, path);
    await phone.leave();
  });
}

test('on a phone, the button that sends a delivery again does not cover what is next to it', async () => {
  const phone = await visit(stage, { width: 390, storage: await page.context().storageState() });
  await phone.page.goto(`/console${orderPath}`);
  const card = phone.page.getByRole('row').filter({ has: phone.page.getByRole('button', { name: 'Send again' }) });
  const button = await card.getByRole('button', { name: 'Send again' }).boundingBox();
  const kind = await card.getByText('Delivery', { exact: true }).boundingBox();
  assert.ok(button && kind && (button.y >= kind.y + kind.height || kind.y >= button.y + button.height));
  await phone.leave();
});

async function checkOnPhone({ page: narrow }: Visitor, path: string): Promise<void> {
  if (path !== '/') await moveTo(narrow, `/console${path}`);
  await waitUntilLoaded(narrow);
  await assertAccessible(narrow);
  const overflow = await narrow.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`);
}

function openDb() {
  const { databaseUrl: url } = stage;
  return openDatabase({ url, connections: 1, preparedStatements: false, name: 'test', onError: () => {} });
}

async function heading(name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function follow(link: string, title: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: link }).click();
  await heading(title);
}

/** Mantine's file field is a button with a hidden input. */
async function upload(label: string, name: string, content: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: label, exact: true }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

function placeOrder(): Promise<Order> {
  return client.sandboxPlaceOrder({
    body: {
      vendor_id: String(demo.vendors[0]?.vendor_id),
      items: [{ sku: 'MLK-00012', quantity: 1 }],
      customer: { first_name: 'Sam', phone_number: '+971500000001' },
      payment: { type: 'PAID' },
    },
  });
}
