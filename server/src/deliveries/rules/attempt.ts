import type { deliveryStatuses } from '@aisle/contract/deliveries';
import type { OutboundResult } from '../../kernel/outbound/outbound.ts';
import type { Outcome } from '../../webhooks/index.ts';
import { retryDelay } from './retry-schedule.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const pingType = 'webhook.ping';

/** Any 2xx response is a success. Redirects are not followed and count as failures. */
export function outcomeOf(result: OutboundResult): { outcome: Outcome; httpStatus: number | null } {
  if (result.kind === 'failed') return { outcome: result.reason, httpStatus: null };
  return { outcome: outcomeOfStatus(result.status), httpStatus: result.status };
}

/** Returns the status of a delivery after attempt number `tries`. A ping is not retried. */
export function statusAfter(
  delivery: { type: string; tries: number },
  outcome: Outcome,
  now: Date,
  random: number,
  retryAfter?: string,
): { status: DeliveryStatus; retrySeconds: number | null } {
  if (outcome === 'success') return { status: 'DELIVERED', retrySeconds: null };
  const retrySeconds = delivery.type === pingType ? null : retryDelay(delivery.tries, now, random, retryAfter);
  return { status: retrySeconds === null ? 'EXHAUSTED' : 'FAILED', retrySeconds };
}

function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return 'success';
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'http_error';
}
