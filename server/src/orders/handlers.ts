import type { OrderOutcome } from '@aisle/contract/order';
import type { orderRoutes } from '@aisle/contract/orders';
import type { Config } from '../config.ts';
import { type Access, getVendor, listAllVendors } from '../identity/index.ts';
import type { Database } from '../kernel/database/db.ts';
import { invalid } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { badCursor, limitOf, startOf, writeCursor } from '../kernel/http/walk.ts';
import { parseTime } from '../kernel/values/time.ts';
import { findOrders } from './find-orders.ts';
import { listOrderChanges } from './list-changes.ts';
import { listOrders } from './list-queries.ts';
import { getVisibleOrder } from './get-order.ts';
import { putOrder } from './put-order.ts';
import { etagOf } from './reject-stale.ts';
import { listOrdersWith } from './queries.ts';
import { cursorContent, orderList, readOrderCursor } from './rules/order-cursor.ts';
import { type OrderRow, orderResponse } from './rules/order-response.ts';
import { resolveRange } from './rules/time-range.ts';
import { readPut } from './rules/read-put.ts';

type Routes = Omit<typeof orderRoutes, 'getOrderHistory'>;
type RangeQuery = {
  start_time?: string;
  end_time?: string;
  status?: OrderRow['status'];
  query_term?: string;
  outcome?: OrderOutcome;
  is_test?: boolean;
  page?: number;
  page_size?: number;
};

export function orderHandlers(config: Config): Handlers<Routes, Access> {
  const { links } = config;
  const { readableDays } = config.limits;
  const visibilityOf = ({ actor }: Access) => ({ vendorIds: actor.vendorIds, readableDays, now: new Date() });
  const response = (row: OrderRow) => orderResponse(row, links);
  const withTag = (row: OrderRow) => ({ status: 200 as const, body: response(row), headers: { etag: etagOf(row) } });

  const list = async (db: Database, access: Access, query: RangeQuery, vendorIds: readonly string[] | null) => {
    const time = (text: string | undefined) => (text === undefined ? undefined : (parseTime(text) ?? undefined));
    const requested = { start_time: time(query.start_time), end_time: time(query.end_time) };
    const range = resolveRange(requested, access.profile, readableDays, new Date());
    if ('message' in range) throw invalid([range]);
    const { status, outcome, is_test: isTest, query_term: term } = query;
    const orderIds = term ? await findOrders(db, access.chainId, { ...range, vendorIds }, term) : undefined;
    const page = pageOf(query);
    const filter = { ...range, vendorIds, status, outcome, isTest, orderIds };
    const read = () => listOrders(db, access.chainId, filter, page);
    // All orders in the range are compared with these filters.
    const isSlow = status !== undefined || outcome !== undefined;
    const { rows, total } = await (isSlow ? db.runSlow(access.chainId, read) : read());
    return { orders: rows.values().map(response), total, page };
  };

  const getOrder: Handlers<Routes, Access>['getOrderById'] = async ({ db, access, params }) =>
    withTag(await getVisibleOrder(db, access.chainId, params.order_id, visibilityOf(access)));

  return {
    async putOrder({ access, params, body, headers, transaction }) {
      const { chainId, profile, actor } = access;
      const put = readPut(body, params.order_id, profile);
      if ('errors' in put) throw invalid(put.errors, put.code);
      const context = {
        profile,
        vendorIds: actor.vendorIds,
        ifMatch: headers['if-match'],
        by: { name: 'vendor', actor: `${actor.kind}:${actor.id}` },
        now: new Date(),
        readableDays,
        links,
      };
      const { row, warnings } = await transaction((tx) => putOrder(tx, chainId, params.order_id, put, context));
      return {
        status: 200,
        body: { ...response(row), ...(warnings.length > 0 && { warnings }) },
        headers: { etag: etagOf(row) },
      };
    },

    getOrder,
    getOrderById: getOrder,

    async listOrders({ db, access, query }) {
      const { orders, total, page } = await list(db, access, query, [access.vendor.vendor_id]);
      return { status: 200, body: paged('orders', orders, total, page) };
    },

    async listProductOrders({ db, access: { chainId, actor }, query }) {
      const vendorIds = actor.vendorIds ?? (await listAllVendors(db, chainId)).map((vendor) => vendor.vendor_id);
      const orders = await listOrdersWith(db, chainId, vendorIds, query.sku, readableDays);
      const shown = orders.map(({ created_at, ...order }) => ({ ...order, created_at: created_at.toISOString() }));
      return { status: 200, body: { orders: shown } };
    },

    async listOrdersBare({ db, access, query }) {
      const { orders, total, page } = await list(db, access, query, [access.vendor.vendor_id]);
      const link = linkHeader(
        links.bareOrders(access.chainId, access.vendor.vendor_id),
        query,
        page.page,
        Math.ceil(total / page.pageSize),
      );
      return { status: 200, body: orders, headers: { 'x-total-count': String(total), ...(link && { link }) } };
    },

    async searchOrders({ db, access, query }) {
      const { vendor_id: id, ...rest } = query;
      const vendor = id === undefined ? undefined : await getVendor(db, access.chainId, access.actor, id);
      const vendorIds = vendor ? [vendor.vendor_id] : access.actor.vendorIds;
      const { orders, total, page } = await list(db, access, rest, vendorIds);
      return { status: 200, body: paged('orders', orders, total, page) };
    },

    async listChainOrders({ db, access, query }) {
      const { chainId, actor } = access;
      const visibility = visibilityOf(access);
      // A cursor is valid only in its own chain.
      const list = `${orderList} ${access.chainId}`;
      const { cursor: content, since } = await startOf(db, query, list);
      const cursor = content && readOrderCursor(content);
      if (content && !cursor) throw badCursor();
      const vendor = query.vendor_id === undefined ? undefined : await getVendor(db, chainId, actor, query.vendor_id);
      const { rows, next, hasMore } = await listOrderChanges(
        db,
        chainId,
        { cursor, since, status: query.status, limit: limitOf(query) },
        { ...visibility, ...(vendor && { vendorIds: [vendor.vendor_id] }) },
      );
      const nextCursor = writeCursor(list, cursorContent(next));
      return { status: 200, body: { orders: rows.values().map(response), next_cursor: nextCursor, has_more: hasMore } };
    },
  };
}

/** RFC 8288: links to the other pages of the list. */
function linkHeader(url: string, query: RangeQuery, page: number, pages: number): string | undefined {
  const linkTo = (rel: string, number: number) => {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, page: number })) given.set(name, String(value));
    return `<${url}?${given.toString()}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [linkTo('first', 1), linkTo('prev', Math.min(page - 1, Math.max(1, pages)))] : []),
    ...(page < pages ? [linkTo('next', page + 1), linkTo('last', pages)] : []),
  ];
  return links.length === 0 ? undefined : links.join(', ');
}
