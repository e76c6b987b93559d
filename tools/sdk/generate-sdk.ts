import { Problem } from '../../contract/src/common.ts';
import { closedReasons } from '../../contract/src/outlets.ts';
import { createSchemaComponents, type SchemaComponents, pascal } from '../../contract/src/openapi/schemas.ts';
import { type Route, scopes, unstoredStatuses } from '../../contract/src/route.ts';
import { createDeclarations } from './declarations.ts';
import { type NamedRoute, operationRow, operationTypes } from './operations.ts';
import { eventTypes, problemTypes } from './problems.ts';

/** The generated files of the SDK, by path: types, the interface of the client, and the tables of operations. */
export function sdkFiles(routes: Record<string, Route>, version: string): Record<string, string> {
  const all = Object.entries(routes);
  const schemas = usedSchemas(all);
  const types = createDeclarations(schemas.components());
  const operations = all.map((one) => operationTypes(one, schemas, types));
  const events = eventTypes(schemas, types);
  // These have a more precise declaration than their schemas.
  const { Problem: _problem, FeedEvent: _event, ...components } = schemas.components();
  const models = new Map(Object.entries(components).map(([name, schema]) => [name, types.declare(name, schema)]));
  const inputs = operations.map(({ declarations }) => declarations);
  const problems = problemTypes(schemas, types);
  const roots = [...operations.map(({ signature }) => signature), ...inputs, events, problems];
  return {
    'sdk/src/generated/models.ts': file([...usedModels(models, roots), events, problems]),
    'sdk/src/generated/inputs.ts': file([
      `import type { FileBody } from '../operation.ts';\n${importModels(inputs.join(''), components)}`,
      ...inputs,
    ]),
    'sdk/src/generated/operations.ts': operationsFile(operations, { ...components, FeedEvent: {} }, all),
    'sdk/src/generated/partner-operations.ts': table('partner', all),
    'sdk/src/generated/platform-operations.ts': table('platform', all),
    'sdk/src/generated/constants.ts': constantsFile(),
    'sdk/src/generated/version.ts': file([`export const version = '${version}';\n`]),
  };
}

/** Every schema that a request, a response or an event uses. */
function usedSchemas(routes: NamedRoute[]): SchemaComponents {
  const schemas = createSchemaComponents();
  schemas.use(Problem, 'Problem');
  for (const [id, { body, responses }] of routes) {
    if (body && body.form !== 'stream') schemas.use(body.schema, `${pascal(id)}Request`);
    for (const { schema, row } of Object.values(responses)) {
      if (schema) schemas.use(schema, `${pascal(id)}Response`);
      if (row) schemas.use(row, `${pascal(id)}Row`);
    }
  }
  return schemas;
}

type Generated = ReturnType<typeof operationTypes>;

function operationsFile(operations: Generated[], components: Record<string, unknown>, all: NamedRoute[]): string {
  const signatures = operations.map(({ signature }) => signature).join('\n');
  const inputs = all.map(([id]) => `${pascal(id)}Input`).join(',\n  ');
  const kinds = ['DownloadOperation', 'JobOperation', 'ListOperation', 'Operation'];
  return file([
    [
      `import type {\n  ${kinds.join(',\n  ')},\n} from '../operation.ts';`,
      `import type {\n  ${inputs},\n} from './inputs.ts';`,
      importModels(signatures, components),
    ].join('\n'),
    `/** One function per operation of the API, named by its operation id. */\nexport interface Operations {\n${signatures}}\n`,
    `export type OperationId = keyof Operations;\n`,
    `/** The error codes that each operation can return. */\nexport interface OperationErrors {\n${operations.map(({ errors }) => errors).join('')}}\n`,
  ]);
}

/** The declarations that the texts use, directly or indirectly. */
function usedModels(models: ReadonlyMap<string, string>, texts: string[]): string[] {
  const used = new Set<string>();
  const visit = (text: string) => {
    for (const word of wordsOf(text)) {
      const declaration = models.get(word);
      if (declaration === undefined || used.has(word)) continue;
      used.add(word);
      visit(declaration);
    }
  };
  texts.forEach(visit);
  return [...models].filter(([name]) => used.has(name)).map(([, declaration]) => declaration);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.replaceAll(/\/\*\*[^]*?\*\//g, '').match(/\w+/g));
}

function importModels(text: string, components: Record<string, unknown>): string {
  const words = wordsOf(text);
  const used = Object.keys(components).filter((name) => words.has(name));
  return `import type {\n  ${used.toSorted().join(',\n  ')},\n} from './models.ts';\n`;
}

function table(api: Route['api'], routes: NamedRoute[]): string {
  const rows = routes
    .filter(([, route]) => route.api === api)
    .map(([id, route]) => `  ${id}: ${literal(operationRow(route))},\n`);
  return file([
    `import type { OperationTable } from '../operation.ts';\n`,
    `/** The operations of the ${api} API, as data. */\nexport const ${api}Operations = {\n${rows.join('')}} as const satisfies OperationTable;\n`,
  ]);
}

/** The lists of the contract that programs need as values, not only as types. */
function constantsFile(): string {
  const constant = (name: string, description: string, values: readonly unknown[]) =>
    `/** ${description} */\nexport const ${name} = ${literal(values)} as const;\n`;
  return file([
    constant('scopes', 'What a token can be allowed to do.', scopes),
    constant('closedReasons', 'Why a store can be closed.', closedReasons),
    constant(
      'unstoredStatuses',
      'Responses with these statuses, and 5xx, are not stored under the idempotency key.',
      unstoredStatuses,
    ),
  ]);
}

/** A JavaScript literal on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `'${value}'` : String(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${literal(inner)}`)
    .join(', ')} }`;
}

function file(parts: string[]): string {
  return ['// Generated by npm run generate from the contract; do not edit.\n', ...parts].join('\n');
}
