import { gzipSync } from 'node:zlib';
import type { Route } from '@aisle/contract/route';
import fc from 'fast-check';
import type { TSchema } from 'typebox';

/** A valid or malformed request. Either way, the response must be one that the contract declares. */
export type Attack = {
  url: string;
  headers: Record<string, string>;
  raw?: Buffer;
  /** Whether the path might no longer match the route. */
  leavesRoute: boolean;
};

/** Existing values for each field name, so that valid requests have an effect. */
export type Hints = Record<string, string[]>;

export function attacks(route: Route, ids: Record<string, string>, hints: Hints): fc.Arbitrary<Attack> {
  return fc
    .record({
      path: paths(route, ids),
      query: queries(route, hints),
      headers: headerSets(route),
      body: bodies(route, hints),
    })
    .map(({ path, query, headers, body }) => ({
      url: `${path.text}${query}`,
      leavesRoute: path.leavesRoute,
      headers: { ...headers, ...(body?.encoding !== undefined && { 'content-encoding': body.encoding }) },
      ...(body && { raw: body.bytes }),
    }));
}

export function strangePaths(): fc.Arbitrary<Attack & { method: string }> {
  const segments = fc.constantFrom('v2', 'platform', 'v1', 'chains', 'oauth', 'docs');
  const parts = fc.array(
    fc.oneof(
      segments,
      strangeIds().map(({ text }) => text),
    ),
  );
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS');
  return fc.tuple(parts, methods, queryTails()).map(([path, method, tail]) => ({
    // After two leading slashes, the next segment would be read as a host name.
    url: `/${path.join('/').replace(/^[/\\]+/, '')}${tail}`,
    method,
    headers: {},
    leavesRoute: true,
  }));
}

type PathPart = { text: string; leavesRoute: boolean };

function paths(route: Route, ids: Record<string, string>): fc.Arbitrary<PathPart> {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const choices = names.map((name) => {
    const valid = fc.constant({ text: ids[name] ?? '', leavesRoute: false });
    return fc.oneof({ weight: name === 'chain_id' ? 30 : 8, arbitrary: valid }, { weight: 2, arbitrary: strangeIds() });
  });
  return fc.tuple(...choices).map((parts) => {
    const left = [...parts];
    const text = route.path.replace(/\{\w+\}/g, () => left.shift()?.text ?? '');
    return { text, leavesRoute: parts.some((part) => part.leavesRoute) };
  });
}

function strangeIds(): fc.Arbitrary<PathPart> {
  const onRoute = ['%00', '%2F..%2F', '%2e%2e%2f', "';--", '%25', '%F0%9F%9B%92', '%E2%80%AE', '%20', 'NULL', '-1'];
  const long = [100, 499].map((length) => 'a'.repeat(length));
  const uuids = ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-7FFF-8FFF-FFFFFFFFFFFF', '{0}'];
  const offRoute = ['%ff', '%', '%zz', '%c3%28', '', '.', '..', '../..', 'a/b', 'a'.repeat(5000), '?', '#', '\\', '//'];
  return fc.oneof(
    fc.constantFrom(...onRoute, ...long, ...uuids).map((text) => ({ text, leavesRoute: false })),
    fc.constantFrom(...offRoute).map((text) => ({ text, leavesRoute: true })),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => ({
      text: encodeURIComponent(text.toWellFormed()),
      // Dots are not encoded, and a segment of one or two dots changes the path.
      leavesRoute: /^\.{1,2}$/.test(text),
    })),
  );
}

function queries(route: Route, hints: Hints): fc.Arbitrary<string> {
  const properties = Object.entries(route.query?.properties ?? {}) as [string, JsonSchema][];
  if (properties.length === 0) return queryTails();
  const pairs = properties.map(([name, schema]) =>
    fc.tuple(fc.constant(name), queryValues(validValues(schema, hints, name))),
  );
  const list = fc.array(fc.oneof(...pairs), { maxLength: 5 });
  return fc.oneof(
    { weight: 4, arbitrary: list.map((given) => `?${given.map(([name, value]) => `${name}=${value}`).join('&')}`) },
    { weight: 1, arbitrary: queryTails() },
  );
}

function queryValues(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const valid = values.map((value) => encodeURIComponent([value].flat().join(',').toWellFormed()));
  const odd = fc.constantFrom(
    '',
    '%',
    '%00',
    '%ff',
    '+',
    '-1',
    '0',
    '1e9',
    '99999999999999999999',
    'null',
    ',,,',
    '%25',
  );
  const text = fc.string({ unit: 'binary', maxLength: 300 }).map((one) => encodeURIComponent(one.toWellFormed()));
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: odd }, { weight: 1, arbitrary: text });
}

function queryTails(): fc.Arbitrary<string> {
  return fc.constantFrom('', '', '?', '?a=b', '?page', '?=', '?&&', '?%=%', '?a[b]=c', '?__proto__=1', '?page=1#x');
}

function headerSets(route: Route): fc.Arbitrary<Record<string, string>> {
  const texts = fc.string({ unit: fc.constantFrom(...'aZ09 "\\,;=/*-_ü'), maxLength: 40 });
  const keys = fc.oneof(
    fc.constantFrom('same', '"same"', '"', '""', 'k'.repeat(255), 'k'.repeat(256), 'ü', 'a,b', ''),
    fc.uuid(),
    texts,
  );
  const optional = fc.record(
    {
      'idempotency-key': keys,
      'x-request-id': fc.oneof(fc.constantFrom('ok-1', 'a b', 'x'.repeat(200)), texts),
      prefer: fc.oneof(fc.constantFrom('respond-async', 'respond-async, wait=10', ';;'), texts),
      accept: fc.oneof(fc.constantFrom('text/csv', 'application/json', 'application/x-ndjson', '*/*', ';q=x'), texts),
      'if-match': texts,
      'if-none-match': texts,
      range: fc.constantFrom('bytes=0-1', 'bytes=-', 'x'),
    },
    { requiredKeys: [] },
  );
  if (!route.body) return optional;
  const type = route.body.form === 'urlencoded' ? 'application/x-www-form-urlencoded' : 'application/json';
  const odd = fc.constantFrom('text/plain', 'json', '', 'application/json; charset=x', ';', 'application/json-seq');
  return fc
    .tuple(optional, fc.oneof({ weight: 12, arbitrary: fc.constant(type) }, { weight: 1, arbitrary: odd }))
    .map(([headers, contentType]) => ({ ...headers, 'content-type': contentType }));
}

type RawBody = { bytes: Buffer; encoding: string | undefined };

function bodies(route: Route, hints: Hints): fc.Arbitrary<RawBody | undefined> {
  const texts =
    route.body?.form === 'urlencoded' ? formTexts(route.body.schema, hints) : jsonTexts(route.body?.schema, hints);
  const plain = texts.map((text) => ({ bytes: Buffer.from(text), encoding: undefined }));
  const compressed = texts.map((text) => ({ bytes: gzipSync(text), encoding: 'gzip' }));
  const broken = fc.oneof(
    texts.map((text) => ({ bytes: Buffer.from(text).subarray(0, Math.floor(text.length / 2)), encoding: undefined })),
    texts.map((text) => ({ bytes: gzipSync(text).subarray(0, 15), encoding: 'gzip' })),
    texts.map((text) => ({ bytes: Buffer.from(text), encoding: 'gzip' })),
    texts.map((text) => ({ bytes: Buffer.from(text), encoding: 'br' })),
    texts.map((text) => ({
      bytes: Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xc0])]),
      encoding: undefined,
    })),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => ({ bytes: Buffer.from(bytes), encoding: undefined })),
  );
  const given = fc.oneof(
    { weight: 12, arbitrary: plain },
    { weight: 2, arbitrary: compressed },
    { weight: 2, arbitrary: broken },
  );
  return route.body ? given : fc.option(given, { nil: undefined, freq: 2 });
}

function formTexts(schema: TSchema, hints: Hints): fc.Arbitrary<string> {
  const valid = validValues(schema, hints, '').map((value) => Object.entries(value as Record<string, string>));
  const names = fc.constantFrom('grant_type', 'client_id', 'client_secret', 'scope', '__proto__', '');
  const values = fc.oneof(fc.constantFrom('', '%00', '%', '\0', 'x'.repeat(20_000)), fc.string({ unit: 'binary' }));
  const odd = fc.array(fc.tuple(names, values), { maxLength: 3 });
  return fc.tuple(valid, fc.oneof(fc.constant([]), odd)).map(([fields, more]) => {
    const pairs = [...fields, ...more].map(([name, value]): [string, string] => [name, value.toWellFormed()]);
    return new URLSearchParams(pairs).toString();
  });
}

/** Generates documents by replacing some values in a valid one, sometimes with text that JSON.stringify never writes. */
function jsonTexts(schema: TSchema | undefined, hints: Hints): fc.Arbitrary<string> {
  const document = schema ? validValues(schema, hints, '') : fc.jsonValue();
  const replacements = fc.array(fc.tuple(fc.nat(), invalidValues()), { maxLength: 3 });
  return fc.tuple(document, replacements).map(([value, list]) => {
    const root = { value: structuredClone(value) };
    for (const [location, replacement] of list) replaceValue(root, location, replacement);
    return (JSON.stringify(root.value) ?? '').replaceAll(/"@@(\w+)@@"/g, (_, name: string) => unwritable[name] ?? '0');
  });
}

const unwritable: Record<string, string> = {
  deep: `${'['.repeat(45_000)}${']'.repeat(45_000)}`,
  deepObject: `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`,
  infinite: '1e999',
  precise: '0.1234567890123456789012345678901234567890',
  huge: '123456789012345678901234567890',
  negativeZero: '-0',
  twice: '{"a":1,"a":2}',
  proto: '{"__proto__":{"polluted":true},"constructor":1}',
};

function invalidValues(): fc.Arbitrary<unknown> {
  const texts = [
    '',
    ' ',
    'a\0b',
    '\ud800',
    '\udfff',
    '🛒'.repeat(70),
    'e\u0301'.repeat(100),
    '\u202e',
    "'; drop table x",
    '\\',
  ];
  return fc.oneof(
    fc.constantFrom(undefined, null, true, 0, -1, 0.5, 1e21, -1e308, 5e-324, 2 ** 31, 2 ** 53, [], {}, [null], [[]]),
    fc.constantFrom(...texts, 'x'.repeat(65), 'x'.repeat(20_000), '9999-12-31T23:59:59-23:59', '2026-02-30', '=1+1'),
    fc.constantFrom(...Object.keys(unwritable).map((name) => `@@${name}@@`)),
    fc.constantFrom<unknown>(
      Array.from({ length: 1001 }, () => 'x'),
      Array.from({ length: 300 }, () => null),
    ),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.jsonValue({ maxDepth: 3 }),
  );
}

/** Replaces one of the values in the document, or removes the value if the replacement is undefined. */
function replaceValue(root: { value: unknown }, location: number, replacement: unknown): void {
  const locations = locationsOf(root);
  const chosen = locations[location % locations.length];
  if (!chosen) return;
  const [holder, name] = chosen;
  if (replacement === undefined && !Array.isArray(holder)) delete holder[name];
  else holder[name] = structuredClone(replacement);
}

function locationsOf(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [
    [holder, name] as [typeof holder, string],
    ...locationsOf(holder[name]),
  ]);
}

type JsonSchema = {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  patternProperties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/** Generates values that match the schema. */
function validValues(schema: JsonSchema, hints: Hints, name: string): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => validValues(one, hints, name)));
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => validOfType(type, schema, hints, name)));
}

function validOfType(type: string, schema: JsonSchema, hints: Hints, name: string): fc.Arbitrary<unknown> {
  const { minimum = -1000, maximum = 1000 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
    case 'number':
      return fc.oneof(fc.double({ min: minimum, max: maximum, noNaN: true }), fc.constantFrom(minimum, maximum, 1.005));
    case 'array':
      return fc.array(validValues(schema.items ?? {}, hints, name), { minLength: schema.minItems ?? 0, maxLength: 4 });
    case 'string':
      return validTexts(schema, hints[name]);
    default:
      return validObjects(schema, hints);
  }
}

function validTexts(schema: JsonSchema, hinted: string[] | undefined): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 30 } = schema;
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'currency') return fc.constantFrom('AED', 'KWD', 'JPY', 'ZZZ');
  if (schema.format === 'country') return fc.constantFrom('AE', 'SG', 'ZZ');
  if (schema.format === 'time-zone') return fc.constantFrom('Asia/Dubai', 'UTC', 'America/Argentina/Buenos_Aires');
  if (schema.format?.endsWith('date-time')) {
    return fc.constantFrom(
      '2031-02-03',
      '2031-02-03T04:05:06+04:00',
      '2031-02-03T04:05:06.789Z',
      '2001-01-01T00:00:00',
    );
  }
  const free = schema.pattern
    ? fc.stringMatching(new RegExp(schema.pattern)).map((text) => text.slice(0, maxLength))
    : fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) });
  return hinted ? fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...hinted) }, { weight: 1, arbitrary: free }) : free;
}

function validObjects(schema: JsonSchema, hints: Hints): fc.Arbitrary<object> {
  const [pattern] = Object.keys(schema.patternProperties ?? {});
  if (pattern !== undefined) {
    return fc.dictionary(fc.constantFrom('en_AE', 'ar_AE', 'de_DE'), fc.string({ unit: 'grapheme' }), { maxKeys: 3 });
  }
  const properties = Object.entries(schema.properties ?? {});
  const fields = Object.fromEntries(properties.map(([name, inner]) => [name, validValues(inner, hints, name)]));
  return fc.record<Record<string, unknown>, string>(fields, { requiredKeys: schema.required ?? [] });
}
