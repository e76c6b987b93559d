import type { stepCodes } from '@aisle/contract/certification-codes';
import type { StagedFault } from '../../events/index.ts';

/** The events of an order, by what they mean. A fulfilment has another type if the store delivers itself. */
export const eventTypes = {
  received: ['order.received'],
  fulfilled: ['order.ready_for_pickup', 'order.dispatched'],
  cancelled: ['order.cancelled'],
} as const;
export type EventName = keyof typeof eventTypes;

/** Names a step in reports, so that its texts can be translated. */
export type StepCode = (typeof stepCodes)[number];

/** Something that Aisle does. Consecutive actions happen in one transaction. */
export type Action = { code: StepCode; title: string } & (
  | { act: 'place'; fault: StagedFault | null }
  | { act: 'cancel' }
  | { act: 'fulfil_elsewhere' }
  | { act: 'send_again'; event: EventName }
);

/** Something that the receiver or the device is expected to do, and what the documentation says about it. */
export type Check = { code: StepCode; title: string; expected: string; rule: string; page: string } & (
  | { check: 'accepted' | 'rejected'; event: EventName; attemptNo: number }
  | { check: 'fulfilled' | 'cancelled_by_store' | 'conflict' | 'quiet' }
);

export type Step = Action | Check;

const delivered = 'events#how-webhooks-are-delivered';
const signatures = 'events#verifying-signatures';
const picking = 'orders#picking-orders';

export const place: Action = { act: 'place', code: 'place', fault: null, title: 'Aisle places the order' };
export const placeWith = (fault: StagedFault, code: StepCode, title: string): Action => ({
  act: 'place',
  code,
  fault,
  title,
});
export const cancel: Action = { act: 'cancel', code: 'cancel', title: 'The customer cancels the order' };
export const fulfilElsewhere: Action = {
  act: 'fulfil_elsewhere',
  code: 'fulfil_elsewhere',
  title: 'Another device fulfils the order first, and Aisle holds the event back',
};
export const sendAgain = (event: EventName, code: StepCode, title: string): Action => ({
  act: 'send_again',
  code,
  event,
  title,
});

export const accepted = (event: EventName, attemptNo = 1): Check => ({
  check: 'accepted',
  code: `accept_${event}`,
  event,
  attemptNo,
  title: `Your receiver accepts the event (${eventTypes[event].join(' or ')})`,
  expected: 'A 2xx status within 10 seconds',
  rule: 'Respond with any 2xx status within 10 s. Store the message, respond, then process it.',
  page: delivered,
});

export const rejectedSignature: Check = {
  check: 'rejected',
  code: 'reject_forged',
  event: 'received',
  attemptNo: 1,
  title: 'Your receiver rejects a message whose signature is invalid',
  expected: 'A status other than 2xx, such as 401',
  rule: 'The message is authentic if one of the signatures matches the one you computed.',
  page: signatures,
};

export const rejectedTimestamp: Check = {
  check: 'rejected',
  code: 'reject_stale',
  event: 'received',
  attemptNo: 1,
  title: 'Your receiver rejects a message that is ten minutes old',
  expected: 'A status other than 2xx, such as 401',
  rule: 'Reject the message if webhook-timestamp differs from your clock by more than five minutes. This stops replays.',
  page: signatures,
};

export const fulfilled: Check = {
  check: 'fulfilled',
  code: 'fulfil',
  title: 'Your device fulfils the order as instructed',
  expected: 'The items as instructed',
  rule: 'To fulfil an order, your picking device sends one PUT. A fulfilment must include every item in the order.',
  page: picking,
};

export const cancelledByStore: Check = {
  check: 'cancelled_by_store',
  code: 'cancel_by_store',
  title: 'Your device cancels the order with the reason ITEM_UNAVAILABLE',
  expected: 'CANCELLED by VENDOR: ITEM_UNAVAILABLE',
  rule: 'CANCELLED requires cancellation.reason (CLOSED, ITEM_UNAVAILABLE or TOO_BUSY).',
  page: picking,
};

export const conflict: Check = {
  check: 'conflict',
  code: 'conflict',
  title: 'Your device tries to fulfil the order, which has changed since the event',
  expected: 'One PUT, which gets 409 (or 412 with If-Match)',
  rule: 'If the current status does not allow the request, the response is 409 with order_status.',
  page: picking,
};

export const quiet = (code: StepCode, title: string, rule: string, page: string): Check => ({
  check: 'quiet',
  code,
  title,
  expected: 'No PUT for this order',
  rule,
  page,
});

export const quietAfterDuplicate = quiet(
  'ignore_duplicate',
  'Your device ignores the duplicate',
  'Delivery is at least once. A duplicate has the same webhook-id and the same bytes.',
  delivered,
);
export const quietAfterLateEvent = quiet(
  'ignore_late',
  'Your device ignores the late event',
  "An order's revision increases with each change; if you have already stored a higher revision, ignore the message.",
  'events#what-a-message-contains',
);
export const quietAfterCancellation = quiet(
  'stop_work',
  'Your device stops working on the order',
  'An order that is CANCELLED cannot be fulfilled.',
  'reference/order-states',
);
export const quietAfterConflict = quiet(
  'no_repeat',
  'Your device does not repeat the request that got 409',
  'If the current status does not allow the request, the response is 409 with order_status.',
  picking,
);
