import type { replacementRoutes } from '@aisle/contract/replacements';
import type { Config } from '../config.ts';
import type { Access, Lookups } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { decideReplacement, proposeReplacement, withdrawReplacement } from './approve-replacement.ts';
import { getVisible } from './get-order.ts';
import { getPlatformOrder } from './get-platform-order.ts';
import { lockOrder } from './queries.ts';
import { etagOf } from './reject-stale.ts';
import { type OrderRow, orderResponse } from './rules/order-response.ts';

type Routes = Omit<typeof replacementRoutes, 'platformListReplacementCandidates'>;

export function replacementHandlers({ links, limits }: Config, lookups: Lookups): Handlers<Routes, Access> {
  const withTag = (row: OrderRow) => ({
    status: 200 as const,
    body: orderResponse(row, links),
    headers: { etag: etagOf(row) },
  });
  const lockVisible = async (tx: Tx, { chainId, actor }: Access, orderId: string, now: Date) =>
    getVisible(orderId, await lockOrder(tx, chainId, orderId), {
      vendorIds: actor.vendorIds,
      readableDays: limits.readableDays,
      now,
    });
  const partner = ({ actor }: Access) => ({ name: 'vendor', actor: `${actor.kind}:${actor.id}` });
  const platform = { name: 'platform', actor: 'platform' };
  const decide = async (
    call: Pick<Parameters<Handlers<Routes, Access>['platformApproveReplacement']>[0], 'transaction' | 'params'>,
    decision: Parameters<typeof decideReplacement>[3],
  ) => {
    const { order_id: orderId, item_id: itemId } = call.params;
    const row = await call.transaction(async (tx) => {
      const { chain_id: chainId } = await getPlatformOrder(tx, lookups, orderId);
      const order = await lockOrder(tx, chainId, orderId);
      if (!order) throw notFound('order_not_found', orderId, null);
      return decideReplacement(tx, order, itemId, decision, { by: platform, now: new Date(), links });
    });
    return withTag(row);
  };

  return {
    async proposeReplacement({ access, params, body, transaction }) {
      const now = new Date();
      const row = await transaction(async (tx) => {
        const order = await lockVisible(tx, access, params.order_id, now);
        return proposeReplacement(tx, order, params.item_id, body, { by: partner(access), now, links });
      });
      return withTag(row);
    },
    async withdrawReplacement({ access, params, transaction }) {
      const now = new Date();
      const row = await transaction(async (tx) => {
        const order = await lockVisible(tx, access, params.order_id, now);
        return withdrawReplacement(tx, order, params.item_id, { by: partner(access), now, links });
      });
      return withTag(row);
    },
    platformApproveReplacement: (call) => decide(call, { ...call.body, action: 'approve' }),
    platformRejectReplacement: (call) => decide(call, { ...call.body, action: 'reject' }),
    platformCounterReplacement: (call) => decide(call, { ...call.body, action: 'counter' }),
  };
}
