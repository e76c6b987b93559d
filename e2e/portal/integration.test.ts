import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { ApiError, PutOrderInput } from '@aisle/sdk';
import ssh2 from 'ssh2';
import { assertAccessible } from './accessibility.ts';
import { findOrderPage } from './pages.ts';
import { setStage } from './stage.ts';
import { waitForText, visitAsOwner } from './visitor.ts';

const stage = await setStage();
const { client, demo } = stage;
const [orderPath] = await findOrderPage(stage);
const orderId = orderPath.split('/').at(-1) ?? '';

test('a failed request can be found by its status, its id or its order, and its details show the errors', async () => {
  const nonsense = { params: { order_id: orderId }, body: { status: 'NONSENSE' } } as unknown as PutOrderInput;
  const { problem } = await client.putOrder(nonsense).then(
    () => assert.fail('the order was changed'),
    (error: unknown) => error as ApiError,
  );
  await client.listVendors();
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  await visitor.open('/integration/requests', 'Requests');
  const row = page.getByRole('row', { name: new RegExp(`PUT /orders/${orderId}`) });
  await row.waitFor();
  await page.getByRole('link', { name: 'GET /vendors', exact: true }).first().waitFor();

  await page.getByText('4xx', { exact: true }).click();
  await page.getByRole('link', { name: 'GET /vendors', exact: true }).first().waitFor({ state: 'detached' });
  for (const term of [orderId, problem.instance]) {
    await page.getByRole('searchbox', { name: 'Search requests' }).fill(term);
    await page.waitForURL(`**term=${term}**`);
    await row.waitFor();
  }
  await row.getByRole('link').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText(problem.detail).waitFor();
  await drawer.getByText(problem.instance).waitFor();
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
  const { token } = await client.createToken({ body: { name: 'Recorded token' } });
  await page
    .getByRole('row', { name: /POST \/tokens/ })
    .getByRole('link')
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Recorded token').first().waitFor();
  const text = await drawer.innerText();
  assert.match(text, /"token": "\[removed\]"/);
  assert.equal(text.includes(token), false);
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByLabel('Record bodies').click();
  await waitForText(page, 'Bodies are no longer recorded.');
  await visitor.leave();
});

test('on a phone, the list of requests and the details fit on the screen', async () => {
  await client.getOrder({ params: { order_id: orderId } });
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

test('on a phone, files and SFTP users are cards, and the fingerprint and the command are not cut off', async () => {
  const query = { folder: '/catalog/all', name: `a-long-name-${'x'.repeat(80)}.csv` };
  await client.uploadFile({ query, body: 'shelf\n' });
  const visitor = await visitAsOwner(stage, { width: 390 });
  const { page } = visitor;
  const assertFits = async () => {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 390, `the page is ${width} px wide`);
  };
  await visitor.open('/files', 'Files');
  const entry = page.getByRole('table', { name: 'Files' }).getByRole('row').nth(1);
  await entry.getByText(/column/).waitFor();
  const name = await entry.getByRole('link').first().boundingBox();
  assert.ok(name && name.width > 200, JSON.stringify(name));
  await assertFits();
  await assertAccessible(page);

  await visitor.open('/integration/sftp', 'SFTP');
  await page.getByRole('table', { name: 'SFTP users' }).getByRole('row').nth(1).waitFor();
  for (const shown of [
    page.getByText(demo.sftp.fingerprint ?? '').first(),
    page.getByLabel('Connect', { exact: true }),
  ]) {
    const [content, visible] = await shown.evaluate((element) => [element.scrollWidth, element.clientWidth]);
    assert.ok(content !== undefined && visible !== undefined && content <= visible, `${content} > ${visible}`);
  }
  await assertFits();
  await visitor.leave();
});

test('an SFTP user can be created, log in with the password, and be revoked', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const { host, port, fingerprint } = demo.sftp;
  await visitor.open('/integration/sftp', 'SFTP');
  await waitForText(page, fingerprint ?? 'no fingerprint');
  const guide = await page.getByRole('link', { name: 'Read the guide' }).getAttribute('href');
  assert.equal((await fetch(new URL(guide ?? '', stage.url))).status, 200);
  await page.getByRole('button', { name: 'New SFTP user' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('night-upload');
  await page.getByRole('checkbox', { name: /promotions:write/ }).uncheck();
  await page.getByRole('button', { name: 'Create' }).click();
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue();
  const command = await page.getByRole('dialog').getByLabel('Connect', { exact: true }).innerText();
  const [, username = ''] = /^sftp -P \d+ (night-upload-\w+)@/.exec(command) ?? [];
  assert.equal(command, `sftp -P ${port} ${username}@${host}`);
  await page.getByRole('button', { name: 'Done' }).click();
  assert.equal((await page.content()).includes(password), false);
  const session = await logIn(username, { password });

  await page.getByRole('link', { name: 'night-upload' }).click();
  await page.getByRole('button', { name: 'Revoke user' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await waitForText(page, `${username} revoked.`);
  if (!session.isClosed) await once(session.connection, 'close');
  await assert.rejects(logIn(username, { password }), /authentication/);
  await visitor.leave();
});

test('public keys can be added and removed, and the password reset and removed', async () => {
  const visitor = await visitAsOwner(stage);
  const { page } = visitor;
  const key = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256, comment: 'till@marina' });
  await visitor.open('/integration/sftp', 'SFTP');
  await page.getByRole('button', { name: 'New SFTP user' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('till');
  await page.getByRole('switch', { name: 'Generate a password' }).uncheck({ force: true });
  await page.getByRole('button', { name: 'Create' }).click();
  await waitForText(page, 'Enter a public key, or generate a password');
  await page.getByRole('textbox', { name: 'Public key' }).fill('ssh-rsa nonsense');
  visitor.expectError(/400/);
  await page.getByRole('button', { name: 'Create' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^Is damaged: /)
    .waitFor();
  assert.equal(await page.getByText(/public_keys\/0/).count(), 0);
  await page.getByRole('textbox', { name: 'Public key' }).fill(key.public);
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('table', { name: 'SFTP users' }).getByRole('row').filter({ hasText: 'till-' });
  await row.getByText('1 key', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'till' }).click();
  const drawer = page.getByRole('dialog', { name: 'till' });
  await drawer.getByText(/till@marina/).waitFor();
  await assertAccessible(page);
  const username = await row.getByText(/^till-\w+$/).innerText();
  (await logIn(username, { privateKey: key.private })).connection.end();

  await drawer.getByRole('button', { name: 'Generate password' }).click();
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  (await logIn(username, { password })).connection.end();
  await drawer.getByRole('button', { name: 'Remove password' }).click();
  await page
    .getByRole('dialog', { name: /^Remove the password/ })
    .getByRole('button', { name: 'Remove password' })
    .click();
  await drawer.getByText('This user has no password.').waitFor();
  await drawer.getByRole('button', { name: 'Remove key till@marina' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await drawer.getByText('No public keys.').waitFor();
  await visitor.leave();
});

/** Logs in to the SFTP server. Fails if the credentials are wrong. */
async function logIn(username: string, secret: { password: string } | { privateKey: string }) {
  const { port } = demo.sftp;
  const session = { connection: new ssh2.Client(), isClosed: false };
  session.connection.on('close', () => (session.isClosed = true));
  session.connection.connect({ host: '127.0.0.1', port: port ?? 0, username, ...secret });
  await once(session.connection, 'ready');
  return session;
}
