import { gzipSync } from 'node:zlib';
import type { Route } from '@aisle/contract/route';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { type Hints, hintedOr, type JsonSchema, mutatedTexts, useHints, validValues } from './values.ts';

/** A valid or malformed request. Either way, the response must be one that the contract declares. */
export type Attack = {
  url: string;
  headers: Record<string, string>;
  raw?: Buffer;
  /** Whether the path might no longer match the route. */
  leavesRoute: boolean;
};

/** What requests to a route refer to: valid path parameters, existing values and a valid body. */
type Target = { ids: Record<string, string>; hints: Hints; example: unknown };

let target: Target;
const known = new Map<Route, fc.Arbitrary<Attack>>();

/** Generates requests to a route. The arbitrary is built once for each route, and must be drawn from before the next call. */
export function attacks(route: Route, next: Target): fc.Arbitrary<Attack> {
  target = next;
  useHints(next.hints);
  const built = known.get(route) ?? attacksOn(route);
  known.set(route, built);
  return built;
}

function attacksOn(route: Route): fc.Arbitrary<Attack> {
  return fc
    .record({ path: paths(route), query: queries(route), headers: headerSets(route), body: bodies(route) })
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
      strangeIds.map(({ text }) => text),
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

function paths(route: Route): fc.Arbitrary<PathPart> {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const choices = names.map((name) => {
    const valid = fc.constant(name).map(() => ({ text: target.ids[name] ?? '', leavesRoute: false }));
    return fc.oneof({ weight: name === 'chain_id' ? 30 : 8, arbitrary: valid }, { weight: 2, arbitrary: strangeIds });
  });
  return fc.tuple(...choices).map((parts) => {
    const left = [...parts];
    const text = route.path.replace(/\{\w+\}/g, () => left.shift()?.text ?? '');
    return { text, leavesRoute: parts.some((part) => part.leavesRoute) };
  });
}

const strangeIds = strangeIdArbitrary();

function strangeIdArbitrary(): fc.Arbitrary<PathPart> {
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

function queries(route: Route): fc.Arbitrary<string> {
  const properties = Object.entries(route.query?.properties ?? {}) as [string, JsonSchema][];
  if (properties.length === 0) return queryTails();
  const pairs = properties.map(([name, schema]) => fc.tuple(fc.constant(name), queryValues(validValues(schema, name))));
  const list = fc.array(fc.oneof(...pairs), { maxLength: 5 });
  const examples = properties.flatMap(([name, { examples: given }]) =>
    given ? [`${name}=${encodeURIComponent(String(given[0]))}`] : [],
  );
  return fc.oneof(
    ...(examples.length > 0 ? [{ weight: 4, arbitrary: fc.constant(`?${examples.join('&')}`) }] : []),
    { weight: 4, arbitrary: list.map((given) => `?${given.map(([name, value]) => `${name}=${value}`).join('&')}`) },
    { weight: 1, arbitrary: queryTails() },
  );
}

function queryValues(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const valid = values.map((value) => encodeURIComponent([value].flat().join(',').toWellFormed()));
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: oddQueryValues });
}

const oddQueryValues = fc.oneof(
  fc.constantFrom('', '%', '%00', '%ff', '+', '-1', '0', '1e9', '99999999999999999999', 'null', ',,,', '%25'),
  fc.string({ unit: 'binary', maxLength: 300 }).map((one) => encodeURIComponent(one.toWellFormed())),
);

function queryTails(): fc.Arbitrary<string> {
  return fc.constantFrom('', '', '?', '?a=b', '?page', '?=', '?&&', '?%=%', '?a[b]=c', '?__proto__=1', '?page=1#x');
}

const headerTexts = fc.string({ unit: fc.constantFrom(...'aZ09 "\\,;=/*-_ü'), maxLength: 40 });

function headerSets(route: Route): fc.Arbitrary<Record<string, string>> {
  const texts = headerTexts;
  const keys = fc.oneof(
    fc.constantFrom('same', '"same"', '"', '""', 'k'.repeat(255), 'k'.repeat(256), 'ü', 'a,b', ''),
    fc.uuid(),
    texts,
  );
  const etags = fc.oneof(hintedOr('etag', texts, ['*']), texts);
  const optional = fc.record(
    {
      'idempotency-key': keys,
      'x-request-id': fc.oneof(fc.constantFrom('ok-1', 'a b', 'x'.repeat(200)), texts),
      prefer: fc.oneof(fc.constantFrom('respond-async', 'respond-async, wait=10', ';;'), texts),
      accept: fc.oneof(fc.constantFrom('text/csv', 'application/json', 'application/x-ndjson', '*/*', ';q=x'), texts),
      'if-match': etags,
      'if-none-match': etags,
      range: fc.constantFrom('bytes=0-1', 'bytes=-', 'x'),
    },
    { requiredKeys: [] },
  );
  if (!route.body) return optional;
  const json = route.body.form === 'urlencoded' ? 'application/x-www-form-urlencoded' : 'application/json';
  const type = route.body.mediaTypes?.[0] ?? json;
  const odd = fc.constantFrom('text/plain', 'json', '', 'application/json; charset=x', ';', 'application/json-seq');
  return fc
    .tuple(optional, fc.oneof({ weight: 12, arbitrary: fc.constant(type) }, { weight: 1, arbitrary: odd }))
    .map(([headers, contentType]) => ({ ...headers, 'content-type': contentType }));
}

type RawBody = { bytes: Buffer; encoding: string | undefined };

function bodies(route: Route): fc.Arbitrary<RawBody | undefined> {
  const texts = route.body?.form === 'urlencoded' ? formTexts(route.body.schema) : jsonTexts(route.body?.schema);
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

const anyJsonTexts = mutatedTexts(fc.jsonValue());

function jsonTexts(schema: TSchema | undefined): fc.Arbitrary<string> {
  if (!schema) return anyJsonTexts;
  const examples = fc.constant(schema).map(() => target.example);
  return fc.oneof(
    { weight: 2, arbitrary: examples.map((value) => JSON.stringify(value) ?? '') },
    { weight: 2, arbitrary: mutatedTexts(examples, 1) },
    { weight: 3, arbitrary: mutatedTexts(validValues(schema, '')) },
  );
}

const oddFormValues = fc.oneof(
  fc.constantFrom('', '%00', '%', '\0', 'x'.repeat(20_000)),
  fc.string({ unit: 'binary' }),
);

function formTexts(schema: TSchema): fc.Arbitrary<string> {
  const documents = fc.oneof(
    fc.constant(schema).map(() => target.example),
    validValues(schema, ''),
  );
  const valid = documents.map((value) => Object.entries(value as Record<string, string>));
  const names = fc.constantFrom('grant_type', 'client_id', 'client_secret', 'scope', '__proto__', '');
  const odd = fc.array(fc.tuple(names, oddFormValues), { maxLength: 3 });
  return fc.tuple(valid, fc.oneof(fc.constant([]), odd)).map(([fields, more]) => {
    const pairs = [...fields, ...more].map(([name, value]): [string, string] => [name, value.toWellFormed()]);
    return new URLSearchParams(pairs).toString();
  });
}
