import type { Order, OrderStatus } from '@aisle/sdk';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { everythingFound, fulfilBody, fulfilStatus } from '../orders/picks.ts';

/** Acts as the store and as the rider, one step after the other, until the order has the status. */
export async function advanceOrder(context: Context, order: Order, target: OrderStatus): Promise<Order> {
  let current = order;
  while (current.status !== target) {
    const next = await takeStep(context, current);
    if (next) current = next;
    else throw cannotReach(current, target);
  }
  return current;
}

/** Undefined if there is no step that leads further. */
async function takeStep(context: Context, order: Order): Promise<Order | undefined> {
  const client = context.client();
  const params = { order_id: order.order_id };
  const status = fulfilStatus(order);
  if (status) return client.putOrder({ params, body: fulfilBody(order, everythingFound(order), status) });
  const isAllowed = (step: string) => order.allowed_actions.some(({ action }) => action === step);
  if (isAllowed('pickup')) return client.sandboxPickUpOrder({ params });
  if (isAllowed('deliver')) return client.sandboxDeliverOrder({ params });
  return undefined;
}

function cannotReach({ order_code, status, transport_type }: Order, target: OrderStatus): CliError {
  return new CliError(`The order ${order_code} is ${status} and cannot become ${target}.`, {
    exitCode: exitCodes.conflict,
    hint: `Its transport type is ${transport_type}. Without --order, a new order is used.`,
  });
}
