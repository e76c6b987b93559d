import type { Body } from '../api/operations.ts';

export const ends = ['minutes30', 'minutes60', 'today', 'tomorrow', 'time', 'reopened'] as const;
export type End = (typeof ends)[number];

type Request = Body<'putOutletStatuses'>;
export type Reason = NonNullable<Request['closed_reason']>;
export type Closing = { reason: Reason; end: End; tomorrowAt: string; time: string | null };

export const initialClosing: Closing = { reason: 'OTHER', end: 'today', tomorrowAt: '08:00', time: null };

/** What is sent to close stores, without the stores. Undefined if the time is missing. */
export function closingRequest(closing: Closing): Omit<Request, 'vendor_ids'> | undefined {
  const { reason: closed_reason, end, tomorrowAt, time } = closing;
  if (end === 'today') return { status: 'CLOSED_TODAY', closed_reason };
  const until = endOf(end, tomorrowAt, time);
  return until && { status: 'CLOSED_UNTIL', closed_reason, ...until };
}

function endOf(end: Exclude<End, 'today'>, tomorrowAt: string, time: string | null) {
  if (end === 'minutes30') return { closed_for_minutes: 30 };
  if (end === 'minutes60') return { closed_for_minutes: 60 };
  if (end === 'reopened') return { until_reopened: true } as const;
  if (end === 'tomorrow') return tomorrowAt === '' ? undefined : { closed_until_tomorrow: tomorrowAt.slice(0, 5) };
  return time === null ? undefined : { closed_until: new Date(time).toISOString() };
}
