import type { Links } from '../config.ts';
import type { OfferRow } from '../catalog/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { type By, getTransition, saveChange } from './change-order.ts';
import { lockWithOffers } from './lock-order.ts';
import { releaseAll } from './release-order.ts';
import { toStoredLine } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';
import { nextReport } from './rules/states.ts';

/** A report from the platform: pickup by the rider, delivery, collection by the customer, or cancellation. */
export type Move =
  | { action: 'pickup' | 'deliver' | 'collect' }
  | { action: 'cancel'; cancelled_by: 'CUSTOMER' | 'LOGISTICS'; reason: string };

export async function moveOrder(
  tx: Tx,
  chainId: string,
  orderId: string,
  move: Move,
  now: Date,
  links: Links,
): Promise<OrderRow> {
  const movable = move.action === 'cancel' ? { skus: [], unchanged: [] } : undefined;
  const [row, offers] = await lockWithOffers(tx, chainId, orderId, movable);
  if (!row) throw notFound('order_not_found', orderId);
  const transition = getTransition(row, move.action, 'platform');
  const next =
    move.action === 'cancel'
      ? await cancelled(tx, row, offers, move)
      : { ridden: row.ridden || move.action === 'pickup' };
  const change = { transition, action: historyActions[move.action], by: byOf(move, row), now };
  return saveChange(tx, row, next, change, links);
}

/** The platform's next report, other than a cancellation. Undefined if the store acts next or the order is finished. */
export function nextMove(row: OrderRow): Move | undefined {
  const action = nextReport(row);
  return action && { action };
}

const historyActions = {
  pickup: 'picked_up',
  deliver: 'delivered',
  collect: 'collected',
  cancel: 'cancelled',
} as const;

async function cancelled(
  tx: Tx,
  row: OrderRow,
  offers: OfferRow[],
  move: Extract<Move, { action: 'cancel' }>,
): Promise<Partial<OrderRow>> {
  const lines = await releaseAll(tx, row, offers);
  const { reason, cancelled_by } = move;
  return { cancellation: { reason, cancelled_by }, items: lines.map(toStoredLine) };
}

function byOf(move: Move, row: OrderRow): By {
  const name = moverName(move, row);
  return { name, actor: name };
}

function moverName(move: Move, row: OrderRow): string {
  if (move.action === 'cancel') return move.cancelled_by.toLowerCase();
  if (move.action === 'collect') return 'customer';
  return row.transport_type === 'VENDOR_DELIVERY' ? 'vendor' : 'rider';
}
