import type { pickingRoutes } from '@aisle/contract/picking';
import type { replacementRoutes } from '@aisle/contract/replacements';
import { searchProducts, type ShowProducts } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import {
  type Access,
  admitVendors,
  findActorName,
  findVendors,
  type Lookups,
  getVendor,
  type VendorRow,
} from '../identity/index.ts';
import type { Database, Db } from '../kernel/database/db.ts';
import { invalid, notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { pageOf } from '../kernel/http/page.ts';
import type { Waits } from '../kernel/http/waits.ts';
import { getPlatformOrder, getVisibleOrder, type OrderRow } from '../orders/index.ts';
import { claimOrder, type NamedCaller, releaseOrder } from './claim-order.ts';
import { findByCode, findCandidates, maxFound } from './find-products.ts';
import { listQueue } from './list-queue.ts';
import { markItems } from './mark-items.ts';
import { type Caller, readPicking, waitForPicking } from './read-picking.ts';
import { checkBarcodeRules } from './rules/check-settings.ts';
import { findSettings, saveSettings } from './settings-queries.ts';

type PlatformRoutes = Pick<typeof replacementRoutes, 'platformListReplacementCandidates'>;

export function pickingHandlers(
  { limits }: Config,
  lookups: Lookups,
  waits: Waits,
  showProducts: ShowProducts<Database>,
): Handlers<typeof pickingRoutes & PlatformRoutes, Access> {
  const { readableDays, claimSeconds: seconds } = limits;
  const callerOf = ({ actor }: Access): Caller => ({
    vendorIds: actor.vendorIds,
    readableDays,
    actor: `${actor.kind}:${actor.id}`,
  });
  const namedCaller = async (db: Db, access: Access): Promise<NamedCaller> => {
    return { ...callerOf(access), name: await findActorName(db, access), seconds };
  };
  const orderAndVendor = async (db: Db, access: Access, orderId: string) => {
    const order = await getVisibleOrder(db, access.chainId, orderId, { ...callerOf(access), now: new Date() });
    return { order, vendor: await getVendor(db, access.chainId, access.actor, order.vendor_id) };
  };

  const candidatesOf = async (db: Database, order: OrderRow, vendor: VendorRow, itemId: string) => {
    const item = order.items.find(({ id }) => id === itemId);
    if (!item) throw notFound('order_item_not_found', itemId, 'this order');
    const { rows, reasonFor } = await findCandidates(db, order.chain_id, vendor, {
      sku: item.sku,
      isWeighed: item.pricingType === 'KG',
      suggested: item.wish?.suggestions.map(({ sku }) => sku) ?? [],
      ordered: new Set(order.items.map(({ sku }) => sku)),
    });
    const products = await showProducts(db, order.chain_id, vendor, rows, undefined);
    return { candidates: products.map((product) => ({ ...product, reason: reasonFor(product.sku) })) };
  };

  return {
    async listPickingQueue({ db, access, query }) {
      return { status: 200, body: await listQueue(db, access.chainId, callerOf(access), query.vendor_id) };
    },

    async getPicking({ db, access, params, query }) {
      const { version, wait_seconds: waitSeconds = 0 } = query;
      const about = { chainId: access.chainId, orderId: params.order_id };
      return { status: 200, body: await waitForPicking(db, waits, about, callerOf(access), { version, waitSeconds }) };
    },

    async claimOrder({ transaction, access, params, body }) {
      const state = await transaction(async (tx) => {
        const caller = await namedCaller(tx, access);
        await claimOrder(tx, access.chainId, params.order_id, body?.mode ?? 'CLAIM', caller);
        return readPicking(tx, access.chainId, params.order_id, caller);
      });
      return { status: 200, body: state };
    },

    async releaseOrder({ transaction, access, params }) {
      const state = await transaction(async (tx) => {
        await releaseOrder(tx, access.chainId, params.order_id, callerOf(access));
        return readPicking(tx, access.chainId, params.order_id, callerOf(access));
      });
      return { status: 200, body: state };
    },

    async markItems({ transaction, access, params, body }) {
      const state = await transaction(async (tx) => {
        const caller = await namedCaller(tx, access);
        await markItems(tx, access.chainId, params.order_id, body, caller);
        return readPicking(tx, access.chainId, params.order_id, caller);
      });
      return { status: 200, body: state };
    },

    async listReplacementCandidates({ db, access, params }) {
      const { order, vendor } = await orderAndVendor(db, access, params.order_id);
      return { status: 200, body: await candidatesOf(db, order, vendor, params.item_id) };
    },

    async platformListReplacementCandidates({ db, params }) {
      const order = await getPlatformOrder(db, lookups, params.order_id);
      const [vendor] = await findVendors(db, order.chain_id, [order.vendor_id]);
      if (!vendor) throw notFound('order_not_found', params.order_id, null);
      return { status: 200, body: await candidatesOf(db, order, vendor, params.item_id) };
    },

    async findPickingProducts({ db, access, params, query }) {
      const { vendor } = await orderAndVendor(db, access, params.order_id);
      const { rows, embedded } = await search(db, access.chainId, vendor.vendor_id, query);
      return {
        status: 200,
        body: { products: await showProducts(db, access.chainId, vendor, rows, undefined), embedded },
      };
    },

    async getPickingSettings({ db, access }) {
      return { status: 200, body: await findSettings(db, access.chainId) };
    },

    async updatePickingSettings({ transaction, access, body }) {
      admitVendors(access.actor, '*');
      const errors = checkBarcodeRules(body.embedded_barcodes);
      if (errors.length > 0) throw invalid(errors);
      await transaction((tx) => saveSettings(tx, access.chainId, body));
      return { status: 200, body };
    },
  };
}

async function search(db: Database, chainId: string, vendorId: string, given: { code?: string; query?: string }) {
  const { code, query } = given;
  if (code !== undefined && query !== undefined) {
    throw invalid([{ pointer: 'query', code: 'not_allowed', message: 'cannot be combined with code' }]);
  }
  if (code !== undefined) return findByCode(db, chainId, vendorId, code);
  const filter = { term: query, categories: undefined, active: undefined, sort: 'relevance' as const };
  const { rows } = await searchProducts(db, chainId, vendorId, filter, pageOf({ page_size: maxFound }));
  return { rows, embedded: null };
}
