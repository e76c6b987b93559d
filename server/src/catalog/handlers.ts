import type { catalogRoutes } from '@aisle/contract/catalog';
import type { chainCatalogRoutes } from '@aisle/contract/chain-catalog';
import type { platformRoutes } from '@aisle/contract/platform';
import type { Config } from '../config.ts';
import {
  type Access,
  type Actor,
  findActorName,
  findOrigin,
  getVendor,
  resolveVendors,
  type VendorRow,
} from '../identity/index.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { type Handlers, reading } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { prefersAsync } from '../kernel/http/prefer.ts';
import { badCursor, limitOf, startOf, writeCursor } from '../kernel/http/walk.ts';
import { acceptCreation, acceptExport, acceptUpdate, type CreationTarget } from './accept-job.ts';
import { accepted } from './accepted.ts';
import { isLimited } from './rules/is-limited.ts';
import { loadPage } from './load-page.ts';
import { listProductChanges } from './list-changes.ts';
import { listOffersOf } from './lookup-queries.ts';
import { putCategories } from './put-categories.ts';
import { countProductsByCategory, listCategories } from './queries.ts';
import type { CatalogReader } from './read-body.ts';
import type { CreationPlan } from './read-creation.ts';
import { catalogList, cursorContent, readCatalogCursor } from './rules/catalog-cursor.ts';
import { categoryResponse } from './rules/category-response.ts';
import { readApplyTerms } from './rules/job-terms.ts';
import { productResponse } from './rules/product-response.ts';
import { createShowChainProducts, createShowProducts, type FindPromotions, limitShowing } from './show-products.ts';
import { createSingleUpdates } from './update-single.ts';

type Routes = typeof catalogRoutes & typeof chainCatalogRoutes & Pick<typeof platformRoutes, 'platformPutCategories'>;

export function catalogHandlers(
  config: Config,
  reader: CatalogReader,
  findPromotions: FindPromotions,
  isSharded: boolean,
): Handlers<Routes, Access> {
  const { limits } = config;
  const showProducts = limitShowing(createShowProducts(config, findPromotions));
  const showChainProducts = createShowChainProducts(showProducts);
  const updateSingle = createSingleUpdates(findPromotions, isSharded);
  const maxItems = limits.catalogItems;
  return {
    updateCatalog: reading({
      read: (input) =>
        reader.read('update', input, {
          maxItems,
          single: isSingleAllowed(input),
          isLimited: isLimited(input.access),
        }),
      async handle({ access, query, plan, db, transaction, isAtomic, address }) {
        const { chainId, vendor } = access;
        if (plan.kind === 'bulk') {
          const terms = { ...readApplyTerms(query, new Date()), origin: await findOrigin(db, access, address) };
          return accepted(await transaction((tx) => acceptUpdate(tx, chainId, vendor.vendor_id, plan, terms)));
        }
        const change = { item: plan.item, changedBy: await findActorName(db, access) };
        const { row, promotions } = await updateSingle({ db, transaction, isAtomic }, chainId, vendor, change);
        const shown = promotions([row]).get(row.sku);
        return { status: 200, body: productResponse(row, vendor, undefined, config.links, shown) };
      },
    }),

    async listCatalog({ access, query, db }) {
      const { chainId, vendor } = access;
      const page = pageOf(query);
      const { query_term: term, category_global_ids: categories, is_active: active, sort = 'sku' } = query;
      const filter = { term, categories, active, sort };
      const load = () => loadPage(db, chainId, vendor.vendor_id, filter, page);
      // All products are compared with these filters. A search is a slow read anyway.
      const isSlow = term === undefined && (categories !== undefined || active !== undefined);
      const { rows, total } = await (isSlow ? db.runSlow(chainId, load) : load());
      const products = await showProducts(db, chainId, vendor, rows, query.locale);
      return { status: 200, body: paged('products', products, total, page) };
    },

    async listChainProducts({ access, query, db }) {
      const { chainId, actor } = access;
      // A cursor is valid only in its own chain.
      const list = `${catalogList} ${access.chainId}`;
      const { cursor: content, since } = await startOf(db, query, list);
      const cursor = content && readCatalogCursor(content);
      if (content && !cursor) throw badCursor();
      let vendors: VendorRow[] = [];
      const listVendorIds = async () => {
        vendors = await getReadableVendors(db, chainId, actor, query.vendor_id);
        return vendors.map((vendor) => vendor.vendor_id);
      };
      const walk = { cursor, since, listVendorIds, limit: limitOf(query) };
      const { rows, next, hasMore } = await listProductChanges(db, chainId, walk);
      const products = await showChainProducts(db, chainId, vendors, rows, query.locale);
      const nextCursor = writeCursor(list, cursorContent(next));
      return { status: 200, body: { products, next_cursor: nextCursor, has_more: hasMore } };
    },

    async listProductOffers({ access, query, db }) {
      const { chainId, actor } = access;
      const vendors = await getReadableVendors(db, chainId, actor, undefined);
      const ids = vendors.map((vendor) => vendor.vendor_id);
      const rows = await listOffersOf(db, chainId, ids, query.sku);
      return { status: 200, body: { products: await showChainProducts(db, chainId, vendors, rows, query.locale) } };
    },

    async listCategories({ access, query, db }) {
      const { chainId, vendor } = access;
      const [categories, counts] = await Promise.all([
        listCategories(db, chainId),
        countProductsByCategory(db, chainId, vendor.vendor_id),
      ]);
      const countOf = new Map(counts.map(({ global_id, count }) => [global_id, count]));
      const parents = new Set(categories.map((category) => category.parent_global_id));
      const shown = query.only_leaves ? categories.filter(({ global_id }) => !parents.has(global_id)) : categories;
      const responses = shown.map((row) => ({
        ...categoryResponse(row),
        product_count: countOf.get(row.global_id) ?? 0,
      }));
      return { status: 200, body: { categories: responses } };
    },

    async exportCatalog({ access, db, transaction, address }) {
      const origin = await findOrigin(db, access, address);
      return accepted(await transaction((tx) => acceptExport(tx, access.chainId, access.vendor.vendor_id, origin)));
    },

    createChainProducts: reading({
      read: (input) => reader.read('creation', input, { maxItems, hasVendors: true }),
      async handle({ access, plan, db, transaction, address }) {
        const { vendors } = plan;
        if (vendors === undefined) {
          throw invalid([{ pointer: '/vendors', code: 'missing', message: 'is required: vendor ids, or "*" for all' }]);
        }
        const origin = await findOrigin(db, access, address);
        const jobId = await transaction(async (tx) => {
          const target = await findTarget(tx, access, vendors);
          rejectTooMany(plan, target, limits.creationOffers);
          return acceptCreation(tx, access.chainId, target, plan, origin);
        });
        return accepted(jobId);
      },
    }),

    createStoreProducts: reading({
      read: (input) => reader.read('creation', input, { maxItems, hasVendors: false }),
      async handle({ access, plan, db, transaction, address }) {
        const { vendor_id: vendorId, locale } = access.vendor;
        const target = {
          pathVendorId: vendorId,
          known: [{ vendorId, locale }],
          unknown: [],
          isLimited: isLimited(access),
        };
        rejectTooMany(plan, target, limits.creationOffers);
        const origin = await findOrigin(db, access, address);
        return accepted(await transaction((tx) => acceptCreation(tx, access.chainId, target, plan, origin)));
      },
    }),

    async platformPutCategories({ access, body, transaction }) {
      const rows = await transaction((tx) => putCategories(tx, access.chainId, body.categories));
      return { status: 200, body: { categories: rows.map(categoryResponse) } };
    },
  };
}

type UpdateInput = {
  access: Access;
  headers: Record<string, string | string[] | undefined>;
  query: { dry_run?: boolean; apply_at?: string };
};

function isSingleAllowed({ access, headers, query }: UpdateInput): boolean {
  if (query.dry_run || query.apply_at !== undefined) return false;
  return access.profile === 'strict' && !prefersAsync(headers);
}

/** Returns the vendors in the order in which a walk reads them. */
async function getReadableVendors(
  db: Db,
  chainId: string,
  actor: Actor,
  vendorId: string | undefined,
): Promise<VendorRow[]> {
  if (vendorId !== undefined) return [await getVendor(db, chainId, actor, vendorId)];
  const { known } = await resolveVendors(db, chainId, actor, actor.vendorIds ?? '*');
  return known.toSorted((a, b) => (a.vendor_id < b.vendor_id ? -1 : 1));
}

async function findTarget(tx: Tx, access: Access, vendors: string[] | '*'): Promise<CreationTarget> {
  const { known, unknown } = await resolveVendors(tx, access.chainId, access.actor, vendors);
  return {
    pathVendorId: null,
    known: known.map(({ vendor_id, locale }) => ({ vendorId: vendor_id, locale })),
    unknown,
    isLimited: isLimited(access),
  };
}

function rejectTooMany(plan: CreationPlan, target: CreationTarget, max: number): void {
  const vendors = target.known.length + target.unknown.length;
  if (vendors === 0) throw new Failure('invalid_request', 'The chain has no vendors yet.');
  if (plan.total * vendors <= max) return;
  const message = `must have at most ${max} items, each counted once per vendor`;
  throw invalid([{ pointer: '/products', code: 'too_long', message }]);
}
