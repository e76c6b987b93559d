import type { Plan, Products, ScenarioName } from './plan.ts';
import {
  accepted,
  cancel,
  cancelledByStore,
  conflict,
  fulfilElsewhere,
  fulfilled,
  place,
  placeWith,
  quietAfterCancellation,
  quietAfterConflict,
  quietAfterDuplicate,
  quietAfterLateEvent,
  rejectedSignature,
  rejectedTimestamp,
  sendAgain,
  type Step,
} from './steps.ts';

export type Scenario = {
  title: string;
  /** Undefined if the store has no suitable product. */
  plan(products: Products): Plan | undefined;
  steps: readonly Step[];
};

/**
 * The scripted orders. A receiver cannot be made to fail on request, so the failure before a recovery is one that the
 * documentation demands: a message with an invalid signature must be rejected. The retry has the same webhook-id and is
 * valid, so it must be accepted and processed, and not be discarded as a duplicate.
 */
export const scenarios: Record<ScenarioName, Scenario> = {
  as_ordered: {
    title: 'An order that is picked as ordered',
    plan: ({ units: [first, second] }) => fulfil(pick(first, 2), pick(second, 1)),
    steps: fulfilment(),
  },
  weighed: {
    title: 'An item sold by weight',
    plan: ({ weighed, weightTolerance }) =>
      weighed === undefined ? undefined : fulfil(weigh(weighed, weightTolerance)),
    steps: fulfilment(),
  },
  fewer_units: {
    title: 'Fewer units than ordered',
    plan: ({ units: [first] }) => fulfil({ ...pick(first, 3), quantity: 2 }),
    steps: fulfilment(),
  },
  not_found: {
    title: 'An order of which only a part is available',
    plan: ({ units: [first, second] }) => fulfil(pick(first, 1), { do: 'NOT_FOUND', sku: second, ordered: 1 }),
    steps: fulfilment(),
  },
  replaced: {
    title: 'A replaced item',
    plan: ({ units: [first, second] }) => fulfil({ do: 'REPLACE', sku: first, ordered: 1, quantity: 1, by: second }),
    steps: fulfilment(),
  },
  added: {
    title: 'An added item',
    plan: ({ units: [first, second] }) => ({
      items: [pick(first, 1)],
      order: { do: 'ADD', quantity: 1, sku: second },
    }),
    steps: fulfilment(),
  },
  cancelled_by_store: {
    title: 'An order that the store cannot fulfil',
    plan: ({ units: [first] }) => ({
      items: [{ do: 'NOT_FOUND', sku: first, ordered: 1 }],
      order: { do: 'CANCEL', reason: 'ITEM_UNAVAILABLE' },
    }),
    steps: [place, accepted('received'), cancelledByStore],
  },
  cancelled_by_customer: {
    title: 'An order that the customer cancels',
    plan: ({ units: [first] }) => ({ items: [pick(first, 1)], order: { do: 'WAIT' } }),
    steps: [place, accepted('received'), cancel, accepted('cancelled'), quietAfterCancellation],
  },
  duplicate_event: {
    title: 'An event that arrives twice',
    plan: ({ units: [first] }) => fulfil(pick(first, 1)),
    steps: [
      place,
      accepted('received'),
      fulfilled,
      sendAgain('received', 'send_again', 'Aisle sends order.received again, with the same webhook-id'),
      accepted('received', 2),
      quietAfterDuplicate,
    ],
  },
  late_event: {
    title: 'An event that arrives after a newer one',
    plan: ({ units: [first] }) => fulfil(pick(first, 1)),
    steps: [
      placeWith('HELD', 'place_held', 'Aisle places the order, and holds order.received back'),
      cancel,
      accepted('cancelled'),
      sendAgain('received', 'send_late', 'Aisle sends order.received, which has a lower revision'),
      accepted('received'),
      quietAfterLateEvent,
    ],
  },
  forged_then_retried: {
    title: 'A failed delivery that is retried',
    plan: ({ units: [first] }) => fulfil(pick(first, 1)),
    steps: [
      placeWith('FORGED', 'place_forged', 'Aisle places the order; the first message has an invalid signature'),
      rejectedSignature,
      sendAgain('received', 'retry_signed', 'Aisle retries with the same webhook-id and a valid signature'),
      accepted('received', 2),
      fulfilled,
    ],
  },
  replayed_then_retried: {
    title: 'An old message',
    plan: ({ units: [first] }) => fulfil(pick(first, 1)),
    steps: [
      placeWith(
        'STALE',
        'place_stale',
        'Aisle places the order; the first message is signed with a time ten minutes ago',
      ),
      rejectedTimestamp,
      sendAgain('received', 'retry_now', 'Aisle retries with the same webhook-id and the current time'),
      accepted('received', 2),
      fulfilled,
    ],
  },
  concurrent_edit: {
    title: 'An order that another device changes at the same time',
    plan: ({ units: [first] }) => fulfil(pick(first, 2)),
    steps: [
      place,
      fulfilElsewhere,
      accepted('received'),
      conflict,
      sendAgain('fulfilled', 'send_held', 'Aisle sends the event of the other device'),
      accepted('fulfilled'),
      quietAfterConflict,
    ],
  },
};

function fulfilment(): Step[] {
  return [place, accepted('received'), fulfilled, accepted('fulfilled')];
}

function fulfil(...items: Plan['items']): Plan {
  return { items, order: null };
}

function pick(sku: string, ordered: number) {
  return { do: 'PICK', sku, ordered, quantity: ordered } as const;
}

/** One kilogram is ordered, and a weight in the lower half of the accepted range is picked. */
function weigh(sku: string, tolerance: number) {
  return { do: 'WEIGH', sku, ordered: 1, weight: (1 - tolerance / 2).toFixed(3) } as const;
}
