import type { BodyShape } from '../kernel/bodies/check-shape.ts';
import type { BodyReads } from '../kernel/bodies/read-job.ts';
import type { BodyReader } from '../kernel/bodies/reader.ts';
import { type PromotionPlan, type ReadOptions, readPromotion, tooManySkus } from './read-promotion.ts';

type Options = ReadOptions & { maxPairs: number };
type PromotionBodies = { promotion: { options: Options; plan: PromotionPlan } };

export type PromotionReader = BodyReader<PromotionBodies>;

/** The parsers for promotion requests. Large bodies are parsed in a separate thread (`kernel/bodies/body-thread.ts`). */
export const bodies: BodyReads<PromotionBodies> = {
  promotion: { read: readPromotion, limits },
};

/** Each entry is an object with an array. A SKU counts once per vendor, so there can be at most `maxPairs` SKUs. */
function limits({ maxPairs }: Options): BodyShape {
  const list = { path: ['discount', 'sku'], max: maxPairs, tooLong: () => tooManySkus(maxPairs) };
  return { maxParts: Math.max(1_000_000, 2 * maxPairs + 1000), maxNames: 1000, list };
}
