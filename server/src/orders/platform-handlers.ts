import type { platformOrderRoutes } from '@aisle/contract/platform-orders';
import type { quoteRoutes } from '@aisle/contract/quotes';
import type { Config } from '../config.ts';
import type { Access, Lookups } from '../identity/index.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { type Move, moveOrder } from './move-order.ts';
import { placeOrder } from './place-order.ts';
import { etagOf } from './put-order.ts';
import { findChainOfOrder, findOrder } from './queries.ts';
import { quoteBasket } from './quote-basket.ts';
import { type OrderRow, orderResponse } from './rules/order-response.ts';

type Routes = typeof platformOrderRoutes & typeof quoteRoutes;

export function platformOrderHandlers({ links }: Config, lookups: Lookups): Handlers<Routes, Access> {
  const response = (row: OrderRow) => orderResponse(row, links);
  const withTag = (row: OrderRow) => ({ status: 200 as const, body: response(row), headers: { etag: etagOf(row) } });

  const getStore = async (chainId: string, vendorId: string) => {
    const chain = await lookups.chain(chainId.toLowerCase());
    if (!chain) throw notFound('chain_not_found', chainId, null);
    const vendor = await lookups.vendor(chain.chain_id, vendorId);
    if (!vendor) throw notFound('vendor_not_found', vendorId);
    return vendor;
  };

  const move = async (
    call: Pick<Parameters<Handlers<Routes, Access>['platformPickUpOrder']>[0], 'transaction' | 'params'>,
    report: Move,
  ) => {
    const row = await call.transaction(async (tx) => {
      const chainId = await findChainOfOrder(tx, call.params.order_id);
      if (chainId === undefined) throw notFound('order_not_found', call.params.order_id, null);
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
      const row = await transaction((tx) => placeOrder(tx, vendor.chain_id, vendor, placement, links));
      return { status: 201, body: response(row), headers: { etag: etagOf(row) } };
    },

    async platformGetOrder({ db, params }) {
      const chainId = await findChainOfOrder(db, params.order_id);
      const row = chainId === undefined ? undefined : await findOrder(db, chainId, params.order_id);
      if (!row) throw notFound('order_not_found', params.order_id, null);
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
