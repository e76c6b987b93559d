import type { Config } from '../config.ts';
import type { Database } from '../kernel/database/db.ts';
import type { Feature } from '../feature.ts';
import { type BodyThreads, createBodyReader } from '../kernel/bodies/reader.ts';
import { catalogChores } from './chores.ts';
import { catalogHandlers } from './handlers.ts';
import { catalogJobHandlers } from './job-handlers.ts';
import { bodies } from './read-body.ts';
import type { FindPromotions } from './show-products.ts';
import { catalogTasks } from './tasks.ts';

export {
  acceptCreationFile,
  acceptExport,
  acceptUpdate,
  acceptUpdateFile,
  addFileChunk,
  type FileTarget,
  type JobTerms,
} from './accept-job.ts';
export { applyPreview } from './apply-preview.ts';
export { startAssigningOffers } from './assign-positions.ts';
export {
  type ChainProductRow,
  listChainsChangedAfter as listChainsWithProductChanges,
  restartWalks as restartProductWalks,
  type Slice,
} from './change-queries.ts';
export { createProductsNow } from './create-now.ts';
export { endOfChanges, listProductChanges, readVendors, type VendorRows } from './list-changes.ts';
export { loadPage as searchProducts } from './load-page.ts';
export {
  type CandidateRow,
  findProducts,
  findSkusByCodes,
  findSkusByStarts,
  findTitles,
  listCandidates,
} from './lookup-queries.ts';
export { countProductsByCategory, listCategories, type ProductRow } from './queries.ts';
export { type CatalogCursor, cursorContent, readCatalogCursor } from './rules/catalog-cursor.ts';
export { categoryResponse } from './rules/category-response.ts';
export { setPictures } from './creation-queries.ts';
export { catalogLines } from './run-export.ts';
export { putCategories } from './put-categories.ts';
export { type FileChunk, rowReaders, type RowReaders } from './read-rows.ts';
export { type FileItem, readUpdate, type RowCollector } from './read-update.ts';
export { readApplyAt, readApplyTerms } from './rules/job-terms.ts';
export { chooseText, isAvailable } from './rules/product-response.ts';
export {
  createShowChainProducts,
  createShowProducts,
  type FindPromotions,
  limitShowing,
  type ShowProducts,
} from './show-products.ts';
export {
  findNames,
  findOffers,
  listSampleOffers,
  lockOffers,
  lockSelected,
  type OfferRow,
  setStock,
} from './stock-queries.ts';

/** The module that exports `rowReaders`. */
export const rowReadersModule = new URL('./read-rows.ts', import.meta.url).href;

/**
 * `findPromotions` is passed in because this feature does not depend on promotions. `isSharded` says whether the database
 * is distributed.
 */
export function catalogFeature(
  config: Config,
  db: Database,
  threads: BodyThreads,
  findPromotions: FindPromotions,
  isSharded: boolean,
): Feature<ReturnType<typeof catalogHandlers> & ReturnType<typeof catalogJobHandlers>> {
  const reader = createBodyReader(threads, new URL('./read-body.ts', import.meta.url), bodies);
  return {
    handlers: { ...catalogHandlers(config, reader, findPromotions, isSharded), ...catalogJobHandlers(config) },
    tasks: catalogTasks(db, config, config.limits, isSharded),
    chores: catalogChores,
    close: async () => {},
  };
}
