import type { InputError } from '@aisle/contract/common';
import { partnerReasons, putStatuses } from '@aisle/contract/order';
import { PutItem } from '@aisle/contract/put-order';
import Type, { type Static } from 'typebox';
import { bodyCheck } from '../../kernel/http/validate.ts';

export type Item = Static<typeof PutItem>;

/** A PUT request, parsed before the order is read. */
export type Put =
  | { status: 'READY_FOR_PICKUP' | 'DISPATCHED' | 'UPDATE_CART'; items: Item[] | undefined }
  | { status: 'CANCELLED'; reason: string }
  | { status: 'ACCEPTED' };

export type Envelope = { order_id?: string; status: string; items?: unknown[]; cancellation?: unknown };
export type Unreadable = { code: 'invalid_request' | 'invalid_cart_update'; errors: InputError[] };

const checkItems = bodyCheck(Type.Array(PutItem));

export function readPut(body: Envelope, orderId: string, profile: 'strict' | 'tolerant'): Put | Unreadable {
  const errors = checkEnvelope(body, orderId, profile);
  if (errors.length > 0) return { code: 'invalid_request', errors };
  const { status } = body;
  if (status === 'ACCEPTED') return { status };
  if (status === 'CANCELLED') return { status, reason: String(reasonOf(body.cancellation)) };
  const { value, errors: found } = body.items === undefined ? nothing : checkItems(body.items);
  if (found.length > 0) {
    const inItems = found.map((error) => nameItem(error, body.items ?? []));
    return { code: 'invalid_cart_update', errors: inItems };
  }
  return { status: status as 'READY_FOR_PICKUP', items: value as Item[] | undefined };
}

/** Adds the item's SKU or `_id`, if it has one, to the message. */
function nameItem(error: InputError, items: unknown[]): InputError {
  const item = items[Number(error.pointer.split('/')[1])] as { sku?: unknown; _id?: unknown } | null | undefined;
  const name = [item?.sku, item?._id].find((value) => typeof value === 'string');
  const message = name === undefined ? error.message : `${error.message} (in item ${name})`;
  return { ...error, pointer: `/items${error.pointer}`, message };
}

const nothing = { value: undefined, errors: [] };

function checkEnvelope(body: Envelope, orderId: string, profile: 'strict' | 'tolerant'): InputError[] {
  const errors: InputError[] = [];
  if (body.order_id !== undefined && body.order_id.toLowerCase() !== orderId.toLowerCase()) {
    errors.push({
      pointer: '/order_id',
      code: 'not_allowed',
      message: `must be ${orderId}, as in the path, or absent`,
    });
  }
  const statuses: string[] = profile === 'tolerant' ? [...putStatuses, 'ACCEPTED'] : [...putStatuses];
  if (!statuses.includes(body.status)) {
    errors.push({ pointer: '/status', code: 'not_allowed', message: `must be one of ${statuses.join(', ')}` });
  }
  if (body.items === undefined && profile === 'strict') {
    errors.push({
      pointer: '/items',
      code: 'missing',
      message: 'is required and must contain every item in the order',
    });
  }
  if (body.status === 'CANCELLED' && !isReason(reasonOf(body.cancellation))) {
    const message = `must be one of ${partnerReasons.join(', ')} to cancel`;
    errors.push({ pointer: '/cancellation/reason', code: 'not_allowed', message });
  }
  return errors;
}

function reasonOf(cancellation: unknown): unknown {
  return cancellation !== null && typeof cancellation === 'object' && 'reason' in cancellation
    ? cancellation.reason
    : undefined;
}

function isReason(reason: unknown): boolean {
  return partnerReasons.some((allowed) => allowed === reason);
}
