import type { platformOrderRoutes } from '@aisle/contract/platform-orders';
import type { quoteRoutes } from '@aisle/contract/quotes';
import type { QueryOf } from '@aisle/contract/route';
import type { storefrontOrderRoutes } from '@aisle/contract/storefront-orders';
import type { Config } from '../config.ts';
import {
  type Access,
  getChainById,
  getFilteredStore,
  getVendorById,
  listChainIds,
  type Lookups,
} from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { badCursor, limitOf, startOf, writeCursor } from '../kernel/http/walk.ts';
import { parseTime } from '../kernel/values/time.ts';
import { editOrder } from './edit-order.ts';
import { getPlatformOrder } from './get-platform-order.ts';
import { listAllOrderChanges } from './list-all-changes.ts';
import { type Move, moveOrder } from './move-order.ts';
import { placeOrder } from './place-order.ts';
import { etagOf } from './reject-stale.ts';
import { listOrdersByExternalId } from './platform-queries.ts';
import { quoteBasket } from './quote-basket.ts';
import { type OrderRow, orderResponse } from './rules/order-response.ts';
import { platformCursorContent, platformOrderList, readPlatformCursor } from './rules/platform-cursor.ts';
import { refundResponse } from './rules/refund.ts';

type Routes = typeof platformOrderRoutes & typeof storefrontOrderRoutes & typeof quoteRoutes;

export function platformOrderHandlers(
  { links }: Config,
  lookups: Lookups,
  isSharded: boolean,
): Handlers<Routes, Access> {
  const response = (row: OrderRow) => orderResponse(row, links);
  const withTag = (row: OrderRow) => ({ status: 200 as const, body: response(row), headers: { etag: etagOf(row) } });

  const getStore = async (chainId: string, vendorId: string) =>
    getVendorById(lookups, await getChainById(lookups, chainId), vendorId);

  const filterOf = async (db: Db, query: QueryOf<typeof storefrontOrderRoutes.platformListOrders>) => {
    const { status, external_order_id: externalId } = query;
    const { chain, vendor } = await getFilteredStore(lookups, query);
    const chainIds = externalId === undefined ? [] : chain ? [chain.chain_id] : await listChainIds(db);
    const time = (text: string | undefined) => (text === undefined ? undefined : (parseTime(text) ?? undefined));
    return {
      selection: {
        chainId: chain?.chain_id,
        orders: externalId === undefined ? undefined : await listOrdersByExternalId(db, chainIds, externalId),
      },
      conditions: {
        vendorId: vendor?.vendor_id,
        status,
        from: time(query.start_time),
        to: time(query.end_time),
      },
    };
  };

  const move = async (
    call: Pick<Parameters<Handlers<Routes, Access>['platformPickUpOrder']>[0], 'transaction' | 'params'>,
    report: Move,
  ) => {
    const row = await call.transaction(async (tx) => {
      const { chain_id: chainId } = await getPlatformOrder(tx, lookups, call.params.order_id);
      return moveOrder(tx, chainId, call.params.order_id, report, new Date(), links);
    });
    return withTag(row);
  };

  return {
    async platformPlaceOrder({ body, transaction }) {
      const { chain_id: chainId, vendor_id: vendorId, ...order } = body;
      const vendor = await getStore(chainId, vendorId);
      const by = { name: 'platform', actor: 'platform' };
      const placement = { order, isTest: false, by, now: new Date() };
      const row = await transaction((tx) => placeOrder(tx, vendor.chain_id, vendor, placement, links), vendor.chain_id);
      return { status: 201, body: response(row), headers: { etag: etagOf(row) } };
    },

    async platformListOrders({ db, query }) {
      const { cursor: content, since } = await startOf(db, query, platformOrderList);
      const cursor = content && readPlatformCursor(content);
      if (content && !cursor) throw badCursor();
      const { rows, next, hasMore } = await listAllOrderChanges(db, {
        cursor,
        since,
        ...(await filterOf(db, query)),
        limit: limitOf(query),
        isSharded,
      });
      const nextCursor = writeCursor(platformOrderList, platformCursorContent(next));
      return { status: 200, body: { orders: rows.values().map(response), next_cursor: nextCursor, has_more: hasMore } };
    },

    async platformGetOrder({ db, params }) {
      return withTag(await getPlatformOrder(db, lookups, params.order_id));
    },

    async platformGetOrderRefund({ db, params }) {
      return { status: 200, body: refundResponse(await getPlatformOrder(db, lookups, params.order_id)) };
    },

    async platformEditOrder({ params, body, headers, transaction }) {
      const { promised_for: time, ...rest } = body;
      const edit = { ...rest, ...(time !== undefined && { promised_for: time === null ? null : parseTime(time) }) };
      const context = { ifMatch: headers['if-match'], now: new Date(), links };
      const row = await transaction(async (tx) => {
        const { chain_id: chainId } = await getPlatformOrder(tx, lookups, params.order_id);
        return editOrder(tx, chainId, params.order_id, edit, context);
      });
      return withTag(row);
    },

    platformCancelOrder: (call) => move(call, { action: 'cancel', ...call.body }),
    platformPickUpOrder: (call) => move(call, { action: 'pickup' }),
    platformDeliverOrder: (call) => move(call, { action: 'deliver' }),
    platformCollectOrder: (call) => move(call, { action: 'collect' }),

    async platformQuoteBasket({ body, transaction }) {
      const { chain_id: chainId, vendor_id: vendorId, ...basket } = body;
      const vendor = await getStore(chainId, vendorId);
      const now = new Date();
      const quote = await transaction((tx) => quoteBasket(tx, vendor.chain_id, vendor, basket, now, links));
      return { status: 200, body: quote };
    },
  };
}
