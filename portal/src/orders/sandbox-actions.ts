import type { OperationId } from '../api/operations.ts';
import { allows, type Order } from './order.ts';

type Action = Extract<Order['allowed_actions'][number]['action'], 'collect' | 'pickup' | 'deliver' | 'cancel'>;
export type SandboxAction = {
  action: Action;
  operation: Extract<OperationId, `sandbox${string}Order`>;
  label: string;
  done: string;
};

/** The actions that the customer or the rider can take on this order now. */
export function listSandboxActions(order: Pick<Order, 'allowed_actions' | 'transport_type'>): SandboxAction[] {
  const courier = order.transport_type === 'VENDOR_DELIVERY' ? 'Store' : 'Rider';
  const actions: SandboxAction[] = [
    { action: 'collect', operation: 'sandboxCollectOrder', label: 'Customer collects', done: 'Order collected.' },
    { action: 'pickup', operation: 'sandboxPickUpOrder', label: 'Rider picks up', done: 'Order picked up.' },
    { action: 'deliver', operation: 'sandboxDeliverOrder', label: `${courier} delivers`, done: 'Order delivered.' },
    { action: 'cancel', operation: 'sandboxCancelOrder', label: 'Customer cancels', done: 'Order cancelled.' },
  ];
  return actions.filter(({ action }) => allows(order, action));
}
