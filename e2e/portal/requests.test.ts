import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOrderPages } from './pages.ts';
import { setStage } from './stage.ts';
import { assertAccessible, waitForText, visitAsOwner } from './visitor.ts';

const stage = await setStage();
const { client, demo } = stage;
const token = demo.api_token;
const [[orderPath]] = await listOrderPages(stage);
const orderId = orderPath.split('/').at(-1) ?? '';

test('a failed request can be found by its status, its id or its order, and its details show the errors', async () => {
  const put = `/v2/chains/${demo.chain_id}/orders/${orderId}`;
  const failed = await client.call('PUT', put, { token, body: { status: 'NONSENSE' } });
  assert.equal(failed.status, 400);
  await client.call('GET', `/v2/chains/${demo.chain_id}/vendors`, { token });
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/requests', 'Requests');
  const row = page.getByRole('row', { name: new RegExp(`PUT /orders/${orderId}`) });
  await row.waitFor();
  await page.getByRole('link', { name: 'GET /vendors', exact: true }).first().waitFor();

  await page.getByText('4xx', { exact: true }).click();
  await page.getByRole('link', { name: 'GET /vendors', exact: true }).first().waitFor({ state: 'detached' });
  for (const term of [orderId, failed.body.instance]) {
    await page.getByRole('searchbox', { name: 'Search requests' }).fill(term);
    await page.waitForURL(`**term=${term}**`);
    await row.waitFor();
  }
  await row.getByRole('link').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(failed.body.detail).waitFor();
  await drawer.getByText(failed.body.instance).waitFor();
  await drawer.getByText('No bodies were recorded.').waitFor();
  await assertAccessible(page);
  await drawer.getByRole('link', { name: 'View order' }).click();
  await page.waitForURL(`**/orders/${orderId}**`);
  await visitor.leave();
});

test('an owner can turn on body recording, and secrets are removed from recorded bodies', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/requests', 'Requests');
  await page.getByLabel('Record bodies').click();
  await page.getByRole('button', { name: 'Record bodies' }).click();
  await waitForText(page, 'Bodies are now recorded.');
  const body = { name: 'Recorded token' };
  const sent = await client.call('POST', `/v2/chains/${demo.chain_id}/tokens`, { token, body });
  assert.equal(sent.status, 201);
  await page
    .getByRole('row', { name: /POST \/tokens/ })
    .getByRole('link')
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Recorded token').first().waitFor();
  const text = await drawer.innerText();
  assert.match(text, /"token": "\[removed\]"/);
  assert.equal(text.includes(sent.body.token), false);
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByLabel('Record bodies').click();
  await waitForText(page, 'Bodies are no longer recorded.');
  await visitor.leave();
});

test('on a phone, the list of requests and the details fit on the screen', async () => {
  await client.call('GET', `/v2/chains/${demo.chain_id}/orders/${orderId}`, { token });
  const visitor = await visitAsOwner(stage, { width: 390 });
  const { page } = visitor;
  const assertFits = async () => {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 390, `the page is ${width} px wide`);
  };
  await visitor.open(`/integration/requests?term=${orderId}`, 'Requests');
  const row = page.getByRole('row', { name: new RegExp(`GET /orders/${orderId}`) }).first();
  const time = await row.getByRole('time').boundingBox();
  assert.ok(time && time.x + time.width <= 390, JSON.stringify(time));
  await assertFits();
  await row.getByRole('link').click();
  await page.getByRole('dialog').getByText('Duration').waitFor();
  await assertFits();
  await visitor.leave();
});
