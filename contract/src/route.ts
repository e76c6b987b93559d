import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

/** A route as data. Validation, handler types, OpenAPI, documentation and tests are derived from it. */
export type Route = {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  /** The OpenAPI document that the route belongs to. */
  api: 'partner' | 'platform';
  tag: string;
  summary: string;
  description?: string;
  /**
   * Required credentials: a partner token with this scope (or any), a platform token or a console session, a portal
   * session, a console session, or none.
   */
  access: Scope | 'any' | 'platform' | 'session' | 'console' | 'public';
  /** Other scopes that grant access. The token's scopes then determine which data is returned. */
  orScopes?: readonly Scope[];
  /** Scopes that are required in addition. */
  andScopes?: readonly Scope[];
  /** Scopes that show the caller more data, but are not required. */
  dataScopes?: readonly Scope[];
  /** The minimum role of a portal user, if it differs from what `requiredRole` derives. */
  role?: Role;
  /** The minimum role of a console user, if it differs from what `requiredPlatformRole` derives. */
  platformRole?: PlatformRole;
  /** Whether the audit log records successful calls, if it differs from what `isAudited` derives. */
  audit?: boolean;
  /** Whether `chain_id` in the path can be the id of zeros, which stands for the platform. */
  acceptsPlatform?: true;
  /** Also accepts a link with a `signature` instead of credentials. */
  isSigned?: true;
  rateLimit: RateLimitClass;
  query?: TObject;
  /** Request headers that this route supports in addition to the usual ones. */
  headers?: readonly RequestHeader[];
  body?: RouteBody;
  /** The successful responses by status. */
  responses: { readonly [Status in SuccessStatus]?: RouteResponse };
  /** Error codes specific to this route, in addition to `sharedErrors`. */
  errors: readonly ErrorCode[];
  /** The dates of the `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers. */
  deprecated?: { since: string; sunset: string };
};

export type RouteBody = {
  schema: TSchema;
  /** The part of `schema` to validate before the handler runs, if the rest depends on more than the body. */
  check?: TSchema;
  example: unknown;
  /** One example per scenario. The documents show these instead of `example`. */
  examples?: Record<string, { summary: string; value: unknown }>;
  required: boolean;
  /** The maximum size of the decompressed body in bytes, if it differs from what `maxBodyBytes` derives. */
  maxBytes?: number;
  /**
   * `json` is parsed and validated before the handler runs. `bytes` is passed to the handler as is. `stream` is passed to
   * the handler as it arrives, so it is never held in memory as a whole.
   */
  form?: 'json' | 'bytes' | 'stream' | 'urlencoded';
  /** The content types of a stream. */
  mediaTypes?: readonly string[];
};

export type RouteResponse = {
  description: string;
  /** Absent for downloads, which are streamed. */
  schema?: TSchema;
  example?: unknown;
  mediaTypes?: readonly string[];
  /** The schema of one row in a JSON download. */
  row?: TSchema;
  /** Headers in addition to those sent with every response. */
  headers?: readonly ResponseHeader[];
  /** The operation that returns the job whose id is in this response. */
  job?: 'getCatalogJob' | 'getPromotionJob';
};

export type RequestHeader = 'if-match' | 'prefer' | 'accept';
export type ResponseHeader =
  | 'etag'
  | 'link'
  | 'x-total-count'
  | 'content-disposition'
  | 'set-cookie'
  | 'cache-control'
  | 'location';

type SuccessStatus = 200 | 201 | 202;

export const scopes = [
  'catalog:read',
  'catalog:write',
  'promotions:read',
  'promotions:write',
  'orders:read',
  'orders:write',
  'outlets:read',
  'outlets:write',
  'manage',
  'users:manage',
] as const;
export type Scope = (typeof scopes)[number];
/** The scopes that grant access to settings, credentials and users. */
const managementScopes: readonly string[] = ['manage', 'users:manage'];
export const defaultScopes = scopes.filter((scope) => !managementScopes.includes(scope));

/** Roles of portal users. Pickers have only `pickerScopes`; each other role includes the permissions of the previous ones. */
export const roles = ['PICKER', 'VIEWER', 'MANAGER', 'OWNER'] as const;
export type Role = (typeof roles)[number];
export const pickerScopes = ['orders:read', 'orders:write'] as const satisfies Scope[];

/** Whether a user with this role can call the route. */
export function isRoleAllowed(role: Role, row: Pick<Route, 'method' | 'access' | 'orScopes' | 'andScopes' | 'role'>) {
  if (role !== 'PICKER') return roles.indexOf(role) >= roles.indexOf(requiredRole(row));
  if (row.access === 'session' || row.access === 'any') return true;
  const isPicking = (scope: string) => pickerScopes.some((one) => one === scope);
  return [row.access, ...(row.orScopes ?? [])].some(isPicking) && (row.andScopes ?? []).every(isPicking);
}

/**
 * The minimum role, apart from pickers: viewers can read, managers also change business data, and only owners manage
 * access and settings.
 */
export function requiredRole(row: Pick<Route, 'method' | 'access' | 'role'>): Role {
  if (row.role) return row.role;
  if (row.method === 'GET' || row.access === 'session') return 'VIEWER';
  return managementScopes.includes(row.access) ? 'OWNER' : 'MANAGER';
}

/** Roles of the operator's users in the console. Each includes the permissions of the previous ones. */
export const platformRoles = ['READ_ONLY', 'SUPPORT', 'ADMIN'] as const;
export type PlatformRole = (typeof platformRoles)[number];

/** The minimum role in the console: every user can read, and only admins can change something, unless a route allows it. */
export function requiredPlatformRole(row: Pick<Route, 'method' | 'access' | 'platformRole'>): PlatformRole {
  if (row.platformRole) return row.platformRole;
  return row.method === 'GET' || row.access === 'console' ? 'READ_ONLY' : 'ADMIN';
}

/** Whether the console user with this role can call the route. */
export function isPlatformRoleAllowed(
  role: PlatformRole,
  row: Pick<Route, 'method' | 'access' | 'platformRole'>,
): boolean {
  if (row.access !== 'platform' && row.access !== 'console') return false;
  return platformRoles.indexOf(role) >= platformRoles.indexOf(requiredPlatformRole(row));
}

/**
 * Whether the audit log records successful calls: everything that manages access, settings and stores, and whatever the
 * platform changes. Routes that carry the daily traffic, such as orders, are excluded one by one.
 */
export function isAudited(row: Pick<Route, 'method' | 'access' | 'audit'>): boolean {
  if (row.audit !== undefined) return row.audit;
  const audited = [...managementScopes, 'outlets:write', 'session', 'console', 'platform'];
  return row.method !== 'GET' && audited.includes(row.access);
}

/** The scopes that allow a caller to see everything that a response of this route can contain. */
export function scopesToSee(row: Pick<Route, 'access' | 'orScopes' | 'andScopes' | 'dataScopes'>): Scope[] {
  const named = new Set([row.access, ...(row.orScopes ?? []), ...(row.andScopes ?? []), ...(row.dataScopes ?? [])]);
  return scopes.filter((scope) => named.has(scope));
}

/** Requests per minute for each token; `anonymous` is for requests without credentials from each IP address. */
export const rateLimits = {
  read: 600,
  catalog_write: 60,
  order_write: 600,
  manage_write: 60,
  token: 50,
  sign_in: 10,
  platform: 60_000,
  anonymous: 3000,
} as const;
export type RateLimitClass = keyof typeof rateLimits;

/** The classes that are also limited per chain, for all of its tokens and clients together. */
export const chainRateLimitClasses = ['read', 'catalog_write', 'order_write', 'manage_write'] as const;

const kibibyte = 1024;

export function route<const R extends Route>(row: R): R {
  return row;
}

/** The parameters in braces in a path. All are strings. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParams<Rest>
  : object;

export type QueryOf<R extends Route> = R['query'] extends TObject ? Static<R['query']> : Record<string, never>;

export type BodyOf<R extends Route> = R['body'] extends RouteBody
  ? R['body'] extends { form: 'bytes' }
    ? Uint8Array
    : R['body'] extends { form: 'stream' }
      ? AsyncIterable<Uint8Array>
      : R['body']['required'] extends true
        ? Static<CheckedSchema<R['body']>>
        : Static<CheckedSchema<R['body']>> | undefined
  : undefined;

type CheckedSchema<B extends RouteBody> = B extends { check: infer C extends TSchema } ? C : B['schema'];

/** What a handler returns: a status that the route declares, with the matching body. */
export type ResponseOf<R extends Route> = {
  [Status in keyof R['responses'] & number]: R['responses'][Status] extends { schema: infer S extends TSchema }
    ? { status: Status; body: Static<S>; headers?: Record<string, string> }
    : { status: Status; stream: AsyncIterable<Uint8Array>; headers: Record<string, string> };
}[keyof R['responses'] & number];

/**
 * The maximum size of the decompressed body in bytes. Parsing takes time even if the content is rejected, so a body that
 * can be sent without credentials is small. The operator can change the limit for catalog requests (`largeBody`).
 */
export function maxBodyBytes({ access, body }: Pick<Route, 'access' | 'body'>): number {
  if (body?.maxBytes !== undefined) return body.maxBytes;
  return ['public', 'session', 'console'].includes(access) ? 8 * kibibyte : 128 * kibibyte;
}

/** The size of a body with hundreds of items, such as an order. */
export const itemsBytes = 1024 * kibibyte;

/** Whether the route accepts an idempotency key. Streams do not, because their bodies cannot be compared. */
export function isKeyed({ access, method, body }: Pick<Route, 'access' | 'method' | 'body'>): boolean {
  return access !== 'public' && (method === 'PUT' || method === 'POST') && body?.form !== 'stream';
}

/** Responses with these statuses are not stored under the idempotency key, because a retry can succeed. */
export const unstoredStatuses: readonly number[] = [401, 403, 409, 412, 429];

/** Whether responses with this status are stored under the idempotency key. Other statuses mean nothing changed. */
export function isReplayable(status: number): boolean {
  return status < 500 && !unstoredStatuses.includes(status);
}

/** Whether a GET declares an `ETag`. If so, it accepts `If-None-Match` and can respond with 304. */
export function isConditional({ method, responses }: Pick<Route, 'method' | 'responses'>): boolean {
  return method === 'GET' && (responses[200]?.headers?.includes('etag') ?? false);
}

/** Whether a response can contain a secret that is shown only once. Only routes that manage access create secrets. */
export function hasSecrets({ method, access }: Pick<Route, 'method' | 'access'>): boolean {
  return method !== 'GET' && [...managementScopes, 'platform', 'session', 'console', 'public'].includes(access);
}

/** Error codes that follow from the route's access, path parameters, body and method. */
export function sharedErrors(row: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['invalid_request', 'rate_limited', 'internal_error', 'service_unavailable'];
  if (row.access !== 'public') codes.push('invalid_token');
  if (row.access !== 'public') codes.push('forbidden');
  if (row.path.includes('{chain_id}')) codes.push('chain_not_found');
  if (row.path.includes('{vendor_id}')) codes.push('vendor_not_found');
  if (row.body) codes.push('request_timeout', 'payload_too_large', 'unsupported_media_type');
  const isChange = row.method === 'PUT' || row.method === 'POST';
  if (isChange && row.body?.form !== 'stream') codes.push('idempotency_in_progress', 'idempotency_key_reused');
  return codes;
}
