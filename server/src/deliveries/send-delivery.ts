import type { Outbound } from '../kernel/outbound/outbound.ts';
import { urlFor, type Secrets } from '../webhooks/index.ts';
import type { Finished } from './attempt-queries.ts';
import type { Head } from './lane-queries.ts';
import { statusAfter, outcomeOf, pingType } from './rules/attempt.ts';
import { signatureHeader } from './rules/signature.ts';

export type SendOptions = { outbound: Outbound; secrets: Secrets; userAgent: string };

/** Makes one attempt, outside any transaction. The attempt always has an outcome, whatever the receiver does. */
export async function sendDelivery({ outbound, secrets, userAgent }: SendOptions, head: Head): Promise<Finished> {
  const startedAt = new Date();
  const url = urlFor(head, head.topic);
  const body = bodyOf(head);
  const timestamp = Math.floor(startedAt.getTime() / 1000);
  const authorization = secrets.openAuthorization(head);
  const signing = secrets.openSigning(head, startedAt);
  const start = performance.now();
  const result = await outbound.post({
    url,
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': userAgent,
      'webhook-id': head.delivery_id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader(signing, head.delivery_id, timestamp, body),
      'x-environment': head.environment,
      ...(authorization !== undefined && { authorization }),
    },
  });
  const { outcome, httpStatus } = outcomeOf(result);
  const retryAfter = result.kind === 'responded' ? result.retryAfter : undefined;
  const tried = { type: head.type, tries: head.tries + 1 };
  return {
    head,
    startedAt,
    durationMs: Math.round(performance.now() - start),
    outcome,
    httpStatus,
    url: withoutQuery(url),
    response: result.kind === 'responded' ? result.beginning : Buffer.from(result.detail.slice(0, 1024)),
    ...statusAfter(tried, outcome, new Date(), Math.random(), retryAfter),
  };
}

/** Returns the same bytes for every attempt, even for a ping. */
function bodyOf({ chain_id, delivery_id, type, created_at, body }: Head): string {
  if (type === pingType) {
    return JSON.stringify({ type, delivery_id, chain_id, created_at: created_at.toISOString() });
  }
  if (body === null) throw new Error('The event has been deleted.');
  return body;
}

/** A query string can contain a secret, which must not appear in the list of attempts. */
function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
