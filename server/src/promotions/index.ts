import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import type { Database } from '../kernel/database/db.ts';
import { type BodyThreads, createBodyReader } from '../kernel/bodies/reader.ts';
import type { LinkSigner } from '../kernel/secrets/sign-links.ts';
import { promotionChores } from './chores.ts';
import { promotionHandlers } from './handlers.ts';
import { bodies } from './read-body.ts';
import { promotionTasks } from './tasks.ts';

export { announcePromotions } from './announce-promotions.ts';
export { acceptPromotionFile, type VendorTarget } from './accept-promotion.ts';
export { addPromotionFile } from './add-file.ts';
export type { PromotionPlan } from './read-promotion.ts';
export { type FailedRows, type PromotionReader } from './read-rows.ts';
export { applyPromotionNow } from './apply-now.ts';
export {
  listChainsChangedAfter as listChainsWithPromotionChanges,
  restartWalks as restartPromotionWalks,
} from './change-queries.ts';
export { openPromotionChanges, type PromotionChanges } from './list-changes.ts';
export { listCurrentPromotions, type PromotionRow } from './queries.ts';
export { promotionResponse } from './rules/response.ts';
export { findShownPromotions, runningTerms, type SkuPrice } from './find-running.ts';
export {
  findGlobalUnits,
  type GlobalUse,
  globalUses,
  grantTerms,
  releaseGlobalUnits,
  reserveGlobalUnits,
} from './global-units.ts';
export { type DiscountLine, discountLines, type LineDiscount } from './rules/discount.ts';
export type { PromotionLimits, PromotionTerms } from './rules/terms.ts';
export { canBeRunning, listRunning, type RunningRow } from './running-queries.ts';

/** The module that exports `promotionReader`. */
export const promotionReaderModule = new URL('./read-rows.ts', import.meta.url).href;

/** `isSharded` says whether the database is distributed. */
export function promotionFeature(
  config: Config,
  db: Database,
  threads: BodyThreads,
  signer: LinkSigner | undefined,
  isSharded: boolean,
): Feature<ReturnType<typeof promotionHandlers>> {
  const reader = createBodyReader(threads, new URL('./read-body.ts', import.meta.url), bodies);
  return {
    handlers: promotionHandlers(config, reader, signer),
    tasks: promotionTasks(db, config.limits.downloadDays, isSharded),
    chores: promotionChores(),
    close: async () => {},
  };
}
