import { zstdDecompressSync } from 'node:zlib';
import type { Tx } from '../kernel/database/db.ts';
import {
  emptyIncoming,
  fillIncomingOffers,
  fillIncomingProducts,
  insertIncomingOffers,
  insertIncomingProducts,
} from './creation-queries.ts';
import { readCreation } from './read-creation.ts';

/** Creates products at one vendor immediately, without a job, in the caller's transaction. Used for seeding. */
export async function createProductsNow(
  tx: Tx,
  chainId: string,
  vendor: { vendor_id: string; locale: string },
  products: unknown[],
): Promise<void> {
  const plan = readCreation(
    { products },
    {
      maxItems: products.length,
      hasVendors: false,
    },
  );
  for (const chunk of plan.chunks) {
    await fillIncomingProducts(tx, zstdDecompressSync(chunk.products));
    await insertIncomingProducts(tx, chainId, vendor.locale);
    await fillIncomingOffers(tx, zstdDecompressSync(chunk.offers));
    const options = { isLimited: false, maxFeedback: 1, reachedMax: null, isSharded: false };
    const outcome = await insertIncomingOffers(tx, chainId, vendor.vendor_id, options);
    await emptyIncoming(tx);
    if (outcome.failed > 0) throw new Error(outcome.feedback[0]?.rejected_reason ?? 'A product was rejected.');
  }
}
