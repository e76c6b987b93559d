import type { Links } from '../config.ts';
import type { OrderEventType } from '@aisle/contract/events';
import type { PlatformOrderEventType } from '@aisle/contract/platform-events';
import type { OrderAction, OrderStatus } from '@aisle/contract/order';
import { recordEvent, recordPlatformEvent } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { recordTallies, tallyChange } from '../tallies/index.ts';
import { announceOrder } from './picking-queries.ts';
import { saveOrder } from './queries.ts';
import { approvalTermsOf, closeApprovals } from './rules/approvals.ts';
import type { ItemChange } from './rules/history.ts';
import { orderNumbers } from './rules/order-numbers.ts';
import { orderEvent, type OrderRow } from './rules/order-response.ts';
import { isFulfilled, orderTally } from './rules/order-tally.ts';
import { allowedActions, findTransition, isPickable, type Transition } from './rules/states.ts';

/** Who changed an order. `name` is stored in the order and `actor` in its history. */
export type By = { name: string; actor: string };

/** If the action is not allowed, throws a conflict error that lists the allowed actions. */
export function getTransition(row: OrderRow, action: OrderAction, by: Transition['by']): Transition {
  const found = findTransition(row, action);
  if (found) return found;
  throw stateConflict(row, action, by);
}

export function stateConflict(row: OrderRow, action: string, by: Transition['by']): Failure {
  const allowed = allowedActions(row, by);
  const alternatives = allowed.length === 0 ? 'no further action is possible' : `allowed now: ${allowed.join(', ')}`;
  return new Failure(
    'order_state_conflict',
    `The order is ${describe(row)}, which does not allow ${action}; ${alternatives}.`,
    {
      extra: { order_status: row.status, allowed },
    },
  );
}

/** Saves the next state of a locked order with a history entry and its event. */
export function saveChange(
  tx: Tx,
  before: OrderRow,
  next: Partial<OrderRow>,
  change: {
    transition: Pick<Transition, 'to' | 'event' | 'platformEvent'>;
    action: string;
    by: By;
    now: Date;
    items?: ItemChange[];
    /** The item that an event about a replacement concerns. */
    itemId?: string;
  },
  links: Links,
): OrderRow {
  const { transition, action, by, now, items = [], itemId } = change;
  const status: OrderStatus = transition.to ?? before.status;
  // Strictly increasing, even if two changes happen in the same millisecond or the clock is set back.
  const updatedAt = new Date(Math.max(now.getTime(), before.updated_at.getTime() + 1));
  const changed = { ...before, ...next, status };
  const terms = approvalTermsOf(before);
  const row: OrderRow = {
    ...changed,
    items: terms && !isPickable(changed) ? closeApprovals(changed.items, terms) : changed.items,
    revision: before.revision + 1,
    updated_at: updatedAt,
    updated_by: by.name,
  };
  const event = transition.event ? recordOrderEvent(tx, row, transition.event, links, itemId) : null;
  if (transition.platformEvent) recordOrderEventForPlatform(tx, row, transition.platformEvent, links, itemId);
  const entry = { at: updatedAt, actor: by.actor, action, from_status: before.status, items, event };
  const isCounted = isFulfilled(status) && !isFulfilled(before.status);
  saveOrder(tx, row, entry, isCounted ? orderNumbers(row, updatedAt) : null);
  recordOrderTally(tx, row, before);
  announceOrder(tx, row.chain_id, row.order_id);
  return row;
}

/** Adds the change to the statistics. If `before` is absent, the order is new. */
export function recordOrderTally(tx: Tx, row: OrderRow, before?: OrderRow): void {
  const change = tallyChange(before ? orderTally(before) : {}, orderTally(row));
  recordTallies(tx, [{ chainId: row.chain_id, vendorId: row.vendor_id, at: row.created_at, change }]);
}

export function recordOrderEvent(
  tx: Tx,
  row: OrderRow,
  type: OrderEventType,
  links: Links,
  itemId?: string,
): { id: string; type: OrderEventType } {
  const about = { orderId: row.order_id };
  const event = { ...orderEvent(row, type, links, itemId), vendorId: row.vendor_id, about };
  return { id: recordEvent(tx, row.chain_id, event, row.updated_at), type };
}

function recordOrderEventForPlatform(
  tx: Tx,
  row: OrderRow,
  type: PlatformOrderEventType,
  links: Links,
  itemId: string | undefined,
): void {
  const { order_id: orderId, vendor_id: vendorId } = row;
  const event = { ...orderEvent(row, type, links, itemId), vendorId, orderId, subject: orderId };
  recordPlatformEvent(tx, row.chain_id, event, row.updated_at);
}

function describe(row: OrderRow): string {
  const flow = row.transport_type === 'VENDOR_DELIVERY' ? 'Vendor Delivery' : 'Platform Delivery';
  return `${row.status} (${row.order_type === 'PICKUP' ? 'collected by the customer' : flow})`;
}
