import type { InputError } from '@aisle/contract/common';
import type { closedReasons, outletStatuses } from '@aisle/contract/outlets';
import { nextMidnight } from '../../kernel/values/time.ts';

export type ClosedReason = (typeof closedReasons)[number];
export type StoredStatus = {
  status: (typeof outletStatuses)[number];
  closed_reason: ClosedReason | null;
  closed_until: Date | null;
};

const open: StoredStatus = { status: 'OPEN', closed_reason: null, closed_until: null };

/** Returns the status at this time. After `closed_until`, the store is open again. */
export function statusAt(stored: StoredStatus | undefined, now: Date): StoredStatus {
  const isOver = stored?.closed_until !== undefined && stored.closed_until !== null && stored.closed_until <= now;
  return stored === undefined || isOver ? open : stored;
}

export type StatusRequest = {
  status: 'OPEN' | 'CLOSED' | 'CLOSED_TODAY' | 'CLOSED_UNTIL';
  closed_reason?: ClosedReason;
  closed_until?: Date;
};

/** Returns the requested status, or the error in the request. */
export function requestedStatus(request: StatusRequest, timezone: string, now: Date): StoredStatus | InputError {
  const { status, closed_reason = 'OTHER', closed_until: until } = request;
  if (status === 'OPEN') return open;
  if (status === 'CLOSED') return { status, closed_reason, closed_until: null };
  if (status === 'CLOSED_TODAY') return { status, closed_reason, closed_until: nextMidnight(now, timezone) };
  if (until === undefined) {
    return {
      pointer: '/closed_until',
      code: 'missing',
      message: 'is required with CLOSED_UNTIL: the time when the store reopens',
    };
  }
  if (until <= now)
    return {
      pointer: '/closed_until',
      code: 'out_of_range',
      message: `must be in the future; the current time is ${now.toISOString()}`,
    };
  return { status, closed_reason, closed_until: until };
}
