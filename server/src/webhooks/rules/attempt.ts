import type { attemptOutcomes, deliveryStatuses } from '@aisle/contract/deliveries';
import type { OutboundResult } from '../../kernel/outbound/outbound.ts';
import { nextTry } from './retry-schedule.ts';

export type Outcome = (typeof attemptOutcomes)[number];
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const pingType = 'webhook.ping';

/** The word for what came back. Any 2xx is a success; a redirect is not followed, so it is none. */
export function outcomeOf(result: OutboundResult): { outcome: Outcome; httpStatus: number | null } {
  if (result.kind === 'failed') return { outcome: result.reason, httpStatus: null };
  return { outcome: wordFor(result.status), httpStatus: result.status };
}

/** What becomes of a delivery after its try number `tries`. A ping is tried once. */
export function judgeAttempt(
  delivery: { type: string; tries: number },
  outcome: Outcome,
  now: Date,
  chance: number,
  retryAfter?: string,
): { status: DeliveryStatus; nextAttemptAt: Date | null } {
  if (outcome === 'success') return { status: 'DELIVERED', nextAttemptAt: null };
  const next = delivery.type === pingType ? null : nextTry(delivery.tries, now, chance, retryAfter);
  return { status: next === null ? 'EXHAUSTED' : 'FAILED', nextAttemptAt: next };
}

function wordFor(status: number): Outcome {
  if (status >= 200 && status < 300) return 'success';
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'http_error';
}
