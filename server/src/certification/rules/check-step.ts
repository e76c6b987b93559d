import type { Order } from '@aisle/contract/order';
import type { OrderDelivery } from '../../deliveries/index.ts';
import type { OrderPut } from '../../requests/index.ts';
import { type Finding, finding, orderFinding } from './findings.ts';
import { describeItems, expectedItems, type Plan } from './plan.ts';
import { type Check, eventTypes } from './steps.ts';

/** Everything that is known about a scenario's order. */
export type Observed = {
  order: Order | undefined;
  deliveries: Pick<OrderDelivery, 'delivery_id' | 'type' | 'attempts'>[];
  /** The device's first and last PUT requests, oldest first. Undefined if requests are not recorded. */
  puts: Put[] | undefined;
};
export type Put = Pick<OrderPut, 'request_id' | 'received_at' | 'status'>;

export type Clock = {
  now: Date;
  /** When the step started. */
  startedAt: Date;
  /** When Aisle last acted in this scenario. */
  actedAt: Date;
  stepSeconds: number;
};

/** What a failure was caused by: an attempt to deliver a message, or a request from the device. */
export type Cause = { deliveryId: string; attemptNo: number } | { put: Put };

export type Verdict =
  | { status: 'RUNNING' }
  | { status: 'PASSED' | 'SKIPPED'; found: Finding }
  | { status: 'FAILED'; found: Finding; cause?: Cause };

/**
 * How long to wait for a request that must not be sent, or for a corrected request. The request log is written once per
 * second, so it must be longer than that.
 */
export function quietSeconds(stepSeconds: number): number {
  return Math.max(4, stepSeconds / 4);
}

/** Compares a step's expectation with what is known. Still running if it can neither have passed nor failed yet. */
export function checkStep(check: Check, plan: Plan, observed: Observed, clock: Clock): Verdict {
  switch (check.check) {
    case 'accepted':
    case 'rejected':
      return checkAttempt(check, observed, clock);
    case 'fulfilled':
      return checkFulfilment(plan, observed, clock);
    case 'cancelled_by_store':
      return checkCancellation(check.expected, observed, clock);
    case 'conflict':
      return checkConflict(observed, clock);
    default:
      return checkQuiet(observed, clock);
  }
}

function checkAttempt(
  { check, event, attemptNo }: Extract<Check, { check: 'accepted' | 'rejected' }>,
  { deliveries }: Observed,
  clock: Clock,
): Verdict {
  const types: readonly string[] = eventTypes[event];
  const delivery = deliveries.find(({ type }) => types.includes(type));
  const attempt = delivery?.attempts.find(({ attempt_no }) => attempt_no === attemptNo);
  if (!delivery || !attempt) return overdue(clock, finding('no_message', { seconds: clock.stepSeconds }));
  const { outcome, http_status: status } = attempt;
  const found = status === null ? finding('no_response', { outcome }) : finding('response', { status });
  const hasPassed = check === 'accepted' ? outcome === 'success' : status !== null && outcome !== 'success';
  if (hasPassed) return { status: 'PASSED', found };
  return { status: 'FAILED', found, cause: { deliveryId: delivery.delivery_id, attemptNo } };
}

function checkFulfilment(plan: Plan, observed: Observed, clock: Clock): Verdict {
  const { order } = observed;
  if (!order || order.status === 'RECEIVED') return awaitPut(observed, clock);
  const isCancelled = order.status === 'CANCELLED';
  const found = orderFinding(isCancelled ? describeCancellation(order) : describeItems(order.items));
  const isExpected = found.actual === expectedItems(plan);
  return isExpected ? { status: 'PASSED', found } : failAfterPut(found, order, observed, clock);
}

function checkCancellation(expected: string, observed: Observed, clock: Clock): Verdict {
  const { order } = observed;
  if (!order || order.status === 'RECEIVED') return awaitPut(observed, clock);
  const isCancelled = order.status === 'CANCELLED';
  const found = isCancelled
    ? orderFinding(describeCancellation(order))
    : finding('order_status', { order_status: order.status });
  return found.actual === expected ? { status: 'PASSED', found } : failAfterPut(found, order, observed, clock);
}

/** The request that changed the order is part of the result, so the step waits a moment until it is in the log. */
function failAfterPut(found: Finding, order: Order, { puts }: Observed, clock: Clock): Verdict {
  const put = puts?.at(-1);
  const isRecent = secondsSince(new Date(order.sys.updated_at), clock.now) < quietSeconds(clock.stepSeconds);
  if (puts && !put && isRecent) return { status: 'RUNNING' };
  return { status: 'FAILED', found, ...(put && { cause: { put } }) };
}

/** A device may correct a rejected request, so the step fails only if it does not do so soon. */
function awaitPut({ order, puts = [], deliveries }: Observed, clock: Clock): Verdict {
  const rejected = puts.findLast(({ status }) => status >= 400);
  if (rejected && secondsSince(rejected.received_at, clock.now) > quietSeconds(clock.stepSeconds)) {
    const found = finding('put_rejected', { status: rejected.status });
    return { status: 'FAILED', found, cause: { put: rejected } };
  }
  const last = puts.at(-1);
  const values = { order_status: order?.status ?? 'missing', seconds: clock.stepSeconds };
  const found = last
    ? finding('still_open_after_put', { ...values, status: last.status })
    : finding('still_open', values);
  return overdue(clock, found, last ? { put: last } : lastMessage(deliveries));
}

function checkConflict({ puts, deliveries }: Observed, clock: Clock): Verdict {
  if (!puts) return notRecorded;
  const [put] = puts;
  if (!put) {
    return overdue(clock, finding('no_put_in_time', { seconds: clock.stepSeconds }), lastMessage(deliveries));
  }
  const found = finding('put_response', { status: put.status });
  if (put.status === 409 || put.status === 412) return { status: 'PASSED', found };
  return { status: 'FAILED', found, cause: { put } };
}

function checkQuiet({ puts }: Observed, clock: Clock): Verdict {
  if (!puts) return notRecorded;
  const put = puts.find(({ received_at }) => received_at > clock.actedAt);
  if (put) return { status: 'FAILED', found: finding('put_received', { status: put.status }), cause: { put } };
  const isOver = secondsSince(clock.startedAt, clock.now) >= quietSeconds(clock.stepSeconds);
  return isOver ? { status: 'PASSED', found: finding('no_put') } : { status: 'RUNNING' };
}

const notRecorded: Verdict = { status: 'SKIPPED', found: finding('not_recorded') };

function overdue({ startedAt, now, stepSeconds }: Clock, found: Finding, cause?: Cause): Verdict {
  if (secondsSince(startedAt, now) < stepSeconds) return { status: 'RUNNING' };
  return { status: 'FAILED', found, ...(cause && { cause }) };
}

/** The message that the receiver accepted, but that the device did not act on. */
function lastMessage(deliveries: Observed['deliveries']): Cause | undefined {
  const delivery = deliveries.findLast(({ attempts }) => attempts.length > 0);
  const attempt = delivery?.attempts.at(-1);
  return delivery && attempt && { deliveryId: delivery.delivery_id, attemptNo: attempt.attempt_no };
}

function describeCancellation({ status, cancellation }: Order): string {
  return `${status} by ${cancellation?.cancelled_by}: ${cancellation?.reason}`;
}

function secondsSince(time: Date, now: Date): number {
  return (now.getTime() - time.getTime()) / 1000;
}
