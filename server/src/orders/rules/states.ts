import type { OrderEventType } from '@aisle/contract/events';
import type { PlatformOrderEventType } from '@aisle/contract/platform-events';
import type { Order, OrderAction, OrderParty, OrderStatus } from '@aisle/contract/order';

type Flow = { transport_type: 'LOGISTICS_DELIVERY' | 'VENDOR_DELIVERY'; order_type: 'DELIVERY' | 'PICKUP' };

export type Transition = {
  from: readonly OrderStatus[];
  action: OrderAction;
  /** The orders to which this transition applies; all orders if absent. */
  for?: Partial<Flow>;
  /** If absent, the status does not change. */
  to?: OrderStatus;
  by: OrderParty;
  event?: OrderEventType;
  /** The event that only the platform gets. With `event`, it gets that one. */
  platformEvent?: PlatformOrderEventType;
};

const open = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED'] as const;
const any = [...open, 'DELIVERED', 'PICKED_UP', 'CANCELLED'] as const;
const byPlatform = { transport_type: 'LOGISTICS_DELIVERY' } as const;
const byVendor = { transport_type: 'VENDOR_DELIVERY' } as const;
const byRider = { ...byPlatform, order_type: 'DELIVERY' } as const;

/** Every way an order's status can change, with the event it causes. A new order is RECEIVED (order.received). */
export const transitions: readonly Transition[] = [
  {
    from: ['RECEIVED'],
    action: 'READY_FOR_PICKUP',
    for: byPlatform,
    to: 'READY_FOR_PICKUP',
    by: 'partner',
    event: 'order.ready_for_pickup',
  },
  {
    from: ['RECEIVED'],
    action: 'DISPATCHED',
    for: byVendor,
    to: 'DISPATCHED',
    by: 'partner',
    event: 'order.dispatched',
  },
  { from: ['RECEIVED'], action: 'UPDATE_CART', by: 'partner' },
  { from: any, action: 'CANCELLED', to: 'CANCELLED', by: 'partner', platformEvent: 'order.cancelled' },
  { from: open, action: 'cancel', to: 'CANCELLED', by: 'platform', event: 'order.cancelled' },
  {
    from: ['READY_FOR_PICKUP'],
    action: 'pickup',
    for: byRider,
    to: 'DISPATCHED',
    by: 'platform',
    event: 'order.dispatched',
  },
  { from: ['DISPATCHED'], action: 'deliver', for: byRider, to: 'DELIVERED', by: 'platform', event: 'order.delivered' },
  {
    from: ['DISPATCHED'],
    action: 'deliver',
    for: byVendor,
    to: 'DELIVERED',
    by: 'platform',
    platformEvent: 'order.delivered',
  },
  {
    from: ['READY_FOR_PICKUP'],
    action: 'collect',
    for: { order_type: 'PICKUP' },
    to: 'PICKED_UP',
    by: 'platform',
    platformEvent: 'order.collected',
  },
];

type State = Flow & { status: OrderStatus };

export function findTransition(state: State, action: OrderAction): Transition | undefined {
  return transitions.find((row) => row.action === action && isAllowed(row, state));
}

/** Whether the store can still pick the order. */
export function isPickable(state: State): boolean {
  return findTransition(state, 'UPDATE_CART') !== undefined;
}

/** Whether the platform can still change what the customer asked for. */
export function isEditable(state: State): boolean {
  return findTransition(state, 'cancel') !== undefined;
}

/** The actions that the partner or the platform can take now. */
export function allowedActions(state: State, by: OrderParty): OrderAction[] {
  const rows = transitions.filter((row) => row.by === by && isAllowed(row, state));
  return [...new Set(rows.map((row) => row.action))];
}

/**
 * The actions that either party can take, as listed in responses. Cancelling a cancelled order is accepted but not
 * listed.
 */
export function offeredActions(state: State): Order['allowed_actions'] {
  const rows = transitions.filter((row) => row.to !== state.status && isAllowed(row, state));
  return rows.map(({ action, by }) => ({ action, by }));
}

/** The platform's next action, if the order is waiting for it. */
export function nextReport(state: State): 'pickup' | 'deliver' | 'collect' | undefined {
  return (['pickup', 'deliver', 'collect'] as const).find((action) => findTransition(state, action));
}

function isAllowed(row: Transition, state: State): boolean {
  const { transport_type, order_type } = { ...state, ...row.for };
  return row.from.includes(state.status) && transport_type === state.transport_type && order_type === state.order_type;
}
