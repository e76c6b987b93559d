import type { BodyReader, BodyReads } from '../kernel/bodies/reader.ts';
import { type PromotionPlan, type ReadOptions, readPromotion } from './read-promotion.ts';

type PromotionBodies = { promotion: { options: ReadOptions; plan: PromotionPlan } };

export type PromotionReader = BodyReader<PromotionBodies>;

/** The parsers for promotion requests. Large bodies are parsed in a separate thread (`read-thread.ts`). */
export const promotionBodies: BodyReads<PromotionBodies> = {
  // Each entry is an object with an array, and the number of entries is limited only by the size of the body.
  promotion: { read: readPromotion, maxParts: () => 4_000_000 },
};
