import type { OperationId } from '../api/operations.ts';
import type { MessageKey } from '../messages/catalogue.ts';
import { allows, type Order } from './order.ts';

type Action = Extract<Order['allowed_actions'][number]['action'], 'collect' | 'pickup' | 'deliver' | 'cancel'>;
export type SandboxAction = {
  action: Action;
  operation: Extract<OperationId, `sandbox${string}Order`>;
  /** The keys of the texts of the button and of the notification. */
  label: Extract<MessageKey, `simulate.${string}`>;
  done: Extract<MessageKey, `simulate.${string}`>;
};

/** The actions that the customer or the rider can take on this order now. */
export function listSandboxActions(order: Pick<Order, 'allowed_actions' | 'transport_type'>): SandboxAction[] {
  const deliver = order.transport_type === 'VENDOR_DELIVERY' ? 'simulate.deliverStore' : 'simulate.deliverRider';
  const actions: SandboxAction[] = [
    { action: 'collect', operation: 'sandboxCollectOrder', label: 'simulate.collect', done: 'simulate.collectDone' },
    { action: 'pickup', operation: 'sandboxPickUpOrder', label: 'simulate.pickup', done: 'simulate.pickupDone' },
    { action: 'deliver', operation: 'sandboxDeliverOrder', label: deliver, done: 'simulate.deliverDone' },
    { action: 'cancel', operation: 'sandboxCancelOrder', label: 'simulate.cancel', done: 'simulate.cancelDone' },
  ];
  return actions.filter(({ action }) => allows(order, action));
}
