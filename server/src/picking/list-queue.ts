import type { QueuedOrder } from '@aisle/contract/picking-state';
import type { Static } from 'typebox';
import { admitVendors, findVendors, listAllVendors } from '../identity/index.ts';
import { readTime } from '../kernel/database/clock.ts';
import type { Database, Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { listOpenOrders, type OpenOrder, oldestReadable } from '../orders/index.ts';
import { type ClaimRow, countPicked, listClaims } from './queries.ts';
import type { Caller } from './read-picking.ts';
import { pickerResponse } from './response.ts';

const maxOrders = 500;
/** Reading the queue of more vendors is a slow read (see `Database.runSlow`). */
const maxQuickVendors = 100;

/** `only` are ids of vendors; undefined means all vendors that the caller can access. */
export async function listQueue(db: Database, chainId: string, caller: Caller, only: readonly string[] | undefined) {
  const now = await readTime(db);
  const vendorIds = await chooseVendors(db, chainId, caller, only);
  const since = caller.readableDays === null ? new Date(0) : oldestReadable(caller.readableDays, now);
  const list = (compared: 'OLDEST' | 'ALL') => listOpenOrders(db, chainId, vendorIds, since, maxOrders + 1, compared);
  const some = vendorIds.length > maxQuickVendors ? undefined : await list('OLDEST');
  // If there are more, an order that was placed later can be more urgent, because the others were promised for later.
  const isComplete = some !== undefined && some.length <= maxOrders;
  const found = isComplete ? some : await db.runSlow(chainId, () => list('ALL'));
  const orders = found.slice(0, maxOrders);
  const ids = orders.map(({ order_id }) => order_id);
  const picked = new Map((await countPicked(db, chainId, ids)).map((row) => [row.order_id, row.picked]));
  const claims = Map.groupBy(await listClaims(db, chainId, ids), ({ order_id }) => order_id);
  return {
    orders: orders.map((order) =>
      queuedResponse(order, picked.get(order.order_id) ?? 0, claims.get(order.order_id) ?? [], caller.actor),
    ),
    has_more: found.length > maxOrders,
    server_time: now.toISOString(),
  };
}

async function chooseVendors(
  db: Db,
  chainId: string,
  caller: Caller,
  only: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (only === undefined) {
    return caller.vendorIds ?? (await listAllVendors(db, chainId)).map(({ vendor_id }) => vendor_id);
  }
  const found = new Map(
    (await findVendors(db, chainId, only)).map((vendor) => [vendor.requested_id, vendor.vendor_id]),
  );
  const unknown = only.find((id) => !found.has(id));
  if (unknown !== undefined) throw notFound('vendor_not_found', unknown);
  const chosen = [...new Set(found.values())];
  admitVendors(caller, chosen);
  return chosen;
}

function queuedResponse(order: OpenOrder, picked: number, claims: ClaimRow[], me: string): Static<typeof QueuedOrder> {
  const { comment, item_count, promised_for, created_at, ...rest } = order;
  return {
    ...rest,
    created_at: created_at.toISOString(),
    promised_for: promised_for?.toISOString() ?? null,
    item_count,
    customer_note: comment,
    progress: { picked, total: item_count },
    pickers: claims.map((claim) => pickerResponse(claim, me)),
  };
}
