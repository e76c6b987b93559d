import type { TSchema } from 'typebox';
import { Problem, pathParameters } from './common.ts';
import { type ErrorCode, errors } from './errors.ts';
import { events } from './events.ts';
import { rateLimits, type Route, type RouteBody, scopes, sharedErrors } from './route.ts';

/** The contract as an OpenAPI 3.1 document. */
export function openapiDocument(api: Route['api'], routes: Record<string, Route>, version: string) {
  const own = Object.entries(routes).filter(([, route]) => route.api === api);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of own) {
    paths[route.path] ??= {};
    (paths[route.path] as Record<string, unknown>)[route.method.toLowerCase()] = operation(id, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: titles[api],
      version,
      description: descriptions[api],
    },
    servers: [{ url: '/' }],
    tags: [...new Set(own.map(([, route]) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            api === 'partner'
              ? `An API token, or an access token from \`/v2/oauth/token\`. Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`
              : 'A platform token.',
        },
        ...(api === 'partner' && { session: sessionScheme }),
      },
      schemas: { Problem: plain(Problem), ...(api === 'partner' && eventSchemas()) },
    },
  };
}

const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: 'aisle_session',
  description:
    'Set when a user signs in to the portal. Accepted by every route that accepts a token, within the permissions of the role of the user.',
};

const titles = { partner: 'Aisle partner API', platform: 'Aisle platform API' };

const descriptions = {
  partner: [
    'Chains use this API to keep their catalog up to date and to fulfil orders.',
    '## Conventions',
    'Bodies are JSON encoded as UTF-8. Unknown fields and parameters are ignored, and null is the same as absent unless documented otherwise. Timestamps in responses are RFC 3339 in UTC with milliseconds; timestamps in requests can have an offset or `Z`, and UTC is assumed if they have neither. Lists are paginated with `page` and `page_size`. Every response has an `x-request-id` header.',
    'Every PUT and POST accepts an `Idempotency-Key`, which is stored for 24 hours. A request with the same key and the same body returns the stored response and has no further effect.',
    `Rate limits per token, in requests per minute: ${Object.entries(rateLimits)
      .map(([name, limit]) => `\`${name}\` ${limit}`)
      .join(', ')}. The \`RateLimit\` headers show the remaining requests.`,
    'Changes within v2 are backward compatible. A breaking change is released as v3, and v2 stays available for another twelve months. Deprecated routes send the `Deprecation` and `Sunset` headers.',
    '## Errors',
    'Error responses are `application/problem+json` (RFC 9457). See [all error codes and how to handle them](/docs/errors).',
  ].join('\n\n'),
  platform: [
    'The internal API for the operator, the storefront and the riders. It requires a platform token.',
    'Errors are the same as in the partner API. See [all error codes and how to handle them](/docs/errors).',
  ].join('\n\n'),
};

/** The body of every event, named by its type: `order.received` is `OrderReceivedEvent`. */
function eventSchemas(): Record<string, unknown> {
  const nameOf = (type: string) =>
    `${type
      .split(/[._]/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('')}Event`;
  return Object.fromEntries(
    Object.entries(events).map(([type, { summary, body }]) => [nameOf(type), { ...plain(body), description: summary }]),
  );
}

function operation(id: string, route: Route) {
  const open = route.access === 'public';
  return {
    operationId: id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, accessSentence(route), `Rate limit class: \`${route.rateLimit}\`.`]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.deprecated && { deprecated: true }),
    security: open ? [] : [route.access === 'session' ? { session: [] } : { token: [] }],
    parameters: parameters(route),
    ...(route.body && { requestBody: requestBody(route.body) }),
    responses: { ...successes(route), ...failures(route) },
  };
}

function accessSentence({ access }: Route): string {
  if (access === 'public' || access === 'platform') return '';
  return access === 'session' ? 'Requires a portal session.' : `Scope: \`${access}\`.`;
}

function parameters(route: Route) {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const schema = plain(pathParameters[name as keyof typeof pathParameters]);
    return { name, in: 'path', required: true, description: schema['description'], schema };
  });
  const required = new Set((route.query as { required?: string[] } | undefined)?.required ?? []);
  const inQuery = Object.entries(route.query?.properties ?? {}).map(([name, property]) => {
    const schema = plain(property);
    const isList = schema['type'] === 'array';
    return {
      name,
      in: 'query',
      required: required.has(name),
      description: schema['description'],
      schema,
      ...(isList && { style: 'form', explode: false }),
    };
  });
  const writes = route.access !== 'public' && (route.method === 'PUT' || route.method === 'POST');
  const inHeader = writes
    ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }]
    : [];
  return [...inPath, ...inQuery, ...inHeader];
}

function requestBody(body: RouteBody) {
  const type = body.form === 'urlencoded' ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: body.required, content: { [type]: { schema: plain(body.schema), example: body.example } } };
}

function successes(route: Route) {
  const entries = Object.entries(route.responses);
  return Object.fromEntries(
    entries.map(([status, response]) => {
      const types = response.mediaTypes ?? ['application/json'];
      const content = response.schema
        ? { schema: plain(response.schema), example: response.example }
        : { schema: { type: 'string' }, example: response.example };
      return [
        status,
        { description: response.description, content: Object.fromEntries(types.map((type) => [type, content])) },
      ];
    }),
  );
}

function failures(route: Route) {
  const codes = [...new Set<ErrorCode>([...sharedErrors(route), ...route.errors])];
  const statuses = [...new Set(codes.map((code) => errors[code].status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const matching = codes.filter((code) => errors[code].status === status);
      return [
        String(status),
        {
          description: matching.map((code) => `\`${code}\`: ${errors[code].title}.`).join('\n\n'),
          content: {
            'application/problem+json': {
              schema: { $ref: '#/components/schemas/Problem' },
              example: problemExample(matching[0] as ErrorCode),
            },
          },
        },
      ];
    }),
  );
}

function problemExample(code: ErrorCode) {
  const { status, title } = errors[code];
  const instance = '01920c5e-7d1f-7cc0-b2a5-0c5a1f3e9d10';
  const detail = `${title}.`;
  return { type: `/docs/errors#${code}`, title, status, detail, instance, code, message: detail };
}

/** The schema as plain JSON, without formats that OpenAPI tools do not support. */
function plain(schema: TSchema): Record<string, unknown> {
  const isOurs = (key: string, value: unknown) =>
    key === 'patternHint' || (key === 'format' && typeof value === 'string' && ownFormats.has(value));
  return JSON.parse(JSON.stringify(schema, (key, value) => (isOurs(key, value) ? undefined : value)));
}

const ownFormats = new Set(['lenient-date-time', 'time-zone']);
