import type { storefrontRoutes } from '@aisle/contract/storefront';
import type { Config } from '../config.ts';
import {
  categoryResponse,
  type ChainProductRow,
  countProductsByCategory,
  findProducts,
  isAvailable,
  listCategories,
  searchProducts,
} from '../catalog/index.ts';
import { type Access, listAllVendors, type VendorRow } from '../identity/index.ts';
import type { Database, Db } from '../kernel/database/db.ts';
import { invalid, notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, type PageRequest, pageOf } from '../kernel/http/page.ts';
import { badCursor, limitOf, startOf, writeCursor } from '../kernel/http/walk.ts';
import { promotionResponse } from '../promotions/index.ts';
import { listChanges } from './list-changes.ts';
import { visibleCategories } from './rules/categories.ts';
import { readStorefrontCursor, type StorefrontCursor, storefrontCursorContent } from './cursor.ts';
import { createShow, notBefore, sortVendors } from './show.ts';
import { streamSnapshot } from './stream-snapshot.ts';

export function storefrontHandlers(config: Config): Handlers<typeof storefrontRoutes, Access> {
  const show = createShow(config);

  return {
    async platformListAssortment({ db, access: { chainId, vendor }, query }) {
      const page = pageOf(query);
      const { skus, query_term: term, category_global_ids: categories, sort = 'sku', locale } = query;
      if (skus !== undefined && (term !== undefined || categories !== undefined)) {
        const message = 'cannot be combined with query_term or category_global_ids';
        throw invalid([{ pointer: 'skus', code: 'not_allowed', message }]);
      }
      const filter = { term, categories, sort, active: undefined, salesBuffer: vendor.sales_buffer };
      const { rows, total } =
        skus === undefined
          ? await searchProducts(db, chainId, vendor.vendor_id, filter, page)
          : await findAvailable(db, vendor, skus, page);
      const found = rows.map((row) => ({ ...row, vendor_id: vendor.vendor_id }));
      return {
        status: 200,
        body: paged('products', await show(db, chainId, [vendor], found, { locale, now: new Date() }), total, page),
      };
    },

    async platformListCategories({ db, access: { chainId, vendor } }) {
      const filter = { active: undefined, salesBuffer: vendor.sales_buffer };
      const [categories, counts] = await Promise.all([
        listCategories(db, chainId),
        countProductsByCategory(db, chainId, vendor.vendor_id, filter),
      ]);
      const countOf = new Map(counts.map(({ global_id, count }) => [global_id, count]));
      const shown = visibleCategories(categories).map((row) => ({
        ...categoryResponse(row),
        product_count: countOf.get(row.global_id) ?? 0,
      }));
      return { status: 200, body: { categories: shown } };
    },

    async platformListChanges({ db, access: { chainId }, query }) {
      const { cursor: content } = await startOf(db, query, listOf(chainId));
      const cursor = content && readStorefrontCursor(content);
      if (content && !cursor) throw badCursor();
      let vendors: VendorRow[] = [];
      const listVendorIds = async () => {
        vendors = await getVendors(db, chainId, query.vendor_id);
        return vendors.map((vendor) => vendor.vendor_id);
      };
      const page = await listChanges(db, chainId, { cursor, listVendorIds, limit: limitOf(query) });
      const now = notBefore(page.seenUntil);
      const products = await show(db, chainId, vendors, page.rows, { locale: query.locale, now });
      return {
        status: 200,
        body: {
          products,
          promotions: page.promotions.map((row) => promotionResponse(row, now)),
          next_cursor: cursorText(chainId, page.next),
          has_more: page.hasMore,
        },
      };
    },

    async platformGetSnapshot({ db, access: { chainId }, query }) {
      let vendors = await getVendors(db, chainId, query.vendor_id);
      let ids: string[] | undefined;
      // The vendors when the scan starts: changes before that are not read again.
      const listVendorIds = async () => {
        if (ids) return ids;
        vendors = await getVendors(db, chainId, query.vendor_id);
        return (ids = vendors.map((vendor) => vendor.vendor_id));
      };
      const shown = (rows: ChainProductRow[], seenUntil: Date) =>
        show(db, chainId, vendors, rows, { locale: query.locale, now: notBefore(seenUntil) });
      const stream = streamSnapshot(db, chainId, listVendorIds, shown, (cursor) => cursorText(chainId, cursor));
      const headers = {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': `attachment; filename="snapshot-${chainId}.ndjson"`,
        'cache-control': 'private, no-store',
      };
      return { status: 200, stream, headers };
    },
  };
}

/** A cursor is valid only in its own chain. */
function listOf(chainId: string): string {
  return `changes ${chainId}`;
}

function cursorText(chainId: string, cursor: StorefrontCursor): string {
  return writeCursor(listOf(chainId), storefrontCursorContent(cursor));
}

async function findAvailable(db: Database, vendor: VendorRow, skus: string[], page: PageRequest) {
  const rows = await findProducts(db, vendor.chain_id, vendor.vendor_id, [...new Set(skus)]);
  const available = rows.filter((row) => isAvailable(row, vendor.sales_buffer));
  const items = available.slice(page.offset, page.offset + page.pageSize);
  return { rows: items, total: { items: available.length, isEstimate: false } };
}

/** The vendors in the order in which a walk reads them. */
async function getVendors(db: Db, chainId: string, id: string | undefined): Promise<VendorRow[]> {
  const all = await listAllVendors(db, chainId);
  const vendors = id === undefined ? all : all.filter((one) => one.vendor_id === id || one.external_id === id);
  if (id !== undefined && vendors.length === 0) throw notFound('vendor_not_found', id);
  return sortVendors(vendors);
}
