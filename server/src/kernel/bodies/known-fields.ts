import type { TSchema } from 'typebox';

/**
 * The names that a schema knows, as data that can be passed to a thread. Without `fields`, the client chooses the names;
 * without `items`, the elements of an array are not inspected. `prefix` is the part of a reported name before the field,
 * such as `items[].size.`.
 */
export type KnownFields = { prefix: string; fields?: Map<string, KnownFields | null>; items?: KnownFields };

/** The maximum number of unknown names that are reported. */
export const maxReported = 20;

/** Further elements of an array are not inspected: a field that a client invents is rarely in the later ones only. */
export const maxInspected = 10_000;

/** Null if every name is allowed. Computed once per route, because it is used for every request. */
export function knownFields(schema: TSchema, path = ''): KnownFields | null {
  const { properties, patternProperties, additionalProperties, items, anyOf } = schema as JsonSchema;
  if (anyOf) return anyOf.map((branch) => knownFields(branch, path)).reduce(merge, null);
  const prefix = path === '' ? '' : `${path}.`;
  if (items) {
    const inner = knownFields(items, `${path}[]`);
    return inner && { prefix, items: inner };
  }
  // Unknown names of a closed schema are errors, not ignored.
  if (!properties || patternProperties || additionalProperties === false) return null;
  const entries = Object.entries(properties);
  return { prefix, fields: new Map(entries.map(([name, inner]) => [name, knownFields(inner, prefix + name)])) };
}

/** The names in a body that are not known, such as `note` or `items[].colour`; each once, in the order they appear. */
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

/** Runs for every request, so it allocates nothing for a name that is known. */
function visit(known: KnownFields, value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { prefix, fields, items } = known;
  if (Array.isArray(value)) {
    if (!items) return;
    const end = Math.min(value.length, maxInspected);
    for (let index = 0; index < end && found.size < maxReported; index++) visit(items, value[index], found);
    return;
  }
  if (!fields) return;
  const holder = value as Record<string, unknown>;
  for (const name in holder) {
    const inner = fields.get(name);
    if (inner) visit(inner, holder[name], found);
    else if (inner === undefined && found.size < maxReported) found.add(prefix + name);
  }
}
