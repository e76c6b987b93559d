import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../support/wait.ts';
import { setStage } from './stage.ts';
import { visit, visitAsOwner } from './visitor.ts';

const stage = await setStage();

test('an unknown URL shows an error page', async () => {
  const visitor = await visitAsOwner(stage);
  await visitor.open('/nothing/here', 'Page not found');
  await visitor.leave();
});

test('on a phone, a control with many options can be scrolled to the last one', async () => {
  const visitor = await visitAsOwner(stage, { width: 390 });
  await visitor.open('/promotions?store=s8ym', 'Promotions');
  const control = visitor.page.getByRole('radiogroup', { name: 'Status' });
  const rightEdge = async () => {
    const box = await control.getByText('Cancelled', { exact: true }).boundingBox();
    return box ? box.x + box.width : Number.POSITIVE_INFINITY;
  };
  assert.ok((await rightEdge()) > 390, 'the last option fits without scrolling');
  await control.hover();
  await visitor.page.mouse.wheel(300, 0);
  await waitFor(5, 'the last option', async () => (await rightEdge()) <= 390 || undefined);
  await visitor.leave();
});

test('the first page load transfers less than 400 kB of JavaScript and loads nothing from other hosts', async () => {
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
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.ok(bytes > 50_000 && bytes < 400_000, `${bytes} bytes of script`);
  await visitor.leave();
});

test('the content security policy blocks third-party and inline scripts', async () => {
  const { headers } = await stage.client.call('GET', '/portal');
  const policy = String(headers['content-security-policy']);
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
