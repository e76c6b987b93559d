import type { BodyReader, BodyReads } from '../kernel/bodies/reader.ts';
import { type PromotionPlan, type ReadOptions, readPromotion } from './read-promotion.ts';

type PromotionBodies = { promotion: { options: ReadOptions; plan: PromotionPlan } };

export type PromotionReader = BodyReader<PromotionBodies>;

/** How bodies of promotion requests are read, in the thread of `read-thread.ts` if they are large. */
export const promotionBodies: BodyReads<PromotionBodies> = {
  // The entry of a SKU is an object and an array, and a valid body may have as many entries as fit into it.
  promotion: { read: readPromotion, maxParts: () => 4_000_000 },
};
