import { maxRecordedBytes } from '@aisle/contract/requests';
import type { Access, Actor } from '../../identity/index.ts';
import type { FinishedRequest } from '../../kernel/http/finished-request.ts';
import { redactSecrets } from '../../kernel/monitoring/redact-secrets.ts';
import { isUuid } from '../../kernel/values/ids.ts';
import type { RequestColumns } from '../queries.ts';
import { redactBody, redactQuery, redactUrls } from '../../kernel/monitoring/redact-body.ts';

export type LoggedActor = Actor & { kind: 'token' | 'client' };

/** The log is for integrators, so it does not include requests from the portal or the platform. */
export function loggedActor({ caller }: FinishedRequest): LoggedActor | undefined {
  const actor = caller as Actor | undefined;
  return actor?.kind === 'token' || actor?.kind === 'client' ? (actor as LoggedActor) : undefined;
}

export function entryOf(finished: FinishedRequest, actor: LoggedActor, now: number): RequestColumns {
  const access = finished.access as Access | undefined;
  const [path, query] = splitUrl(finished.url);
  const { order_id: orderId } = finished.params;
  return {
    chain_id: actor.chainId,
    received_at: new Date(now - finished.durationMs).toISOString(),
    request_id: finished.id,
    method: finished.method,
    path: storable(redactSecrets(path).slice(0, maxUrlLength)),
    query: query === undefined ? null : storable(redactQuery(query).slice(0, maxUrlLength)),
    status: finished.status,
    duration_ms: Math.round(finished.durationMs * 10) / 10,
    caller_kind: actor.kind,
    caller_id: actor.id,
    caller_name: actor.name,
    vendor_id: access?.vendor?.vendor_id ?? null,
    order_id: orderId !== undefined && isUuid(orderId) ? orderId : null,
    ...problemColumns(finished),
    idempotency: finished.idempotency ?? null,
    is_aborted: finished.isAborted,
    is_streamed: finished.isStreamed,
    ignored_parameters: ignored(finished, 'aisle-ignored-parameters'),
    ignored_fields: ignored(finished, 'aisle-ignored-fields'),
    ...(access?.recordsBodies ? bodyColumns(finished) : noBodies),
  };
}

const maxUrlLength = 1000;
const maxDetailLength = 2000;
const maxErrors = 20;

function splitUrl(url: string): [path: string, query?: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}

/** PostgreSQL cannot store U+0000 or an unpaired surrogate. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

type Problem = { code?: unknown; detail?: unknown; errors?: unknown };

/** Read from the response body, because the response may have been stored by an earlier request. */
function problemColumns({ status, responseBody }: FinishedRequest) {
  const problem = status >= 400 && responseBody !== undefined ? parseProblem(responseBody) : {};
  const errors = Array.isArray(problem.errors) ? problem.errors.slice(0, maxErrors) : undefined;
  return {
    error_code: typeof problem.code === 'string' ? problem.code : null,
    error_detail: typeof problem.detail === 'string' ? detailText(problem.detail) : null,
    errors: errors ? redactBody(JSON.stringify(errors)) : null,
  };
}

/** An error message can quote the request. */
function detailText(detail: string): string {
  return storable(redactUrls(detail).slice(0, maxDetailLength));
}

function parseProblem(text: string): Problem {
  try {
    return (JSON.parse(text) as Problem | null) ?? {};
  } catch {
    return {};
  }
}

function ignored(finished: FinishedRequest, header: string): string | null {
  const names = finished.responseHeader(header);
  return names === undefined ? null : storable(names.slice(0, maxDetailLength));
}

const noBodies = { request_body: null, request_bytes: null, response_body: null, response_bytes: null };

function bodyColumns({ requestBody, responseBody }: FinishedRequest) {
  const sent = responseBody === undefined ? undefined : Buffer.from(responseBody);
  return {
    request_body: requestBody ? bodyText(requestBody) : null,
    request_bytes: requestBody?.length ?? null,
    response_body: sent ? bodyText(sent) : null,
    response_bytes: sent?.length ?? null,
  };
}

function bodyText(body: Buffer): string {
  return storable(redactBody(body.subarray(0, maxRecordedBytes).toString('utf8')));
}
