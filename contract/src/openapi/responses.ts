import { type ErrorCode, errors, oauthErrors } from '../errors.ts';
import { isConditional, isReplayable, type Route, type RouteResponse, sharedErrors } from '../route.ts';
import { encodingHeaders, header, responseHeaders, sharedHeaders } from './headers.ts';
import { type Json, pascal, type SchemaComponents } from './schemas.ts';

/** The successful responses of a route, by status. */
export function successResponses(id: string, route: Route, schemas: SchemaComponents): Record<string, Json> {
  const entries = Object.entries(route.responses);
  return {
    ...Object.fromEntries(entries.map(([status, response]) => [status, successResponse(id, route, response, schemas)])),
    ...(isConditional(route) && { 304: { $ref: '#/components/responses/NotModified' } }),
  };
}

/** The 304 response. It has no body. */
export const notModified: Json = {
  description: 'Not modified. The `ETag` of the resource is listed in `If-None-Match`, so your copy is current.',
  headers: {
    ...sharedHeaders(),
    etag: header('ETag'),
    vary: header('Vary'),
  },
};

/** The error responses of a route, by status. Each combination of codes is one component. */
export function failureResponses(route: Route, components: Map<string, Json>): Record<string, Json> {
  const codes = [...new Set<ErrorCode>([...sharedErrors(route), ...route.errors])];
  const isOauth = route.body?.form === 'urlencoded';
  const statuses = [...new Set(codes.map((code) => errors[code].status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => errors[code].status === status).toSorted();
      const name = `${isOauth ? 'OAuth' : ''}${own.map(pascal).join('Or')}`;
      if (!components.has(name)) components.set(name, failureResponse(status, own, isOauth));
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function successResponse(id: string, route: Route, response: RouteResponse, schemas: SchemaComponents): Json {
  const types = response.mediaTypes ?? ['application/json'];
  const name = `${pascal(id)}Response`;
  const content = (type: string) => ({
    schema: response.schema ? schemas.use(response.schema, name) : downloadSchema(type, response, schemas),
    ...(response.schema || type === 'text/csv' ? { example: response.example } : {}),
  });
  return {
    description: response.description,
    headers: responseHeaders(route, response),
    content: Object.fromEntries(types.map((type) => [type, content(type)])),
    ...(response.job && { links: { job: jobLink(response.job) } }),
  };
}

/** A JSON download is an array of rows. CSV and NDJSON are plain text. */
function downloadSchema(type: string, { row }: RouteResponse, schemas: SchemaComponents): Json {
  if (type !== 'application/json' || !row) return { type: 'string' };
  return { type: 'array', items: schemas.use(row, 'DownloadRow') };
}

function jobLink(operationId: string): Json {
  return {
    operationId,
    parameters: { chain_id: '$request.path.chain_id', job_id: '$response.body#/job_id' },
    description: 'The job that was created.',
  };
}

function failureResponse(status: number, codes: ErrorCode[], isOauth: boolean): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].title}. ${errors[code].advice}`).join('\n\n'),
    headers: {
      ...sharedHeaders(),
      ...(status === 401 && { 'www-authenticate': header('WwwAuthenticate') }),
      ...((status === 429 || status === 503) && { 'retry-after': header('RetryAfter') }),
      ...encodingHeaders(),
      ...(status === 412 && { etag: header('ETag') }),
      ...(isReplayable(status) && { 'idempotent-replayed': header('IdempotentReplayed') }),
    },
    content: {
      [isOauth ? 'application/json' : 'application/problem+json']: {
        schema: { $ref: `#/components/schemas/${isOauth ? 'TokenProblem' : 'Problem'}` },
        examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code, isOauth) }])),
      },
    },
  };
}

function problemExample(code: ErrorCode, isOauth: boolean) {
  const { status, title } = errors[code];
  const instance = '01920c5e-7d1f-7cc0-b2a5-0c5a1f3e9d10';
  const detail = `${title}.`;
  const oauth = isOauth && {
    error: oauthErrors[code] ?? (status >= 500 ? 'server_error' : 'invalid_request'),
    error_description: detail,
  };
  return { ...oauth, type: `/docs/errors#${code}`, title, status, detail, instance, code, message: detail };
}
