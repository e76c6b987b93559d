import type { Config } from '../config.ts';
import { jobChores } from '../jobs/index.ts';
import type { Database } from '../kernel/database/db.ts';
import type { Feature } from '../feature.ts';
import { catalogHandlers, prepareCatalog } from './handlers.ts';
import { createCatalogReader } from './read-body.ts';
import type { FindPromotions } from './show-products.ts';
import { catalogTasks } from './tasks.ts';

export { acceptExport, acceptUpdate } from './accept-job.ts';
export { createProductsNow } from './create-now.ts';
export { setPictures } from './creation-queries.ts';
export { putCategories } from './put-categories.ts';
export { readUpdate } from './read-update.ts';
export { chooseText, isAvailable } from './rules/product-response.ts';
export type { FindPromotions } from './show-products.ts';
export { findOffers, lockOffers, type OfferRow, setStock } from './stock-queries.ts';

type CatalogFeature = Feature<ReturnType<typeof catalogHandlers>> & { prepare: ReturnType<typeof prepareCatalog> };

/** `findPromotions` is what shows beside the prices: the catalog itself knows no promotions. */
export function catalogFeature(config: Config, db: Database, findPromotions: FindPromotions): CatalogFeature {
  const reader = createCatalogReader();
  const ending = {
    get publicUrl() {
      return config.publicUrl;
    },
    fileDays: config.limits.downloadDays,
  };
  return {
    handlers: catalogHandlers(config, reader, findPromotions),
    prepare: prepareCatalog(config, reader),
    tasks: catalogTasks(db, ending),
    chores: jobChores(config),
    close: reader.close,
  };
}
