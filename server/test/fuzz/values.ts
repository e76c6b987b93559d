import fc from 'fast-check';

/** Existing values for each field name, so that valid requests have an effect. */
export type Hints = Record<string, string[]>;

let hints: Hints = {};

/** Sets the values that arbitraries use when they are drawn from. They are built once, which takes longer than drawing. */
export function useHints(existing: Hints): void {
  hints = existing;
}

/** One of the existing values, or a value of the other arbitrary if there are none. */
export function hintedOr(name: string, other: fc.Arbitrary<string>, more: string[] = []): fc.Arbitrary<string> {
  return indexes.chain((index) => {
    const known = hints[name];
    if (known === undefined || known.length === 0) return other;
    const values = [...known, ...more];
    return fc.constant(values[index % values.length] as string);
  });
}

const indexes = fc.noBias(fc.nat());

export type JsonSchema = {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  examples?: unknown[];
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
export function validValues(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => validValues(one, name)));
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => validOfType(type, schema, name)));
}

function validOfType(type: string, schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
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
      return fc.array(validValues(schema.items ?? {}, name), { minLength: schema.minItems ?? 0, maxLength: 4 });
    case 'string':
      return validTexts(schema, name);
    default:
      return validObjects(schema);
  }
}

function validTexts(schema: JsonSchema, name: string): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 30 } = schema;
  if (schema.format === 'uuid') return orHinted(fc.uuid(), name);
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
  const free = freeTexts(minLength, Math.min(maxLength, 30), schema.pattern);
  return orHinted(free, name);
}

const texts = new Map<string, fc.Arbitrary<string>>();

/** Reuses the arbitraries, because creating one takes longer than drawing a value. */
function freeTexts(minLength: number, maxLength: number, pattern?: string): fc.Arbitrary<string> {
  const key = `${minLength} ${maxLength} ${pattern}`;
  const known = texts.get(key);
  if (known) return known;
  const created =
    pattern === undefined
      ? fc.string({ unit: 'grapheme', minLength, maxLength })
      : fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, Math.max(minLength, maxLength)));
  texts.set(key, created);
  return created;
}

function orHinted(free: fc.Arbitrary<string>, name: string): fc.Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: hintedOr(name, free) }, { weight: 1, arbitrary: free });
}

function validObjects(schema: JsonSchema): fc.Arbitrary<object> {
  const [pattern] = Object.keys(schema.patternProperties ?? {});
  if (pattern !== undefined) {
    return fc.dictionary(fc.constantFrom('en_AE', 'ar_AE', 'de_DE'), freeTexts(0, 10), { maxKeys: 3 });
  }
  const properties = Object.entries(schema.properties ?? {});
  const fields = Object.fromEntries(properties.map(([name, inner]) => [name, validValues(inner, name)]));
  return fc.record<Record<string, unknown>, string>(fields, { requiredKeys: schema.required ?? [] });
}

/** Generates JSON by replacing up to three values, sometimes with text that JSON.stringify never writes. */
export function mutatedTexts(documents: fc.Arbitrary<unknown>, minChanges = 0): fc.Arbitrary<string> {
  const replacements = fc.array(fc.tuple(fc.nat(), invalidValues), { minLength: minChanges, maxLength: 3 });
  return fc.tuple(documents, replacements).map(([value, list]) => {
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

const invalidValues = invalidArbitrary();

function invalidArbitrary(): fc.Arbitrary<unknown> {
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
