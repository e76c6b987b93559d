import type { Links } from '../config.ts';
import type { Tx } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { saveChange, stateConflict } from './change-order.ts';
import { lockOrder } from './queries.ts';
import { rejectStale } from './reject-stale.ts';
import type { OrderRow } from './rules/order-response.ts';
import { isEditable } from './rules/states.ts';

/** What the platform can change in an open order. Absent fields are kept. */
export type Edit = { comment?: string | null; promised_for?: Date | null };

/** Changes the order, unless it already has these values. */
export async function editOrder(
  tx: Tx,
  chainId: string,
  orderId: string,
  edit: Edit,
  { ifMatch, now, links }: { ifMatch: string | undefined; now: Date; links: Links },
): Promise<OrderRow> {
  const row = await lockOrder(tx, chainId, orderId);
  if (!row) throw notFound('order_not_found', orderId, null);
  rejectStale(row, ifMatch);
  if (!isEditable(row)) throw stateConflict(row, 'editing', 'platform');
  const next = { ...row, ...edit };
  const isSame = next.comment === row.comment && next.promised_for?.getTime() === row.promised_for?.getTime();
  if (isSame) return row;
  const by = { name: 'platform', actor: 'platform' };
  return saveChange(tx, row, edit, { transition: { event: 'order.edited' }, action: 'edited', by, now }, links);
}
