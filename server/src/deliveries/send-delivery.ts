import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Outbound, OutboundRequest, OutboundResult } from '../kernel/outbound/outbound.ts';
import { noTimings } from '../kernel/outbound/timings.ts';
import { urlFor, type Secrets } from '../webhooks/index.ts';
import type { Finished } from './attempt-queries.ts';
import type { Head } from './lane-queries.ts';
import { statusAfter, outcomeOf, pingType } from './rules/attempt.ts';
import { type KeptResponse, keepResponse } from './rules/kept-response.ts';
import { messageHeaders, timestampOf } from './rules/message-headers.ts';
import { type Secret, secretsIn } from './rules/remove-secrets.ts';
import { signatureHeader } from './rules/signature.ts';
import { claimedTime, faultOf } from './rules/staged-fault.ts';

export type SendOptions = { outbound: Outbound; secrets: Secrets; userAgent: string };

/** Makes one attempt, outside any transaction. The attempt always has an outcome, whatever the receiver does. */
export async function sendDelivery({ outbound, secrets, userAgent }: SendOptions, head: Head): Promise<Finished> {
  const startedAt = new Date();
  const url = urlFor(head, head.topic);
  const body = bodyOf(head);
  const authorization = secrets.openAuthorization(head);
  const fault = faultOf(head, head.attempt_count + 1);
  const signing = fault === 'FORGED' ? [unknownKey()] : secrets.openSigning(head, startedAt);
  const at = claimedTime(startedAt, fault);
  const signature = signatureHeader(signing, head.event_id, timestampOf(at), body);
  const { event_id: messageId, type, environment } = head;
  const headers = messageHeaders({ messageId, type, environment, at, signature, userAgent, authorization });
  const { shown, secrets: hiddenTexts } = readRequest(url, authorization);
  const start = performance.now();
  const payer = { owner: head.is_platform ? '' : head.chain_id, endpoint: head.endpoint_id };
  const result = await postWithDeadline(outbound, { url, body, headers, ...payer });
  const { outcome, httpStatus } = outcomeOf(result);
  const retryAfter = result.kind === 'responded' ? [result.headers['retry-after']].flat()[0] : undefined;
  const tried = { type: head.type, tries: head.tries + 1 };
  return {
    head,
    startedAt,
    durationMs: Math.round(performance.now() - start),
    isStaged: fault !== null,
    outcome,
    httpStatus,
    url: shown,
    signature,
    userAgent,
    isAuthorized: authorization !== undefined,
    response: responseOf(result, {
      isSuccess: outcome === 'success' && type !== pingType,
      secrets: hiddenTexts,
    }),
    timings: result.timings,
    ...statusAfter(tried, outcome, new Date(), Math.random(), retryAfter),
  };
}

/**
 * The outbound client has a deadline of its own. With this one, an exchange that misses it because of a bug fails, too,
 * instead of keeping its slot for ever: other chains need the slots.
 */
function postWithDeadline(outbound: Outbound, request: OutboundRequest): Promise<OutboundResult> {
  const maxMs = outbound.timeoutMs + graceMs;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const detail = `the exchange did not end within ${maxMs} ms`;
      resolve({ kind: 'failed', reason: 'timeout', detail, timings: noTimings });
    }, maxMs);
    outbound
      .post(request)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject);
  });
}

const graceMs = 5000;

/** A key that the receiver does not know. */
function unknownKey(): KeyObject {
  return createSecretKey(randomBytes(32));
}

/** Returns the same bytes for every attempt, even for a ping. */
export function bodyOf({ chain_id, delivery_id, type, created_at, body }: Message): string {
  if (type === pingType) {
    return JSON.stringify({ type, delivery_id, chain_id, created_at: created_at.toISOString() });
  }
  if (body === null) throw new Error('The event has been deleted.');
  return body;
}

type Message = Pick<Head, 'chain_id' | 'delivery_id' | 'type' | 'created_at' | 'body'>;

/** If there was no response, the reason is kept in place of a body. */
function responseOf(
  result: OutboundResult,
  keep: Parameters<typeof keepResponse>[1],
): Partial<KeptResponse> & { body: Buffer } {
  return result.kind === 'responded' ? keepResponse(result, keep) : { body: Buffer.from(result.detail.slice(0, 1024)) };
}

/** What is shown of a request's URL, and what is hidden in the response. Cached, because many messages share them. */
function readRequest(url: string, authorization: string | undefined): RequestParts {
  const key = `${url} ${authorization ?? ''}`;
  const known = requests.get(key);
  if (known) return known;
  const parts = { shown: withoutQuery(url), secrets: secretsIn(url, authorization) };
  if (requests.size >= maxRequests) requests.clear();
  requests.set(key, parts);
  return parts;
}

type RequestParts = { shown: string; secrets: Secret[] };

const requests = new Map<string, RequestParts>();
const maxRequests = 10_000;

/** A query string can contain a secret, which must not appear in the list of attempts. */
function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
