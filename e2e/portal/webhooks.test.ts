import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startReceiver } from '../../server/test/support/receiver.ts';
import { waitFor } from '../support/wait.ts';
import { assertAccessible } from './accessibility.ts';
import { setStage } from './stage.ts';
import { visitAsOwner, waitForText } from './visitor.ts';

const stage = await setStage();
const { client } = stage;
const receiver = await startReceiver();
after(() => receiver.close());

test('an error in a URL is shown at its field', async () => {
  const visitor = await visitAsOwner(stage);
  visitor.expectError(/400/);
  const { page } = visitor;
  await visitor.open('/integration/webhooks', 'Webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const field = page.getByRole('textbox', { name: 'Staging URL', exact: true });
  await field.fill('http://user:password@example.com/');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must not contain a user name or password').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await visitor.leave();
});

test('a failing endpoint is explained: the ping, the banner, the state, and the details of the attempt', async () => {
  receiver.respondWith((response) => void response.writeHead(500, { 'x-reason': 'boom' }).end('out of order'));
  await setWebhook();
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/webhooks', 'Webhooks');
  await page.getByRole('button', { name: 'Ping' }).click();
  await waitForText(page, 'Your endpoint returned 500.');
  await waitForText(page, /^Failing since \d/);
  await page.getByRole('region', { name: 'Webhook: Chain' }).getByText('Failing', { exact: true }).waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'View delivery' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('out of order').waitFor();
  await drawer.getByRole('table', { name: 'Response headers' }).getByText('boom').waitFor();
  await drawer.getByRole('table', { name: 'Request headers' }).getByText('webhook.ping').waitFor();
  await drawer.getByText('[hidden]').waitFor();
  await assertAccessible(page);
  await assertFitsOnPhone(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await drawer.getByRole('button', { name: 'Copy as curl' }).click();
  await drawer.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.match(
    copied,
    /^curl -i 'http:[^]*-H "authorization: \$AUTHORIZATION"[^]*--data-binary '\{"type":"webhook\.ping"/,
  );
  await visitor.open('/', 'Saltbush Market');
  await waitForText(page, /^Failing since \d/);
  await visitor.leave();
});

test('the rotation of a secret is shown until the previous secret expires', async () => {
  await setWebhook();
  await client.rotateWebhookSecret();
  const visitor = await visitAsOwner(stage);
  await visitor.open('/integration/webhooks', 'Webhooks');
  await waitForText(visitor.page, 'The signing secret is being rotated');
  await waitForText(visitor.page, /Messages are signed with both secrets until/);
  await visitor.leave();
});

/** The attempts and their headers do not scroll sideways in the drawer. */
async function assertFitsOnPhone(page: Page): Promise<void> {
  const original = page.viewportSize() ?? assert.fail('the page has no viewport size');
  for (const width of [original.width, 390, 320]) {
    await page.setViewportSize({ width, height: original.height });
    await waitFor(30, `the drawer to fit into ${width} pixels`, async () => {
      const isFitting = await page
        .locator('.mantine-Drawer-content')
        .evaluate((content) => content.scrollWidth <= content.clientWidth);
      return isFitting || undefined;
    });
  }
  await page.setViewportSize(original);
}

async function setWebhook(): Promise<void> {
  await client.putWebhook({
    body: { environment: 'staging', staging_url: receiver.url, secret: 'Bearer what-you-like' },
  });
}
