import assert from 'node:assert/strict';
import { createProductsNow } from '../../src/catalog/index.ts';
import type { Answer, TestAisle, TestChain } from './aisle.ts';

/** Gives the vendors these products at once. */
export async function giveProducts(
  { db }: Pick<TestAisle, 'db'>,
  chain: TestChain,
  products: unknown[],
  vendors = chain.vendors,
) {
  await db.transaction(async (tx) => {
    for (const vendor_id of vendors)
      await createProductsNow(tx, chain.chainId, { vendor_id, locale: 'en_AE' }, products);
  });
}

/** `count` plain products: SKU-00001 …, price 1, quantity 5. */
export function plainProducts(count: number): { sku: string; title: string; price: number; quantity: number }[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: `SKU-${String(index + 1).padStart(5, '0')}`,
    title: `Product ${index + 1}`,
    price: 1,
    quantity: 5,
  }));
}

/** The job's answer once it has ended. */
export async function waitForJob(
  aisle: Pick<TestAisle, 'call'>,
  chain: TestChain,
  jobId: string,
  seconds = 30,
): Promise<Answer['body']> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const { status, body } = await aisle.call('GET', `${chain.base}/catalog/jobs/${jobId}`, { token: chain.token });
    assert.equal(status, 200);
    if (body.job_status === 'COMPLETED' || body.job_status === 'FAILED') return body;
    assert.ok(Date.now() < deadline, `job ${jobId} is still ${body.job_status} after ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The file of a job: its CSV lines, header included. */
export async function readLog(aisle: Pick<TestAisle, 'call'>, chain: TestChain, jobId: string): Promise<string[]> {
  const { status, text } = await aisle.call('GET', `${chain.base}/catalog/jobs/${jobId}/download`, {
    token: chain.token,
  });
  assert.equal(status, 200);
  return text.trimEnd().split('\n');
}
