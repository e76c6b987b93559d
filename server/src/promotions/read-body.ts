import { createBodyReader } from '../kernel/bodies/reader.ts';
import { type PromotionPlan, type ReadOptions, readPromotion } from './read-promotion.ts';

export type PromotionBody = { bytes: Uint8Array; options: ReadOptions };

/** Reads bodies of promotion requests: small ones here and now, large ones in a thread. */
export type PromotionReader = {
  promotion(bytes: Uint8Array, options: ReadOptions): Promise<PromotionPlan>;
  close(): Promise<void>;
};

export function createPromotionReader(): PromotionReader {
  const reader = createBodyReader<PromotionBody>(new URL('./read-thread.ts', import.meta.url), readPromotionBody);
  return { promotion: (bytes, options) => reader.read({ bytes, options }), close: reader.close };
}

export function readPromotionBody({ bytes, options }: PromotionBody): PromotionPlan {
  return readPromotion(bytes, options);
}
