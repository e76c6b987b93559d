import type { TSchema } from 'typebox';
import { Problem, pathParameters } from './common.ts';
import { type ErrorCode, errors } from './errors.ts';
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
      schemas: { Problem: plain(Problem) },
    },
  };
}

const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: 'aisle_session',
  description:
    'Set by signing in to the portal. It opens every route that takes a token, as far as the role of the person goes.',
};

const titles = { partner: 'Aisle partner API', platform: 'Aisle platform API' };

const descriptions = {
  partner: [
    'A chain keeps its catalog current and picks its orders with this API.',
    '## Conventions',
    'JSON in UTF-8. Unknown fields and parameters are ignored; null means absent unless said. Times in answers are RFC 3339 in UTC with milliseconds; times in requests may be bare (taken as UTC), with `Z` or with an offset. Lists are paged with `page` and `page_size`. Every answer carries `x-request-id`.',
    '`Idempotency-Key` is honoured on every PUT and POST for 24 hours: the same key with the same body gives the same answer and has no second effect.',
    `Requests are limited per token and minute: ${Object.entries(rateLimits)
      .map(([name, limit]) => `\`${name}\` ${limit}`)
      .join(', ')}. The \`RateLimit\` headers show what is left.`,
    'Within v2 only additions are made. A breaking change becomes v3, and v2 is kept twelve months; a route that will go carries `Deprecation` and `Sunset`.',
    '## Errors',
    'Failures are `application/problem+json` (RFC 9457). [Every code, and what to do about it](/docs/errors).',
  ].join('\n\n'),
  platform: [
    'The side the partner does not see: the operator, the storefront and the riders come in here, with platform tokens.',
    'Failures are the same as those of the partner API. [Every code, and what to do about it](/docs/errors).',
  ].join('\n\n'),
};

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
  return access === 'session' ? 'For people signed in to the portal.' : `Scope: \`${access}\`.`;
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
      const mine = codes.filter((code) => errors[code].status === status);
      return [
        String(status),
        {
          description: mine.map((code) => `\`${code}\`: ${errors[code].title}.`).join('\n\n'),
          content: {
            'application/problem+json': {
              schema: { $ref: '#/components/schemas/Problem' },
              example: problemExample(mine[0] as ErrorCode),
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

/** Without the schema library's own marks, and with formats every reader of OpenAPI knows. */
function plain(schema: TSchema): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'format' && ownFormats.has(value) ? undefined : value)),
  );
}

const ownFormats = new Set(['lenient-date-time', 'time-zone']);
