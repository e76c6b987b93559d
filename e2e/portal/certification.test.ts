import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { startSampleReceiver } from '../support/sample-receiver.ts';
import { assertAccessible } from './accessibility.ts';
import { setStage } from './stage.ts';
import { visitAsOwner, waitForText } from './visitor.ts';

const stage = await setStage();
const { client, demo } = stage;
let secret = '';
const receiver = await startSampleReceiver({
  aisleUrl: stage.url,
  chainId: demo.chain_id,
  token: demo.api_token,
  secret: () => secret,
  fault: 'sends_ordered_weights',
});
after(() => receiver.close());

test('a certification is started with one click, and its report explains the failure and can be shared', async () => {
  const webhook = await client.putWebhook({ body: { environment: 'staging', staging_url: receiver.url } });
  secret = webhook.signing_secret ?? '';
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/certification', 'Certification');
  await waitForText(page, 'No certifications yet');
  await page.getByRole('button', { name: 'Start certification' }).click();
  await page.getByRole('heading', { level: 1, name: 'Certification report' }).waitFor();
  await page.getByText('12 of 13 passed, 1 failed').waitFor({ timeout: 60_000 });
  const failed = page.getByRole('region', { name: /An item sold by weight/ });
  await failed.getByText(/IN_CART, 0\.900 kg/).waitFor();
  await failed.getByText(/IN_CART, 1\.000 kg/).waitFor();
  await failed.getByRole('link', { name: 'Read more' }).waitFor();
  await failed.getByText('Request from your device, response 200.').waitFor();
  await assertAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  const report = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.deepEqual([report.status, report.failed], ['FAILED', 1]);
  const url = page.url();
  await visitor.leave();

  const narrow = await visitAsOwner(stage, { width: 390 });
  await narrow.page.goto(url);
  await waitForText(narrow.page, '12 of 13 passed, 1 failed');
  const width = await narrow.page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= 390, `the page is ${width} px wide`);
  await narrow.leave();
});
