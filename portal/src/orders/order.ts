import { certificationComment } from '@aisle/contract/certification-codes';
import type { ResponseBody } from '../api/operations.ts';

export type Order = ResponseBody<'getOrder'>;
export type Item = Order['items'][number];
type Action = Order['allowed_actions'][number]['action'];

export function allows({ allowed_actions }: Pick<Order, 'allowed_actions'>, action: Action): boolean {
  return allowed_actions.some((allowed) => allowed.action === action);
}

/** READY_FOR_PICKUP, or DISPATCHED if the store delivers. Undefined if the order can no longer be fulfilled. */
export function findFulfilment(order: Pick<Order, 'allowed_actions'>): 'READY_FOR_PICKUP' | 'DISPATCHED' | undefined {
  return (['READY_FOR_PICKUP', 'DISPATCHED'] as const).find((action) => allows(order, action));
}

/** Whether a certification placed the order. Its result is in the report, so it has no expected outcome of its own. */
export function isFromCertification({ is_test, comment }: Pick<Order, 'is_test' | 'comment'>): boolean {
  return is_test && comment?.startsWith(certificationComment) === true;
}
