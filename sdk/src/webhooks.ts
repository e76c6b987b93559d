import { AisleError } from './errors.ts';
import type { FeedEvent } from './generated/models.ts';
import type { SeenIds } from './seen-ids.ts';

export { createSeenIds, type SeenIds } from './seen-ids.ts';
export type { FeedEvent } from './generated/models.ts';

/** A verified message: an event, or the test message of `pingWebhook`. Ignore types that you do not know. */
export type WebhookMessage = WebhookEvent | WebhookPing;

/** The type and the body of an event, as in the feed. */
export type WebhookEvent = {
  [Type in FeedEvent['type']]: MessageFields & { type: Type; body: Extract<FeedEvent, { type: Type }>['body'] };
}[FeedEvent['type']];

export type WebhookPing = MessageFields & {
  type: 'webhook.ping';
  body: { type: 'webhook.ping'; delivery_id: string; chain_id: string; created_at: string };
};

type MessageFields = {
  /** The id of the event, the same in every retry and in the feed. */
  id: string;
  /** When this attempt was made. */
  sentAt: Date;
  environment: string | undefined;
};

export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type VerifyOptions = {
  /** How old a message can be, in seconds, and how far in the future. Default: 5 minutes. */
  toleranceSeconds?: number | undefined;
  /** Rejects messages that were handled before, as `duplicate`. Add the `id` after you have handled the message. */
  seen?: SeenIds | undefined;
  /** For tests. Default: the current time. */
  now?: Date | undefined;
};

export type WebhookProblem =
  | 'missing_header'
  | 'invalid_signature'
  | 'too_old'
  | 'invalid_body'
  | 'type_mismatch'
  | 'too_large'
  | 'duplicate';

/** The message must not be handled. `status` is the status to respond with: 200 for a duplicate. */
export class WebhookError extends AisleError {
  override name = 'WebhookError';
  readonly reason: WebhookProblem;
  readonly status: number;

  constructor(reason: WebhookProblem, message: string) {
    super(message);
    this.reason = reason;
    this.status = statuses[reason];
  }
}

const statuses: Record<WebhookProblem, number> = {
  missing_header: 400,
  invalid_signature: 401,
  too_old: 401,
  invalid_body: 400,
  type_mismatch: 400,
  too_large: 413,
  // The message was handled, so it must not be sent again.
  duplicate: 200,
};

/**
 * Verifies a message as defined by Standard Webhooks 1.0, and parses it. The body must be exactly what was received,
 * before any parsing. During a rotation, pass the old and the new secret. Throws a `WebhookError`.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookMessage> {
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const signatures = required(headers, 'webhook-signature').split(' ');
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  if (!(await isSigned(signatures, joined(`${id}.${timestamp}.`, body), [secrets].flat()))) {
    throw new WebhookError('invalid_signature', 'None of the signatures matches. Check the signing secret.');
  }
  const sentAt = checkTime(timestamp, options);
  if (await options.seen?.has(id)) throw new WebhookError('duplicate', `The message ${id} was handled before.`);
  const type = required(headers, 'aisle-event-type');
  const parsed = parse(body);
  checkType(type, parsed);
  return { id, sentAt, type, environment: headerOf(headers, 'x-environment'), body: parsed } as WebhookMessage;
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (!value) throw new WebhookError('missing_header', `The header ${name} is missing.`);
  return value;
}

/** The name is in lower case. */
export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  return [headers[key ?? '']].flat()[0];
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(signatures: string[], signed: Uint8Array<ArrayBuffer>, secrets: readonly string[]) {
  const keys = secretKeys(secrets);
  const values = signatures.filter((one) => one.startsWith('v1,')).map((one) => bytesOf(one.slice('v1,'.length)));
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const value of values) {
      if (value && (await crypto.subtle.verify('HMAC', key, value, signed))) return true;
    }
  }
  return false;
}

/** Throws if there is no secret, or if one has another form: programs often read it from a variable that is not set. */
export function secretKeys(secrets: readonly (string | undefined)[]): Uint8Array<ArrayBuffer>[] {
  if (!secrets.some(Boolean))
    throw new AisleError('At least one signing secret is required. Is its environment variable set?');
  return secrets.map((secret = '') => {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''));
    if (!bytes?.length) throw new AisleError('A signing secret starts with "whsec_", followed by base64.');
    return bytes;
  });
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(prefix: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(prefix);
  const all = new Uint8Array(start.length + body.length);
  all.set(start);
  all.set(body, start.length);
  return all;
}

/** Checked after the signature, because the time is part of what is signed. */
function checkTime(timestamp: string, { toleranceSeconds = 300, now = new Date() }: VerifyOptions): Date {
  const sentAt = new Date(/^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : NaN);
  const seconds = Math.abs(now.getTime() - sentAt.getTime()) / 1000;
  if (!(seconds <= toleranceSeconds)) {
    throw new WebhookError('too_old', `The message was sent at ${timestamp}. Check the clock of this machine.`);
  }
  return sentAt;
}

function parse(body: Uint8Array): SignedBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new WebhookError('invalid_body', 'The body is not JSON in UTF-8.');
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new WebhookError('invalid_body', 'The body is not a JSON object.');
}

type SignedBody = { status?: string; job_type?: string; type?: string };

/** The signature does not cover the type, so it must match the body. Types that are not in the table are passed on. */
const matches: Record<string, (body: SignedBody) => boolean> = {
  'order.received': ({ status }) => status === 'RECEIVED',
  'order.ready_for_pickup': ({ status }) => status === 'READY_FOR_PICKUP',
  'order.dispatched': ({ status }) => status === 'DISPATCHED',
  'order.cancelled': ({ status }) => status === 'CANCELLED',
  'order.delivered': ({ status }) => status === 'DELIVERED',
  'order.replacement_decided': ({ status }) => status === 'RECEIVED',
  'order.edited': ({ status }) => status !== undefined && !['DELIVERED', 'PICKED_UP', 'CANCELLED'].includes(status),
  'catalog.job_finished': ({ job_type }) => job_type !== undefined && job_type !== 'CATALOG_EXPORT',
  'catalog.export_finished': ({ job_type }) => job_type === 'CATALOG_EXPORT',
  'webhook.ping': ({ type }) => type === 'webhook.ping',
} satisfies Record<WebhookMessage['type'], (body: SignedBody) => boolean>;

function checkType(type: string, body: SignedBody): void {
  if (!Object.hasOwn(matches, type) || matches[type]?.(body)) return;
  throw new WebhookError('type_mismatch', `The body does not belong to a message of the type ${type}.`);
}
