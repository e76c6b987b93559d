import assert from 'node:assert/strict';
import { parseCsv } from '@aisle/contract/csv';
import type { EventType } from '@aisle/contract/events';
import type { PlatformEventType } from '@aisle/contract/platform-events';
import { routes } from '@aisle/contract/index';
import { openapiDocument } from '@aisle/contract/openapi/document';
import { subCodesIn } from '@aisle/contract/sub-codes';
import { Compile, type Validator } from 'typebox/compile';

/**
 * Fails if the API's OpenAPI document does not describe this response with its status, error code, headers and body.
 * Undeclared properties and headers count as errors. A request that matches no route is not checked.
 */
export function assertDocumented(method: string, url: string, response: Response): void {
  const found = findOperation(method, url);
  if (!found || codeOf(response) === 'route_not_found') return;
  const { document, operation } = found;
  const name = `${operation.operationId} ${response.status}`;
  const declared = operation.responses[String(response.status)];
  assert.ok(declared, `${name} is not documented: ${response.text.slice(0, 500)}`);
  const documented = resolve(document, declared) as DocumentedResponse;
  assert.deepEqual(headerMismatches(document, documented, response), [], `${name}: the headers do not match`);
  if (!documented.content) return assert.equal(response.text, '', `${name} has an undocumented body`);
  const type = String(response.headers['content-type']).split(';')[0] ?? '';
  const content = documented.content[type];
  assert.ok(content, `${name}: the content type ${type} is not documented`);
  // A compressed body is not read here.
  if (response.headers['content-encoding'] !== undefined) return;
  if (response.status >= 400) {
    const code = codeOf(response);
    assert.ok(content.examples?.[code], `${name}: the code ${code} is not documented`);
  }
  if (type === 'text/csv') assertItemCodes(name, response.text);
  if (type.endsWith('json')) {
    assert.deepEqual(mismatches(document, content.schema, response.body), [], `${name} does not match its schema`);
  }
}

/** Lists the differences between an event's body and its webhook's schema, including undeclared properties. */
export function eventMismatches(type: EventType | PlatformEventType, body: unknown, api: Api = 'partner'): string[] {
  const document = documentOf(api);
  const webhook = document.webhooks?.[type] as Webhook | undefined;
  assert.ok(webhook, `${type} is not documented`);
  return mismatches(document, webhook.post.requestBody.content['application/json'].schema, body);
}

type Response = {
  status: number;
  body: unknown;
  text: string;
  headers: Record<string, string | string[] | number | undefined>;
};
type Json = Record<string, unknown>;
type Document = ReturnType<typeof openapiDocument>;
type Operation = { operationId: string; responses: Record<string, Json> };
type DocumentedResponse = {
  headers: Record<string, Json>;
  content?: Record<string, { schema: Json; examples?: Json }>;
};
type Webhook = { post: { requestBody: { content: { 'application/json': { schema: Json } } } } };
type Candidate = { method: string; pattern: RegExp; document: Document; operation: Operation };

function codeOf({ body }: Response): string {
  return String((body as Json | undefined)?.['code']);
}

/** Sorted by the number of parameters, so that `/catalog/export` is found before `/catalog/{sku}`. */
let known: Candidate[] | undefined;

function findOperation(method: string, url: string): Candidate | undefined {
  known ??= (['partner', 'platform'] as const).flatMap(candidates).toSorted((a, b) => parameters(a) - parameters(b));
  // Resolves `..`, as the server does.
  const path = new URL(url, 'http://aisle.test').pathname;
  return known.find((one) => one.method === method && one.pattern.test(path));
}

type Api = 'partner' | 'platform';
const documents: Partial<Record<Api, Document>> = {};

function documentOf(api: Api): Document {
  return (documents[api] ??= openapiDocument(api, routes, 'test'));
}

function candidates(api: Api): Candidate[] {
  const document = documentOf(api);
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern,
      document,
      operation: operation as Operation,
    }));
  });
}

function parameters({ pattern }: Candidate): number {
  return pattern.source.split('[^').length;
}

/** Standard HTTP and browser headers, which are the same on every route and are not documented. */
const generalHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

function headerMismatches(document: Document, { headers }: DocumentedResponse, response: Response): string[] {
  return Object.entries(response.headers).flatMap(([name, value]) => {
    if (generalHeaders.has(name) || value === undefined) return [];
    const declared = headers[name];
    if (!declared) return [`${name} is not documented`];
    const { schema } = resolve(document, declared) as { schema: Json };
    return mismatches(document, schema, headerValue(schema, value)).map((problem) => `${name}: ${problem}`);
  });
}

function headerValue(schema: Json, value: string | string[] | number): unknown {
  const text = [value].flat().join(', ');
  return schema['type'] === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
}

/** Checks the codes in a result file, because the compiler cannot check those that SQL writes. */
function assertItemCodes(name: string, text: string): void {
  // Only result files have codes. Failed rows can have any separator.
  if (!text.split('\n')[0]?.split(',').includes('code')) return;
  const rows = parseCsv(text).take(100).toArray();
  const column = rows[0]?.indexOf('code') ?? -1;
  const codes = column < 0 ? [] : rows.slice(1).map((row) => row[column] ?? '');
  const unknown = codes.filter((code) => code !== '' && !(itemCodes as string[]).includes(code));
  assert.deepEqual(unknown, [], `${name}: the codes are not in contract/src/sub-codes.ts`);
}

const itemCodes = subCodesIn('item');

const validators = new Map<Json, Validator>();

function mismatches(document: Document, declared: Json, value: unknown): string[] {
  // Compiling takes longer than a request. Hundreds of responses refer to the schema of errors.
  const schema = resolve(document, declared);
  const validator = validators.get(schema) ?? Compile(closed(document, schema));
  validators.set(schema, validator);
  if (validator.Check(value)) return [];
  return validator
    .Errors(value)
    .map(
      ({ instancePath, message }) =>
        `${instancePath || '/'} ${message}: ${JSON.stringify(valueAt(value, instancePath))}`,
    );
}

function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce((at, name) => (at as Json | undefined)?.[name], value);
}

/** Returns the schema with references resolved and with undeclared properties forbidden in its objects. */
function closed(document: Document, schema: Json): Json {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (!isObject(part)) return part;
    if (typeof part['$ref'] === 'string') return visit(resolve(document, part));
    const copy = Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, visit(inner)]));
    return isObject(part['properties']) && part['type'] !== undefined ? { ...copy, additionalProperties: false } : copy;
  };
  return visit(schema) as Json;
}

function resolve(document: Document, part: Json): Json {
  const reference = part['$ref'];
  if (typeof reference !== 'string') return part;
  const [, , section = '', name = ''] = reference.split('/');
  return document.components[section]?.[name] as Json;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
