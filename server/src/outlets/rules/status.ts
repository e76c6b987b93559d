import type { InputError } from '@aisle/contract/common';
import type { closedReasons, outletStatuses } from '@aisle/contract/outlets';
import { describeValue } from '@aisle/contract/value-faults';
import { nextMidnight, tomorrowAt } from '../../kernel/values/time.ts';

export type ClosedReason = (typeof closedReasons)[number];
export type StoredStatus = {
  status: (typeof outletStatuses)[number];
  closed_reason: ClosedReason | null;
  closed_until: Date | null;
};

export const open: StoredStatus = { status: 'OPEN', closed_reason: null, closed_until: null };

export type StatusRequest = {
  status: 'OPEN' | 'CLOSED' | 'CLOSED_TODAY' | 'CLOSED_UNTIL';
  closed_reason?: ClosedReason;
  closed_until?: Date;
  closed_for_minutes?: number;
  closed_until_tomorrow?: string;
  until_reopened?: true;
};

/** Returns the requested status, or the error in the request. */
export function requestedStatus(request: StatusRequest, timezone: string, now: Date): StoredStatus | InputError {
  const { status, closed_reason = 'OTHER' } = request;
  if (status === 'OPEN') return open;
  if (status === 'CLOSED') return { status, closed_reason, closed_until: null };
  if (status === 'CLOSED_TODAY') return { status, closed_reason, closed_until: nextMidnight(now, timezone) };
  const until = requestedEnd(request, timezone, now);
  return until === null || until instanceof Date ? { status, closed_reason, closed_until: until } : until;
}

/** The status as in responses and events. */
export function statusResponse(vendorId: string, { status, closed_reason, closed_until }: StoredStatus) {
  return {
    vendor_id: vendorId,
    status,
    ...(closed_reason !== null && { closed_reason }),
    ...(closed_until !== null && { closed_until: closed_until.toISOString() }),
  };
}

export function isSameStatus(a: StoredStatus, b: StoredStatus): boolean {
  return (
    a.status === b.status &&
    a.closed_reason === b.closed_reason &&
    a.closed_until?.getTime() === b.closed_until?.getTime()
  );
}

/** When a store with the status CLOSED_UNTIL reopens. Null: when a request opens it. */
function requestedEnd(request: StatusRequest, timezone: string, now: Date): Date | null | InputError {
  const { closed_until: until, closed_for_minutes: minutes, closed_until_tomorrow: time } = request;
  const given = endFields.filter((field) => request[field] !== undefined);
  const [first, second] = given;
  if (first === undefined) {
    const others = 'alternatively, send closed_for_minutes, closed_until_tomorrow or until_reopened';
    const message = `is required with CLOSED_UNTIL: the time when the store reopens; ${others}`;
    return { pointer: '/closed_until', code: 'missing', message };
  }
  if (second !== undefined) {
    return {
      pointer: `/${second}`,
      code: 'not_allowed',
      message: `cannot be combined with ${first}; send one of them`,
    };
  }
  if (minutes !== undefined) return new Date(now.getTime() + minutes * 60_000);
  if (time !== undefined) return tomorrowAt(time, now, timezone);
  if (until === undefined) return null;
  if (until > now) return until;
  const message = describeValue('past_now', { now: now.toISOString() });
  return { pointer: '/closed_until', code: 'out_of_range', message };
}

const endFields = ['closed_until', 'closed_for_minutes', 'closed_until_tomorrow', 'until_reopened'] as const;
