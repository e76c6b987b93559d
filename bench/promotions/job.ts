import { clientOf } from '../../e2e/support/client.ts';
import { copyInto } from '../../server/src/kernel/database/copy.ts';
import { encodeCopyRow } from '../../server/src/kernel/database/copy-text.ts';
import type { Database } from '../../server/src/kernel/database/db.ts';
import { newId } from '../../server/src/kernel/values/ids.ts';
import { type Fixture, skuOf } from '../catalog/fixture.ts';
import { putPrepared } from '../support/put-prepared.ts';

/** Returns the body for a running promotion. The name differs per round, so each round creates a new promotion. */
export function promotionBody(vendors: string[] | '*', skus: number, round: number): Buffer {
  const body = {
    vendors,
    type: 'STRIKETHROUGH',
    active: true,
    reason: 'COMPETITIVENESS',
    display_name: { en_AE: `Round ${round}` },
    conditions: { start_time: '2026-01-01T00:00:00.000Z', end_time: endTime },
    discount: [
      {
        discount_subtype: 'FINAL_PRICE',
        discount_value: 0.95,
        sku: skuList(skus).filter((_, index) => index % 2 === 0),
      },
      { discount_subtype: 'PERCENTAGE', discount_value: 20, sku: skuList(skus).filter((_, index) => index % 2 === 1) },
    ],
  };
  return Buffer.from(JSON.stringify(body));
}

/** The baseline: writes the same rows with bare SQL, a COPY of the SKUs and one INSERT per vendor. */
export async function bareInserts(db: Database, fixture: Fixture, skus: number): Promise<number> {
  const text = Buffer.from(
    skuList(skus)
      .map((sku) => encodeCopyRow([sku, 'FINAL_PRICE', 0.95]))
      .join(''),
  );
  const promotionId = newId();
  const started = performance.now();
  await db.transaction(async (tx) => {
    await tx.query(
      'create temporary table bare (sku text collate "C", discount_subtype text, discount_value numeric(10, 3)) on commit drop',
    );
    await copyInto(tx, 'bare', text);
    for (const vendor of fixture.vendors) {
      await tx.query(
        `insert into promotion_offers (chain_id, vendor_id, sku, end_time, promotion_id, start_time, discount_subtype,
           discount_value)
         select $1, $2, sku, $3, $4, '2026-01-01', discount_subtype, discount_value from bare`,
        [fixture.chainId, vendor, endTime, promotionId],
      );
    }
  });
  return performance.now() - started;
}

/** Measures Aisle from the first byte of the PUT request until the job is COMPLETED. */
export async function aisleJob(url: string, fixture: Fixture, body: Buffer): Promise<number> {
  const started = performance.now();
  const jobId = await putPrepared(`${url}${fixture.base}/promotion`, fixture.token, body);
  await clientOf({ url }, fixture).waitForPromotionJob(jobId, { pollMs: 20 });
  return performance.now() - started;
}

const endTime = '2036-01-01T00:00:00.000Z';

function skuList(count: number): string[] {
  return Array.from({ length: count }, (_, index) => skuOf(index));
}
