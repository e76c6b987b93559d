import type { TSchema } from 'typebox';

/**
 * The fields a schema declares, as data that can be passed to a worker thread. If `fields` is absent, any name is
 * allowed. If `items` is absent, array elements are not inspected. `prefix` is the path reported before a field name,
 * such as `items[].size.`.
 */
export type KnownFields = { prefix: string; fields?: Map<string, KnownFields | null>; items?: KnownFields };

/** The maximum number of unknown fields that are reported. */
export const maxReported = 20;

/** Array elements beyond this number are not inspected, because an unknown field rarely appears only there. */
export const maxInspected = 10_000;

/** Null if any name is allowed. Call this once per route and keep the result, because it is used for every request. */
export function knownFields(schema: TSchema, path = ''): KnownFields | null {
  const { properties, patternProperties, additionalProperties, items, anyOf } = schema as JsonSchema;
  if (anyOf) return anyOf.map((branch) => knownFields(branch, path)).reduce(merge, null);
  const prefix = path === '' ? '' : `${path}.`;
  if (items) {
    const inner = knownFields(items, `${path}[]`);
    return inner && { prefix, items: inner };
  }
  // Unknown fields in a closed schema are rejected, not ignored.
  if (!properties || patternProperties || additionalProperties === false) return null;
  const entries = Object.entries(properties);
  return { prefix, fields: new Map(entries.map(([name, inner]) => [name, knownFields(inner, prefix + name)])) };
}

/** The undeclared fields in a body, such as `note` or `items[].color`, each once and in order of appearance. */
export function findUnknownFields(known: KnownFields | null, body: unknown): string[] {
  if (!known) return [];
  const found = new Set<string>();
  visit(known, body, found);
  return [...found];
}

type JsonSchema = {
  properties?: Record<string, TSchema>;
  patternProperties?: unknown;
  additionalProperties?: unknown;
  items?: TSchema;
  anyOf?: TSchema[];
};

function merge(a: KnownFields | null, b: KnownFields | null): KnownFields | null {
  if (!a || !b) return a ?? b;
  const fields = a.fields || b.fields ? new Map([...(a.fields ?? []), ...(b.fields ?? [])]) : undefined;
  const items = a.items ?? b.items;
  return { prefix: a.prefix, ...(fields && { fields }), ...(items && { items }) };
}

/** Runs for every request, so it allocates nothing for declared fields. */
function visit(known: KnownFields, value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null || found.size >= maxReported) return;
  const { prefix, fields, items } = known;
  if (Array.isArray(value)) {
    if (!items) return;
    const end = Math.min(value.length, maxInspected);
    for (let index = 0; index < end; index++) visit(items, value[index], found);
    return;
  }
  if (!fields) return;
  const holder = value as Record<string, unknown>;
  for (const name in holder) {
    if (found.size >= maxReported) return;
    const inner = fields.get(name);
    if (inner) visit(inner, holder[name], found);
    else if (inner === undefined) found.add(prefix + name);
  }
}
