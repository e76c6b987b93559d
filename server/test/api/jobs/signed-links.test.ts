import assert from 'node:assert/strict';
import test from 'node:test';
import { createLinkSigner } from '../../../src/kernel/secrets/sign-links.ts';
import { makeChain, makeToken, type Response, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, runUpdate } from '../../support/catalog.ts';
import { assertProblem } from '../../support/problem.ts';
import { inOneMinute } from '../../support/wait.ts';
import { percent, promotionBody, runPromotion } from '../../support/promotions.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
await addProducts(aisle, chain, plainProducts(2));
const job = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 2 }]);
const path = `${chain.base}/catalog/jobs/${job.job_id}/download`;
const signer = createLinkSigner([Buffer.alloc(32, 'k')]);

function get(url: string, headers: Record<string, string> = {}, token?: string): Promise<Response> {
  return aisle.call('GET', url, { token, headers });
}

/** Returns the path and query of a link. */
function linkOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function sign(file: string, minutesAgo = 0): string {
  return `${file}?signature=${signer?.sign(file, Date.now() - minutesAgo * 60_000)}`;
}

test('download_url works without a token, in every format', async () => {
  const link = linkOf(job.download_url);
  assert.match(link, /\/download\?signature=\d+\.[\w-]{43}$/);
  const csv = await get(link);
  assert.deepEqual([csv.status, csv.text.split('\n')[1]], [200, 'SKU-00001,,UPDATED,,1,']);
  assert.equal(csv.headers['cache-control'], 'private, no-store');
  const json = await get(link, { accept: 'application/json' });
  assert.equal(json.body[0].sku, 'SKU-00001');
});

test("a promotion job's file has a signed link too", async () => {
  const rejected = await runPromotion(aisle, chain, promotionBody({ discount: [percent(20, 'SKU-00001', 'NONE')] }));
  const { status, text } = await get(linkOf(rejected.result.download_url));
  assert.equal(status, 200);
  assert.match(text, /,NONE,product_not_found,/);
});

test('a signed link works for 15 minutes', async () => {
  assert.equal((await get(sign(path, 14))).status, 200);
  const expired = await get(sign(path, 16));
  assertProblem(expired, 'invalid_signature');
  assert.match(expired.body.detail, /expired/);
});

test('a signature that is wrong, empty or repeated is rejected with 403', async () => {
  const [, signature = ''] = sign(path).split('=');
  const [expires = '', mac = ''] = signature.split('.');
  const wrong = [
    `signature=${Number(expires) + 60}.${mac}`,
    `signature=${expires}.${'A'.repeat(43)}`,
    'signature=nonsense',
    'signature=',
    `signature=${signature}&signature=${signature}`,
  ];
  for (const query of wrong) {
    const response = await get(`${path}?${query}`);
    assertProblem(response, 'invalid_signature');
    assert.match(response.body.detail, /does not match the link/);
  }
});

test('a signature is valid only for its own file and chain, and for no other route', async () => {
  const other = await runUpdate(aisle, chain, [{ sku: 'SKU-00002', price: 2 }]);
  const stranger = await makeChain(aisle);
  const [, signature = ''] = sign(path).split('?');
  const foreign = [
    `${chain.base}/catalog/jobs/${other.job_id}/download`,
    `${stranger.base}/catalog/jobs/${job.job_id}/download`,
    `${chain.base}/promotion/jobs/${job.job_id}/download`,
  ];
  for (const file of foreign) assertProblem(await get(`${file}?${signature}`), 'invalid_signature');
  for (const resource of [`${chain.base}/catalog/jobs/${job.job_id}`, `${chain.base}/settings`]) {
    assertProblem(await get(`${resource}?${signature}`), 'invalid_token');
  }
  // The signature is genuine, but the job does not exist in that chain.
  assertProblem(await get(sign(foreign[1] ?? '')), 'job_not_found');
});

test('a token takes precedence over a signature, even if the signature has expired', async () => {
  const stranger = await makeChain(aisle);
  const reader = await makeToken(aisle, chain.chainId, { scopes: ['orders:read'] });
  assert.equal((await get(sign(path, 60), {}, chain.token)).status, 200);
  assertProblem(await get(sign(path), {}, stranger.token), 'chain_not_found');
  assertProblem(await get(sign(path), {}, reader), 'forbidden');
});

test('a signature gives no access to an expired file', async () => {
  const old = await runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 3 }]);
  await aisle.db.query(`update jobs set file_expires_at = now() - interval '1 second' where job_id = $1`, [old.job_id]);
  assertProblem(await get(sign(`${chain.base}/catalog/jobs/${old.job_id}/download`)), 'download_expired');
});

test('all requests with signed links for the same chain share one rate limit', async () => {
  const limited = await aisle.another({ AISLE_RATE_LIMITS: 'read=3' });
  try {
    await inOneMinute(aisle.db, async () => {
      const statuses: number[] = [];
      for (let times = 0; times < 4; times++) statuses.push((await limited.call('GET', sign(path))).status);
      assert.deepEqual(statuses, [200, 200, 200, 429]);
    });
  } finally {
    await limited.stop();
  }
});

test('links have no signature if AISLE_SIGNED_DOWNLOADS is off or there is no secret key', async () => {
  for (const environment of [{ AISLE_SIGNED_DOWNLOADS: 'off' }, { AISLE_SECRET_KEY: '' }]) {
    const unsigned = await aisle.another(environment, 'api');
    try {
      const { body } = await unsigned.call('GET', `${chain.base}/catalog/jobs/${job.job_id}`, { token: chain.token });
      assert.equal(body.download_url, `http://aisle.test${path}`);
      assertProblem(await unsigned.call('GET', sign(path)), 'invalid_token');
    } finally {
      await unsigned.stop();
    }
  }
});

test('the download_url in an event has no signature, because events can be delivered days later', async () => {
  const [event] = await aisle.db.query<{ body: Response['body'] }>(
    `select body from events where type = 'catalog.job_finished' and body ->> 'job_id' = $1`,
    [job.job_id],
  );
  assert.deepEqual(
    [event?.body.download_url, event?.body.result.download_url],
    Array(2).fill(`http://aisle.test${path}`),
  );
});
