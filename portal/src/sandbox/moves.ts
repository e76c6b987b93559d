import type { OperationId } from '../api/operations.ts';
import type { Order } from '../orders/use-order.ts';

export type Move = { id: Extract<OperationId, `sandbox${string}Order`>; label: string; done: string };

/** What the platform's side could do next with this order. */
export function nextMoves({
  status,
  order_type,
  transport_type,
}: Pick<Order, 'status' | 'order_type' | 'transport_type'>): Move[] {
  if (status === 'READY_FOR_PICKUP' && order_type === 'PICKUP') {
    return [{ id: 'sandboxCollectOrder', label: 'Customer collects', done: 'The customer has collected it.' }];
  }
  if (status === 'READY_FOR_PICKUP') {
    return [{ id: 'sandboxPickUpOrder', label: 'Rider picks up', done: 'The rider has picked it up.' }];
  }
  if (status === 'DISPATCHED') {
    const who = transport_type === 'LOGISTICS_DELIVERY' ? 'Rider' : 'Store';
    return [{ id: 'sandboxDeliverOrder', label: `${who} delivers`, done: 'It is delivered.' }];
  }
  return [];
}

export function mayBeCancelled({ status }: Pick<Order, 'status'>): boolean {
  return status === 'RECEIVED' || status === 'READY_FOR_PICKUP' || status === 'DISPATCHED';
}
