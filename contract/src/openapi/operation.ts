import type { Route, RouteBody } from '../route.ts';
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
    ...(route.body && { requestBody: requestBody(id, route.body, schemas) }),
    responses: { ...successResponses(id, route, schemas), ...failureResponses(route, responses) },
  };
}

function security({ access, isSigned }: Route): Json[] {
  if (access === 'public') return [];
  if (access === 'platform') return [{ token: [] }];
  if (access === 'session') return [{ session: [] }];
  return [{ token: [] }, { oauth2: [access] }, { session: [] }, ...(isSigned ? [{ signature: [] }] : [])];
}

function accessSentence({ access }: Route): string {
  if (access === 'public' || access === 'platform') return '';
  return access === 'session' ? 'Requires a portal session.' : `Scope: \`${access}\`.`;
}

function requestBody(id: string, body: RouteBody, schemas: SchemaComponents): Json {
  const type = body.form === 'urlencoded' ? 'application/x-www-form-urlencoded' : 'application/json';
  const examples = body.examples ? { examples: body.examples } : { example: body.example };
  return {
    required: body.required,
    content: { [type]: { schema: schemas.use(body.schema, `${pascal(id)}Request`), ...examples } },
  };
}
