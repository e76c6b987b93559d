import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Response } from 'playwright-core';
import { waitFor } from '../support/wait.ts';
import { assertAccessible } from './accessibility.ts';
import { findOrderPage } from './pages.ts';
import { setStage } from './stage.ts';
import { visit, visitAsOwner } from './visitor.ts';

const stage = await setStage();

test('an unknown URL shows an error page', async () => {
  const visitor = await visitAsOwner(stage);
  await visitor.open('/nothing/here', 'Page not found');
  await visitor.leave();
});

test('on a phone, a control with many options shows all of them', async () => {
  const visitor = await visitAsOwner(stage, { width: 320 });
  await visitor.open('/promotions?store=s8ym', 'Promotions');
  const control = visitor.page.getByRole('radiogroup', { name: 'Status' });
  const box = await control.getByText('Stopped', { exact: true }).boundingBox();
  assert.ok(box && box.x + box.width <= 320, 'the last option is cut off');
  await visitor.leave();
});

test('on a phone, fields, buttons and options are at least 48 px high', async () => {
  const visitor = await visitAsOwner(stage, { width: 390 });
  const { page } = visitor;
  await visitor.open('/orders?store=s8ym', 'Orders');
  const targets = [
    page.getByRole('link', { name: 'Picking app' }),
    page.getByRole('searchbox', { name: 'Search orders' }),
    page.getByText('7 days', { exact: true }),
  ];
  for (const target of targets) {
    const { height = 0 } =
      (await target.locator('xpath=ancestor-or-self::*[self::a or self::input or self::label][1]').boundingBox()) ?? {};
    assert.ok(height >= 48, `${await target.innerText()} is ${height} px high`);
  }
  await visitor.leave();
});

test('on a tablet, the page stays visible beside the open navigation, and a click on it closes the navigation', async () => {
  const visitor = await visitAsOwner(stage, { width: 820 });
  const { page } = visitor;
  await visitor.open('/jobs?store=s8ym', 'Jobs');
  await page.getByRole('button', { name: 'Navigation' }).click();
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Orders', exact: true });
  await link.waitFor();
  const { width = 0 } = (await link.boundingBox()) ?? {};
  assert.ok(width > 200 && width <= 300, `the navigation is ${width} px wide`);
  await assertAccessible(page);
  await page.mouse.click(700, 500);
  await waitFor(15, 'the navigation to close', async () => {
    const { x = 0 } = (await link.boundingBox()) ?? {};
    return x < -200 ? true : undefined;
  });
  await visitor.leave();
});

test('on a phone, the header fits, its controls are large enough, and its menu is accessible', async () => {
  const visitor = await visitAsOwner(stage, { width: 320 });
  const { page } = visitor;
  await visitor.open('/jobs?store=s8ym', 'Jobs');
  const header = page.getByRole('banner');
  assert.equal(await header.getByRole('combobox', { name: 'Store' }).inputValue(), 'Dubai Marina');
  for (const control of [
    header.getByRole('button', { name: 'Navigation' }),
    header.getByRole('combobox', { name: 'Store' }),
    header.getByRole('button', { name: 'Search' }),
    header.getByRole('button', { name: 'Account' }),
  ]) {
    const box = (await control.boundingBox()) ?? assert.fail('the control is not visible');
    assert.ok(box.height >= 44 && box.width >= 44, JSON.stringify(box));
    assert.ok(box.x >= 0 && box.x + box.width <= 320, JSON.stringify(box));
  }
  await header.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Switch to dark mode' }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await header.getByRole('button', { name: 'Navigation' }).click();
  await header.getByRole('button', { name: 'Account' }).click();
  // Fails if the open navigation covers the menu.
  await page.getByRole('menuitem', { name: 'Switch to dark mode' }).click({ trial: true });
  await visitor.leave();
});

test('on a phone, an order shows the prices of its items without scrolling sideways', async () => {
  const visitor = await visitAsOwner(stage, { width: 320 });
  const { page } = visitor;
  await visitor.open(...(await findOrderPage(stage)));
  const items = page.getByRole('table', { name: 'Items' });
  const price = (await items.getByText('AED').first().boundingBox()) ?? assert.fail('no price is visible');
  assert.ok(price.x >= 0 && price.x + price.width <= 320, JSON.stringify(price));
  await visitor.leave();
});

test('the first page load transfers less than 320 kB of JavaScript and loads nothing from other hosts', async () => {
  const visitor = await visit(stage);
  const { page } = visitor;
  let bytes = 0;
  page.on('response', (response) => {
    assert.ok(response.url().startsWith(stage.url), response.url());
    const isScript = response.headers()['content-type']?.startsWith('text/javascript');
    if (isScript) bytes += Number(response.headers()['content-length'] ?? Number.NaN);
  });
  await page.goto('/portal');
  await page.getByLabel('Email').fill(stage.demo.portal.email);
  await page.getByLabel('Password', { exact: true }).fill(stage.demo.portal.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Saltbush Market' }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.ok(bytes > 50_000 && bytes < 320_000, `${bytes} bytes of script`);
  await visitor.leave();
});

test('the sign-in page transfers less than 200 kB, with the texts of one language', async () => {
  for (const [locale, submit] of [
    ['en-GB', 'Sign in'],
    ['ar-EG', 'تسجيل الدخول'],
  ] as const) {
    const visitor = await visit(stage, { locale });
    const { page } = visitor;
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.goto('/portal');
    await page.getByRole('button', { name: submit }).waitFor();
    const bytes = responses.reduce((sum, one) => sum + Number(one.headers()['content-length'] ?? 0), 0);
    assert.ok(bytes > 50_000 && bytes < 200_000, `${bytes} bytes in ${locale}`);
    const scripts = responses.filter((one) => one.headers()['content-type']?.startsWith('text/javascript'));
    const code = (await Promise.all(scripts.map((one) => one.text()))).join('\n');
    assert.equal(code.includes('Skip to content'), locale === 'en-GB');
    assert.equal(code.includes('الانتقال إلى المحتوى'), locale === 'ar-EG');
    await visitor.leave();
  }
});

test('the language is chosen by the browser, can be changed in the account menu, and is shared with the picking app', async () => {
  const visitor = await visit(stage, { locale: 'ar-EG' });
  const { page } = visitor;
  const direction = () =>
    page.evaluate<[string, string]>('[document.documentElement.lang, document.documentElement.dir]');
  await page.goto('/portal/integration/webhooks');
  await page.getByLabel('البريد الإلكتروني').fill(stage.demo.portal.email);
  await page.getByLabel('كلمة المرور', { exact: true }).fill(stage.demo.portal.password);
  await page.getByRole('button', { name: 'تسجيل الدخول' }).click();
  await page.getByRole('heading', { level: 1, name: 'إشعارات Webhook' }).waitFor();
  assert.deepEqual(await direction(), ['ar', 'rtl']);
  await page.getByRole('link', { name: 'الطلبات' }).click();
  await page.getByRole('table', { name: 'الطلبات' }).waitFor();
  await page.getByText(/[٠-٩]–[٠-٩]+ من [٠-٩]+/).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'الحساب' }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  assert.deepEqual(await direction(), ['en', 'ltr']);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.goto('/pick');
  await page.getByRole('heading', { name: 'Orders to pick' }).waitFor();
  assert.deepEqual(await direction(), ['en', 'ltr']);
  await visitor.leave();
});

test('the content security policy blocks third-party and inline scripts', async () => {
  const { headers } = await fetch(`${stage.url}/portal`);
  const policy = String(headers.get('content-security-policy'));
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.equal(policy.includes('unsafe'), false);
  const visitor = await visitAsOwner(stage);
  await visitor.open('/settings/account', 'Your account');
  visitor.expectError(/Content Security Policy/);
  const ran = await visitor.page.evaluate<boolean>(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    return 'ran' in window;
  })()`);
  assert.equal(ran, false);
  await visitor.leave();
});
