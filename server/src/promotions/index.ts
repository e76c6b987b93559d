import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import type { Database } from '../kernel/database/db.ts';
import { promotionChores } from './chores.ts';
import { preparePromotion, promotionHandlers } from './handlers.ts';
import { createPromotionReader } from './read-body.ts';
import { promotionTasks } from './tasks.ts';

export { applyPromotionNow } from './apply-now.ts';
export { findRunningTerms, findShownPromotions, type SkuPrice } from './find-running.ts';
export { type GlobalUse, globalUses, grantTerms, returnGlobalUnits, takeGlobalUnits } from './global-units.ts';
export { type DiscountLine, discountLines, type LineDiscount } from './rules/discount.ts';
export type { PromotionLimits, PromotionTerms } from './rules/terms.ts';

type PromotionFeature = Feature<ReturnType<typeof promotionHandlers>> & {
  prepare: ReturnType<typeof preparePromotion>;
};

export function promotionFeature(config: Config, db: Database): PromotionFeature {
  const reader = createPromotionReader();
  return {
    handlers: promotionHandlers(config, reader),
    prepare: preparePromotion(reader),
    tasks: promotionTasks(db, config.limits.downloadDays),
    chores: promotionChores(),
    close: reader.close,
  };
}
