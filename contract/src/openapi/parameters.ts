import { pageQuery, pathParameters } from '../common.ts';
import { isConditional, isKeyed, type RequestHeader, type Route } from '../route.ts';
import { type Json, pascal, plain } from './schemas.ts';

const headerParameters: Record<RequestHeader | 'idempotency-key' | 'if-none-match', Json> = {
  'idempotency-key': headerParameter(
    'Idempotency-Key',
    { type: 'string', maxLength: 255 },
    'A string that you choose, unique for each new request. Repeating a request with the same key and body returns the stored response and has no further effect. Keys are stored for 24 hours.',
    '6f1f7a0e-5a53-4f0e-9d51-0f6a2f1a7c11',
  ),
  'if-match': headerParameter(
    'If-Match',
    { type: 'string' },
    'The `ETag` you last read. If the order has changed since then, the request has no effect and the response is 412.',
    '"3"',
  ),
  'if-none-match': headerParameter(
    'If-None-Match',
    { type: 'string' },
    'The `ETag` of your copy. If it is still current, the response is 304 without a body.',
    'W/"5f3b1c0a9d8e7f60112233445566778a"',
  ),
  prefer: headerParameter(
    'Prefer',
    { type: 'string' },
    '`respond-async` runs the update of a single product as a job (RFC 7240).',
    'respond-async',
  ),
  accept: headerParameter(
    'Accept',
    { type: 'string', enum: ['text/csv', 'application/json', 'application/x-ndjson'], default: 'text/csv' },
    'The format of the download.',
    'text/csv',
  ),
};

/** Parameters that several operations share, by component name. */
export function parameterComponents(): Record<string, Json> {
  const inPath = Object.entries(pathParameters).map(([name, property]) => {
    const { description, ...schema } = plain(property);
    return [pascal(name), { name, in: 'path', required: true, description, schema }] as const;
  });
  const paging = Object.entries(pageQuery).map(([name, property]) => [
    pascal(name),
    queryParameter(name, plain(property), false),
  ]);
  const headers = Object.entries(headerParameters).map(([name, parameter]) => [pascal(name), parameter] as const);
  return Object.fromEntries([...inPath, ...paging, ...headers]);
}

export function operationParameters(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => shared(name));
  const required = new Set((route.query as { required?: string[] } | undefined)?.required ?? []);
  const inQuery = Object.entries(route.query?.properties ?? {}).map(([name, property]) =>
    property === pageQuery[name as keyof typeof pageQuery]
      ? shared(name)
      : queryParameter(name, plain(property), required.has(name)),
  );
  return [...inPath, ...inQuery, ...requestHeaders(route).map(shared)];
}

function requestHeaders(route: Route): string[] {
  return [
    ...(isKeyed(route) ? ['idempotency-key'] : []),
    ...(isConditional(route) ? ['if-none-match'] : []),
    ...(route.headers ?? []),
  ];
}

function shared(name: string): Json {
  return { $ref: `#/components/parameters/${pascal(name)}` };
}

function queryParameter(name: string, { description, ...schema }: Json, required: boolean): Json {
  const isList = schema['type'] === 'array';
  return { name, in: 'query', required, description, schema, ...(isList && { style: 'form', explode: false }) };
}

function headerParameter(name: string, schema: Json, description: string, example: string): Json {
  return { name, in: 'header', required: false, description, schema, example };
}
