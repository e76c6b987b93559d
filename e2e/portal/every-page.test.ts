import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { waitFor } from '../support/wait.ts';
import { assertAccessible } from './accessibility.ts';
import { findOrderPage, listPages } from './pages.ts';
import { setStage } from './stage.ts';
import { moveTo, visit, visitAsOwner, waitUntilLoaded } from './visitor.ts';

const stage = await setStage();

const pages = await listPages(stage);
const [orderPath, orderHeading] = await findOrderPage(stage);

/** Every dialog, with the button that opens it. */
const dialogs: [path: string, heading: string, button: string][] = [
  ['/integration/tokens', 'API tokens', 'New token'],
  ['/integration/clients', 'Client credentials', 'New client'],
  ['/integration/sftp', 'SFTP', 'New SFTP user'],
  ['/integration/webhooks', 'Webhooks', 'Add webhook'],
  ['/integration/deliveries', 'Deliveries', 'Resend failed'],
  ['/settings/users', 'Users', 'Invite user'],
  ['/sandbox?store=s8ym', 'Sandbox', 'Add product'],
  [orderPath, orderHeading, 'Cancel order'],
];

test('every dialog is accessible', async () => {
  const visitor = await visitAsOwner(stage);
  for (const [path, heading, button] of dialogs) {
    await visitor.open(path, heading);
    await visitor.page.getByRole('button', { name: button }).click();
    await visitor.page.getByRole('dialog').waitFor();
    await visitor.page.waitForLoadState('networkidle');
    await assertAccessible(visitor.page);
  }
  await visitor.leave();
});

/** Every page is checked in each language and each color scheme, but not in every combination of them. */
for (const { locale, scheme } of [
  { locale: 'en-GB', scheme: 'light' },
  { locale: 'ar-AE', scheme: 'dark' },
] as const) {
  test(`every page is accessible and fits on a tablet and a phone, in ${locale} and ${scheme} mode`, async () => {
    const guest = await visit(stage, { locale, scheme });
    await guest.page.goto('/portal');
    await guest.page.locator('button[type=submit]').waitFor();
    await assertAccessible(guest.page);
    await guest.leave();
    const visitor = await visitAsOwner(stage, { locale, scheme });
    const { page } = visitor;
    await page.goto('/portal');
    await page.locator('main h1').waitFor();
    for (const [path] of pages) {
      if (path !== '/') await moveTo(page, `/portal${path}`);
      await waitUntilLoaded(page);
      await assertAccessible(page);
      await assertFits(page, path);
    }
    await visitor.leave();
  });
}

/** Controls that are too small for a thumb. Runs in the page. */
const findSmallControls = `[...document.querySelectorAll('main :is(.mantine-Button-root, .mantine-ActionIcon-root, .mantine-Input-input)')]
  .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 44)
  .map((control) => control.getAttribute('aria-label') ?? control.textContent)`;

/** The page itself never scrolls sideways, and on a phone, its controls are large enough. */
async function assertFits(page: Page, path: string): Promise<void> {
  const original = page.viewportSize() ?? assert.fail('the page has no viewport size');
  for (const viewport of [820, 390, 320]) {
    await page.setViewportSize({ width: viewport, height: 1180 });
    // The frame is animated when the width changes, so the page may take a moment to fit.
    await waitFor(30, `${path} to fit into ${viewport} pixels`, async () => {
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      return width <= viewport || undefined;
    });
  }
  assert.deepEqual(await page.evaluate(findSmallControls), [], `${path} on a phone`);
  await page.setViewportSize(original);
}
