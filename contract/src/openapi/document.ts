import { TokenProblem, Problem } from '../common.ts';
import { type Route, scopes } from '../route.ts';
import { headerComponents } from './headers.ts';
import { operation } from './operation.ts';
import { parameterComponents } from './parameters.ts';
import { notModified } from './responses.ts';
import { createSchemaComponents, type Json } from './schemas.ts';
import { descriptions, tagDescriptions, titles } from './texts.ts';
import { webhookOperations, webhookParameters } from './webhooks.ts';

/** The contract as an OpenAPI 3.1 document. */
export function openapiDocument(api: Route['api'], routes: Record<string, Route>, version: string) {
  const own = Object.entries(routes).filter(([, route]) => route.api === api);
  const schemas = createSchemaComponents();
  const responses = new Map<string, Json>([['NotModified', notModified]]);
  schemas.use(Problem, 'Problem');
  schemas.use(TokenProblem, 'TokenProblem');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of own) {
    paths[route.path] ??= {};
    (paths[route.path] as Json)[route.method.toLowerCase()] = operation(id, route, schemas, responses);
  }
  const webhooks = { webhooks: webhookOperations(schemas, api) };
  const tags = [...new Set(own.map(([, route]) => route.tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: titles[api],
      version,
      description: descriptions[api],
      contact: { name: 'Aisle', url: 'https://aisle.example' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Aisle' },
    },
    servers: [{ url: '/', description: 'This installation.' }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    ...webhooks,
    components: usedOnly(
      { paths, ...webhooks },
      {
        securitySchemes: securitySchemes(api),
        schemas: schemas.components(),
        parameters: { ...parameterComponents(), ...webhookParameters() },
        headers: headerComponents,
        responses: Object.fromEntries([...responses].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      },
    ),
  };
}

function securitySchemes(api: Route['api']): Json {
  if (api === 'platform') return platformSchemes;
  return {
    token: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API token, an access token from `/v2/oauth/token`, or a token from `/v2/portal/session/token`.',
    },
    oauth2: {
      type: 'oauth2',
      description: 'Client credentials, exchanged for an access token that is valid for two hours.',
      flows: {
        clientCredentials: {
          tokenUrl: '/v2/oauth/token',
          scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeDescriptions[scope]])),
        },
      },
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'aisle_session',
      description:
        "Set when a user signs in to the portal. Allows every operation that the user's role permits. The name is `__Host-aisle_session`, except on a server whose own URL is a loopback address.",
    },
    signature: {
      type: 'apiKey',
      in: 'query',
      name: 'signature',
      description: "Part of a job's `download_url`. The link works without a token for 15 minutes.",
    },
  };
}

const platformSchemes: Json = {
  token: { type: 'http', scheme: 'bearer', description: 'A platform token.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'aisle_console',
    description:
      "Set when one of the operator's users signs in to the console. Allows every operation that the user's role permits. The name is `__Host-aisle_console`, except on a server whose own URL is a loopback address.",
  },
};

const scopeDescriptions: Record<(typeof scopes)[number], string> = {
  'catalog:read': 'Read products, categories, catalog jobs and catalog events.',
  'catalog:write': 'Update, create and export products.',
  'promotions:read': 'Read promotions and their jobs.',
  'promotions:write': 'Create, change and stop promotions.',
  'orders:read': 'Read orders and order events.',
  'orders:write': 'Fulfil, validate and cancel orders.',
  'outlets:read': 'Read stores and whether they are open.',
  'outlets:write': 'Open and close stores.',
  manage: 'Manage settings, credentials and webhooks, and list users.',
  'users:manage': 'Create, change and delete users, reset their passwords and second factors, and end their sessions.',
};

/** Removes unreferenced components, which clutter the document and cause linter warnings. */
function usedOnly(root: Json, components: Record<string, Json>): Record<string, Json> {
  const used = new Set<string>();
  const visit = (part: unknown) => {
    for (const [, section = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (used.has(`${section} ${name}`)) continue;
      used.add(`${section} ${name}`);
      visit(components[section]?.[name]);
    }
  };
  visit(root);
  const isUsed = (section: string, name: string) => section === 'securitySchemes' || used.has(`${section} ${name}`);
  return Object.fromEntries(
    Object.entries(components).map(([section, entries]) => [
      section,
      Object.fromEntries(Object.entries(entries).filter(([name]) => isUsed(section, name))),
    ]),
  );
}
