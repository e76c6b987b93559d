/** The parts of a JSON schema that decide how a value is read before it is validated. */
export type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: unknown;
  items?: JsonSchema;
  maxItems?: number;
  patternHint?: string;
  /** If set, null does not count as absent. It is rejected with this message. */
  nullHint?: string;
};

/** Converts a query or path parameter to the schema's type. If that is impossible, the validator rejects it. */
export function coerce(schema: JsonSchema, raw: string | string[] | undefined): unknown {
  if (schema.type === 'array') {
    // A comma that is part of a value is written with a backslash before it.
    const parts = [raw ?? []].flat().flatMap((part) => part.split(/(?<!\\),/));
    const values = parts.map((part) => part.trim().replaceAll('\\,', ',')).filter((part) => part !== '');
    return values.length === 0 ? undefined : values;
  }
  if (raw === undefined || raw === '') return undefined;
  // A parameter that is sent more than once stays an array, which the schema rejects if it expects a single value.
  if (typeof raw !== 'string') return raw;
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(raw)) return Number(raw);
  if (schema.type === 'boolean' && /^(true|false)$/i.test(raw)) return raw.toLowerCase() === 'true';
  return raw;
}

/** Removes each null that counts as absent, and fields that an open schema does not know. */
export function dropNulls(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items, maxItems = value.length } = schema;
    // A list that is too long is rejected whatever is in it, so the rest is not validated.
    const list = value.slice(0, maxItems + 1);
    return items && isContainer(items) ? list.map((item) => dropNulls(items, item)) : list;
  }
  if (value === null || typeof value !== 'object') return value;
  const properties = objectProperties(schema);
  if (!properties) return isRecord(schema) ? withoutNulls(value) : value;
  // Unknown fields in a closed schema are kept, so that the validator rejects them.
  const kept = isClosed(schema) ? unknownOf(value, properties) : {};
  for (const [name, property] of Object.entries(properties)) {
    const given = (value as Record<string, unknown>)[name];
    if (given === undefined || !Object.hasOwn(value, name)) continue;
    if (given === null && !acceptsNull(property) && property.nullHint === undefined) continue;
    kept[name] = dropNulls(property, given);
  }
  return kept;
}

function isClosed(schema: JsonSchema): boolean {
  return schema.additionalProperties === false || (schema.anyOf ?? []).some(isClosed);
}

/** No more than 20 unknown fields are reported, so the others are not validated. */
function unknownOf(value: object, properties: Record<string, JsonSchema>): Record<string, unknown> {
  const names = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  return Object.fromEntries(names.slice(0, 20).map((name) => [name, (value as Record<string, unknown>)[name]]));
}

function objectProperties(schema: JsonSchema): Record<string, JsonSchema> | undefined {
  if (schema.properties) return schema.properties;
  const branches = (schema.anyOf ?? []).flatMap((branch) => objectProperties(branch) ?? []);
  return branches.length === 0 ? undefined : Object.assign({}, ...branches);
}

/** Whether the schema describes an object whose property names the client chooses. */
function isRecord(schema: JsonSchema): boolean {
  return schema.patternProperties !== undefined || (schema.anyOf ?? []).some(isRecord);
}

function withoutNulls(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}

function isContainer(schema: JsonSchema): boolean {
  return [schema.properties, schema.patternProperties, schema.items, schema.anyOf].some((part) => part !== undefined);
}

function acceptsNull(schema: JsonSchema): boolean {
  return [schema.type].flat().includes('null') || (schema.anyOf ?? []).some(acceptsNull);
}

/** PostgreSQL cannot store U+0000 or an unpaired surrogate, and deep nesting is never intended. */
