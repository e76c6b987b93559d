import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStage } from './stage.ts';
import { visit, visitAsOwner } from './visitor.ts';

const stage = await setStage();

test('an address that is no page says so', async () => {
  const visitor = await visitAsOwner(stage);
  await visitor.open('/nothing/here', 'There is no such page');
  await visitor.leave();
});

test('the first load is under 400 kB of compressed script, and nothing comes from elsewhere', async () => {
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

test('the policy of the page lets no foreign or inline script in', async () => {
  const { headers } = await stage.client.call('GET', '/portal');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.equal(policy.includes('unsafe'), false);
  const visitor = await visitAsOwner(stage);
  await visitor.open('/settings/account', 'Your account');
  visitor.expect(/Content Security Policy/);
  const ran = await visitor.page.evaluate<boolean>(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    return 'ran' in window;
  })()`);
  assert.equal(ran, false);
  await visitor.leave();
});
