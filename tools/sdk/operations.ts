import { pathParameters } from '../../contract/src/common.ts';
import { describeScopes } from '../../contract/src/openapi/operation.ts';
import { type Json, pascal, plain, type SchemaComponents } from '../../contract/src/openapi/schemas.ts';
import { isConditional, isKeyed, type Route, type RouteResponse, sharedErrors } from '../../contract/src/route.ts';
import type { Declarations, Field } from './declarations.ts';
import type { NamedRoute } from './models.ts';
import { comment, field } from './typescript.ts';

/** What the SDK knows at run time about an operation. Absent properties keep the table small for browsers. */
export function operationRow(route: Route) {
  const list = listStyle(route);
  const job = Object.values(route.responses).find((response) => response.job)?.job;
  const { access, orScopes, andScopes, role, platformRole } = route;
  return {
    method: route.method,
    path: route.path,
    access,
    ...(orScopes && { orScopes }),
    ...(andScopes && { andScopes }),
    ...(role && { role }),
    ...(platformRole && { platformRole }),
    retry: retrySafety(route),
    ...(route.body && { body: bodyForms[route.body.form ?? 'json'] }),
    ...(list && { list }),
    ...(job && { job }),
    ...(isDownload(route) && { download: true }),
  };
}

/** The declarations of an operation's input and, in the client's interface, of its function. */
export function operationTypes([id, route]: NamedRoute, schemas: SchemaComponents, types: Declarations) {
  const name = pascal(id);
  const query = route.query && Object.keys(route.query.properties).length > 0 ? queryType(name, route, types) : '';
  const body = route.body ? bodyType(name, route, schemas, types) : undefined;
  const input = [
    paramsField(route, types),
    ...(query ? [field('query', `${name}Query`, (route.query?.required?.length ?? 0) > 0)] : []),
    ...(body ? [field('body', body, route.body?.required === true)] : []),
  ].join('');
  return {
    declarations: `${query}${input === '' ? `export type ${name}Input = object;\n` : `export interface ${name}Input {\n${input}}\n`}`,
    signature: `${comment(operationText(route), '  ')}  ${id}: ${functionType(name, route, schemas, types)};\n`,
    errors: `  ${id}: ${errorCodes(route)};\n`,
  };
}

const bodyForms = { json: 'json', bytes: 'large', stream: 'stream', urlencoded: 'form' } as const;

/**
 * `always`: repeating the request is harmless. `keyed`: it is harmless with the same idempotency key. `rejected`: only
 * after a response that says that nothing was changed.
 */
function retrySafety(route: Route): 'always' | 'keyed' | 'rejected' {
  if (route.method === 'GET') return 'always';
  return isKeyed(route) ? 'keyed' : 'rejected';
}

type ListStyle = { style: 'pages' | 'array' | 'cursor' | 'feed'; items: string };

/** How to read all items of a list: by page number, or with the cursor of the previous response. */
export function listStyle({ query, responses }: Route): ListStyle | undefined {
  const parameters = query?.properties ?? {};
  const schema = (responses[200]?.schema ?? {}) as Json;
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const items = properties.find(([, property]) => property['type'] === 'array')?.[0] ?? '';
  if ('page' in parameters && schema['type'] === 'array') return { style: 'array', items: '' };
  if ('page' in parameters) return { style: 'pages', items: pagedItems(properties.map(([name]) => name)) };
  if ('cursor' in parameters) return { style: 'cursor', items };
  return 'after' in parameters ? { style: 'feed', items } : undefined;
}

/** The contract's `Page` puts the items before `page_number`. */
function pagedItems(names: string[]): string {
  const items = names[names.indexOf('page_number') - 1];
  if (items === undefined) throw new Error(`No list of items was found before page_number in ${names.join(', ')}.`);
  return items;
}

export function isDownload(route: Route): boolean {
  return Object.values(route.responses).some((response) => !response.schema);
}

function queryType(name: string, route: Route, types: Declarations): string {
  return `${types.language.object(`${name}Query`, queryFields(route, types), {})}\n`;
}

export function queryFields(route: Route, types: Declarations): Field[] {
  const { properties = {}, required = [] } = plain(route.query ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return types.fields(properties, required);
}

function paramsField(route: Route, types: Declarations): string {
  const fields = pathFields(route, types);
  if (fields.length === 0) return '';
  const described = fields.map(({ name, type, isRequired, description }) =>
    field(name, type, isRequired, description).replaceAll(/^/gm, '  ').trimEnd(),
  );
  return field(
    'params',
    `{\n${described.join('\n')}\n  }`,
    fields.some(({ isRequired }) => isRequired),
  );
}

/** The chain id is optional, because the client knows the chain of its credentials. */
export function pathFields({ path, api }: Route, types: Declarations): Field[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.map((name) => {
    const isRequired = name !== 'chain_id' || api === 'platform';
    const { enum: values, description } = plain(pathParameters[name as keyof typeof pathParameters]);
    const type = types.typeOf(values ? { enum: values } : { type: 'string' });
    return {
      name,
      type,
      isRequired,
      description: `${String(description)}${isRequired ? '' : " Default: the client's chain."}`,
    };
  });
}

function bodyType(name: string, { body }: Route, schemas: SchemaComponents, types: Declarations): string {
  if (body?.form === 'stream') return 'FileBody';
  return types.typeOf(schemas.use(body?.schema ?? {}, `${name}Request`));
}

function functionType(name: string, route: Route, schemas: SchemaComponents, types: Declarations): string {
  const responses = Object.values(route.responses);
  const row = responses.find((response) => response.row)?.row;
  if (isDownload(route)) {
    return `DownloadOperation<${name}Input, ${row ? types.typeOf(schemas.use(row, `${name}Row`)) : 'never'}>`;
  }
  const bodyOf = ({ schema = {} }: RouteResponse) => types.typeOf(schemas.use(schema, `${name}Response`));
  const body = responses.map(bodyOf).join(' | ');
  const list = listStyle(route);
  if (list)
    return `ListOperation<${name}Input, ${body}, ${list.items ? `${body}['${list.items}'][number]` : `${body}[number]`}>`;
  const job = responses.find((response) => response.job)?.job;
  if (job) {
    const immediate = responses.filter((response) => !response.job).map(bodyOf);
    const finished = [job === 'getCatalogJob' ? 'CatalogJob' : 'PromotionJob', ...immediate].join(' | ');
    return `JobOperation<${name}Input, ${body}, ${finished}>`;
  }
  return `Operation<${name}Input, ${body}>`;
}

/** The documentation of an operation. */
export function operationText(route: Route): string {
  const headers = [...(isConditional(route) ? ['if-none-match'] : []), ...(route.headers ?? [])];
  return [
    `${route.summary}.`,
    route.description,
    `\`${route.method} ${route.path}\`${accessText(route)}`,
    headers.length > 0 ? `Request headers: ${headers.map((one) => `\`${one}\``).join(', ')}.` : undefined,
    route.deprecated && `@deprecated Will be removed on ${route.deprecated.sunset}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function accessText(route: Route): string {
  if (route.access === 'public') return ', without credentials.';
  if (route.access === 'platform') return ', with a platform token.';
  if (route.access === 'session') return ', with a portal session.';
  if (route.access === 'console') return ', with a console session.';
  return route.access === 'any' ? ', with any scope.' : `, with the scope ${describeScopes(route)}.`;
}

function errorCodes(route: Route): string {
  const codes = [...new Set([...sharedErrors(route), ...route.errors])];
  return codes.map((code) => `'${code}'`).join(' | ');
}
