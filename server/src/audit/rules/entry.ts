import { isAudited, type Route } from '@aisle/contract/route';
import type { Action } from '../../kernel/http/action.ts';
import type { Access } from '../../identity/index.ts';
import { redactBody } from '../../kernel/monitoring/redact-body.ts';

/** Who did it. The name is looked up when the entry is written. */
export type AuditActor = { kind: string; id: string; chainId: string; isOnBehalf: boolean };

/** Whether a successful call is recorded. On behalf of a chain, every change is. */
export function isRecorded(route: Route, { actor }: Access): boolean {
  return isAudited(route) || (route.method !== 'GET' && isOnBehalf(actor));
}

/** The user who signs in is not known before, so it is part of the result. */
export function actorOf({ access: { actor }, result }: Action<Access>, platformId: string): AuditActor {
  if (actor.kind === 'anonymous') {
    const { user_id = '', chain_id = '' } = (fieldsOf(fieldsOf(result)['user']) ?? {}) as Record<string, string>;
    return { kind: chain_id === platformId ? 'operator' : 'user', id: user_id, chainId: chain_id, isOnBehalf: false };
  }
  const onBehalf = isOnBehalf(actor);
  const kind = onBehalf ? 'operator' : actor.kind;
  // The id of a platform token is the hash of the token.
  const id = kind === 'platform' ? actor.id.slice(0, 36) : actor.id;
  return { kind, id, chainId: onBehalf ? platformId : actor.chainId, isOnBehalf: onBehalf };
}

function isOnBehalf({ session }: Access['actor']): boolean {
  return session != null && session.onBehalf !== null;
}

/** The ids in the path and in the result, such as the id of a new user. The chain has its own column. */
export function targetsOf({ params, result }: Pick<Action<Access>, 'params' | 'result'>): Record<string, string> {
  const fields = fieldsOf(result);
  const found = [fieldsOf(fields['user']), fieldsOf(fields['body']), fields, params];
  const ids = found.flatMap((one) => Object.entries(one).filter(([name, value]) => isTarget(name, value)));
  return Object.fromEntries(ids) as Record<string, string>;
}

/** The chain that was created, or the chain of the request. */
export function chainOf({ id, access, result }: Pick<Action<Access>, 'id' | 'access' | 'result'>): string {
  const created = id === 'platformCreateChain' ? fieldsOf(result)['chain_id'] : undefined;
  return typeof created === 'string' ? created : access.chainId;
}

/** What the request contained, without secrets. Of a large body, only the names and sizes of its fields are kept, or their number. */
export function detailsOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array || Symbol.asyncIterator in body) {
    return null;
  }
  const redacted = redactBody(JSON.stringify(body, (name, value: unknown) => (isCode(name) ? undefined : value)));
  const text = redacted.replaceAll(/\\u0000/g, '\\ufffd');
  if (text.length <= maxDetails) return text;
  const sizes = Object.entries(body).map(([name, value]) => [name, sizeOf(value)]);
  const summary = JSON.stringify(Object.fromEntries(sizes));
  return summary.length <= maxDetails ? summary : JSON.stringify({ fields: sizes.length });
}

const maxDetails = 4000;
/** The content of a response to the client can contain many ids, but these are what people look for. */
const targets = new Set([
  'user_id',
  'token_id',
  'client_id',
  'vendor_id',
  'webhook_id',
  'delivery_id',
  'certification_id',
  'sftp_user_id',
  'key_id',
  'job_id',
  'session_id',
  'order_id',
  'task_id',
]);

function isTarget(name: string, value: unknown): boolean {
  return targets.has(name) && typeof value === 'string' && value.length <= 200;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Codes of second factors. */
function isCode(name: string): boolean {
  return name === 'code';
}

function sizeOf(value: unknown): unknown {
  if (Array.isArray(value)) return `${value.length} items`;
  return typeof value === 'string' && value.length > 100 ? `${value.length} characters` : typeof value;
}
