import { maxBodyBytes, requiredPlatformRole, type Route, type RouteBody } from '../route.ts';
import { operationParameters } from './parameters.ts';
import { failureResponses, successResponses } from './responses.ts';
import { type Json, pascal, type SchemaComponents } from './schemas.ts';

export function operation(id: string, route: Route, schemas: SchemaComponents, responses: Map<string, Json>): Json {
  return {
    operationId: id,
    tags: [route.tag],
    summary: route.summary,
    description: [
      route.description ?? `${route.summary}.`,
      accessSentence(route),
      `Rate limit class: \`${route.rateLimit}\`.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.deprecated && { deprecated: true }),
    security: security(route),
    parameters: operationParameters(route),
    ...(route.body && { requestBody: requestBody(id, route, route.body, schemas) }),
    responses: { ...successResponses(id, route, schemas), ...failureResponses(route, responses) },
  };
}

function security(route: Route): Json[] {
  const { access, isSigned } = route;
  if (access === 'public') return [];
  if (access === 'platform') return [{ token: [] }, { session: [] }];
  if (access === 'session' || access === 'console') return [{ session: [] }];
  const alternatives =
    access === 'any'
      ? [{ oauth2: [] }]
      : scopesOf(route).map((scope) => ({ oauth2: [scope, ...(route.andScopes ?? [])] }));
  return [{ token: [] }, ...alternatives, { session: [] }, ...(isSigned ? [{ signature: [] }] : [])];
}

function scopesOf({ access, orScopes = [] }: Route): string[] {
  return [access, ...orScopes];
}

/** The required scopes in Markdown. */
export function describeScopes(route: Route): string {
  const quote = (scope: string) => `\`${scope}\``;
  const alternatives = scopesOf(route).map(quote).join(' or ');
  return [alternatives, ...(route.andScopes ?? []).map(quote)].join(' and ');
}

function accessSentence(route: Route): string {
  const { access } = route;
  if (access === 'public') return '';
  if (access === 'platform') return `In the console: ${requiredPlatformRole(route)}.`;
  if (access === 'console') return 'Requires a console session.';
  if (access === 'any') return 'Scope: any.';
  if (access === 'session') return 'Requires a portal session.';
  return `Scope: ${describeScopes(route)}.`;
}

function requestBody(id: string, route: Route, body: RouteBody, schemas: SchemaComponents): Json {
  const json = body.form === 'urlencoded' ? 'application/x-www-form-urlencoded' : 'application/json';
  const types = body.mediaTypes ?? [json];
  const examples = body.examples ? { examples: body.examples } : { example: body.example };
  return {
    description: sizeText(route),
    required: body.required,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: schemas.use(body.schema, `${pascal(id)}Request`), ...examples }]),
    ),
  };
}

function sizeText(route: Route): string {
  if (route.body?.form === 'bytes') {
    return 'The decompressed body can have up to `catalog_bytes_per_request` bytes (see `GET /v2/limits`).';
  }
  if (route.body?.form === 'stream') {
    return `The file can have up to ${maxBodyBytes(route).toLocaleString('en')} bytes, unless the operator has changed the limit.`;
  }
  return `The decompressed body can have up to ${maxBodyBytes(route).toLocaleString('en')} bytes.`;
}
