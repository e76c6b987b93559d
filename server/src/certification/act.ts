import type { Links } from '../config.ts';
import { type OrderDelivery, resendDelivery } from '../deliveries/index.ts';
import { stageFault } from '../events/index.ts';
import type { VendorRow } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { moveOrder, placeOrder, putOrder } from '../orders/index.ts';
import type { ScenarioRow } from './queries.ts';
import { commentOf, newItems, type Plan } from './rules/plan.ts';
import { type Action, type EventName, eventTypes } from './rules/steps.ts';

export type ActContext = { vendor: VendorRow; links: Links; now: Date };

/** Does what Aisle does in this step. Returns the id of the scenario's order. */
export async function act(
  tx: Tx,
  chainId: string,
  action: Action,
  scenario: ScenarioRow & { plan: Plan },
  deliveries: OrderDelivery[],
  context: ActContext,
): Promise<string> {
  if (action.act === 'place') return place(tx, chainId, action.fault, scenario, context);
  const orderId = scenario.order_id;
  if (orderId === null) throw new Error('The scenario has no order.');
  switch (action.act) {
    case 'cancel':
      await cancelOrder(tx, chainId, orderId, context);
      break;
    case 'fulfil_elsewhere':
      await fulfilElsewhere(tx, chainId, orderId, scenario.plan, context);
      break;
    default:
      await sendAgain(tx, chainId, action.event, deliveries);
      break;
  }
  return orderId;
}

/** Cancels the order as the customer. */
export async function cancelOrder(
  tx: Tx,
  chainId: string,
  orderId: string,
  { now, links }: Pick<ActContext, 'now' | 'links'>,
): Promise<void> {
  const move = { action: 'cancel', cancelled_by: 'CUSTOMER', reason: 'CERTIFICATION' } as const;
  await moveOrder(tx, chainId, orderId, move, now, links);
}

async function place(
  tx: Tx,
  chainId: string,
  fault: Extract<Action, { act: 'place' }>['fault'],
  { name, plan }: ScenarioRow & { plan: Plan },
  { vendor, links, now }: ActContext,
): Promise<string> {
  const order = {
    transport_type: vendor.transport_type,
    customer: { first_name: 'Certification', last_name: name, phone_number: '+10000000000' },
    items: newItems(plan),
    payment: { type: 'PAID' },
    comment: commentOf(name, plan),
  };
  const by = { name: 'platform', actor: 'platform' };
  const { order_id } = await placeOrder(tx, chainId, vendor, { order, isTest: true, by, now }, links);
  if (fault) await stageFault(tx, chainId, order_id, 'order.received', fault);
  return order_id;
}

/** Fulfils the order as a second device would, with one unit less than the instructions say. */
async function fulfilElsewhere(
  tx: Tx,
  chainId: string,
  orderId: string,
  { items }: Plan,
  { vendor, links, now }: ActContext,
): Promise<void> {
  const status = vendor.transport_type === 'VENDOR_DELIVERY' ? 'DISPATCHED' : 'READY_FOR_PICKUP';
  const picked = items.map(({ sku, ordered }) => ({
    sku,
    status: 'IN_CART' as const,
    pricing: { pricing_type: 'UNIT' as const, quantity: ordered - 1 },
  }));
  await putOrder(
    tx,
    chainId,
    orderId,
    { status, items: picked },
    {
      profile: 'strict',
      vendorIds: null,
      ifMatch: undefined,
      by: { name: 'vendor', actor: 'certification' },
      now,
      readableDays: 1,
      links,
    },
  );
  for (const type of eventTypes.fulfilled) await stageFault(tx, chainId, orderId, type, 'HELD');
}

async function sendAgain(tx: Tx, chainId: string, event: EventName, deliveries: OrderDelivery[]): Promise<void> {
  const types: readonly string[] = eventTypes[event];
  const delivery = deliveries.find(({ type }) => types.includes(type));
  // The webhook was deleted, or the event has not been published.
  if (!delivery) throw new Failure('webhook_not_found', 'The event has no delivery, because the store has no webhook.');
  await resendDelivery(tx, chainId, { vendorIds: null, types: null }, delivery.delivery_id);
}
