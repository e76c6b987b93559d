import type { actualCodes } from '@aisle/contract/certification-codes';

/** What happened in a step, as a code with values, so that it can be translated, and as text. */
export type Finding = { actual: string; code: ActualCode | null; values: Record<string, string> };
type ActualCode = (typeof actualCodes)[number];

export function finding(code: ActualCode, values: Record<string, string | number> = {}): Finding {
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return { actual: english[code].replace(/\{(\w+)\}/g, (_, name: string) => texts[name] ?? ''), code, values: texts };
}

/** What the order is like, in the words of the API. */
export function orderFinding(actual: string): Finding {
  return { actual, code: null, values: {} };
}

const english: Record<ActualCode, string> = {
  no_message: 'No message was sent within {seconds} seconds',
  no_response: 'No response ({outcome})',
  response: 'Your endpoint returned {status}',
  order_status: 'The order is {order_status}',
  put_rejected: 'The PUT was rejected with {status}',
  still_open: 'The order is still {order_status} after {seconds} seconds; no PUT was received',
  still_open_after_put: 'The order is still {order_status} after {seconds} seconds; the last PUT got {status}',
  no_put_in_time: 'No PUT was received within {seconds} seconds',
  put_response: 'The PUT got {status}',
  put_received: 'A PUT was received and got {status}',
  no_put: 'No PUT was received',
  not_recorded: 'Cannot be checked, because the operator has turned the request log off',
  no_webhook: 'The event has no delivery, because the store has no webhook',
};
