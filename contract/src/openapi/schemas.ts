import type { TSchema } from 'typebox';
import { exportedSchemas } from './exported-schemas.ts';

export type Json = Record<string, unknown>;

/** Turns the contract's schemas into references to components, and collects the referenced components. */
export type SchemaComponents = {
  /** Returns a reference if the schema is a component. `name` is used if the contract does not export the schema. */
  use(schema: TSchema, name: string): Json;
  /** Adds a component that gives a schema another name and description. */
  alias(name: string, schema: TSchema, description: string): Json;
  components(): Record<string, Json>;
};

/**
 * Objects and exported enumerations become components, each defined once. Two schemas that differ only in their own
 * description share a component, and the description goes next to the reference. A nested object that is not exported is
 * named after its parent and its property, e.g. `OrderPayment` or `OrderItemPricing`.
 */
export function createSchemaComponents(): SchemaComponents {
  const names = new Map<string, string>();
  const defined = new Map<string, Json>();
  const exported = Object.entries(exportedSchemas()).map(([name, schema]) => [name, plain(schema)] as const);
  for (const [name, schema] of exported) names.set(contentOf(schema), name);

  const refer = (schema: Json, fallback: string): Json => {
    const content = contentOf(schema);
    const known = names.get(content);
    if (known === undefined && !isObject(schema)) return inside(schema, fallback);
    const name = known ?? freeName(fallback, defined);
    names.set(content, name);
    if (!defined.has(name)) {
      // Reserve the name before the nested schemas are named, so that none of them takes it.
      defined.set(name, {});
      defined.set(name, inside(schema, name));
    }
    const { description } = schema;
    const isSame = description === undefined || description === defined.get(name)?.['description'];
    return { $ref: `#/components/schemas/${name}`, ...(isSame ? {} : { description }) };
  };
  const inside = (schema: Json, name: string): Json => {
    const copy: Json = { ...schema };
    if (schema['items']) copy['items'] = refer(schema['items'] as Json, singular(name));
    if (schema['properties']) {
      const properties = Object.entries(schema['properties'] as Record<string, Json>);
      copy['properties'] = Object.fromEntries(properties.map(([key, part]) => [key, refer(part, name + pascal(key))]));
    }
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      if (schema[key]) copy[key] = (schema[key] as Json[]).map((part) => refer(part, name));
    }
    return copy;
  };
  // Nested schemas are named after the exported schema that contains them, not after the first operation using them.
  for (const [name, schema] of exported) refer(schema, name);
  return {
    use: (schema, name) => refer(plain(schema), name),
    alias(name, schema, description) {
      defined.set(name, { description, allOf: [refer(plain(schema), name)] });
      return { $ref: `#/components/schemas/${name}` };
    },
    components: () => Object.fromEntries([...defined].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Converts a schema to JSON without the keywords and formats that only this project understands. */
export function plain(schema: TSchema): Json {
  const isOurs = (key: string, value: unknown) =>
    key === 'patternHint' ||
    key === 'nullHint' ||
    (key === 'format' && typeof value === 'string' && ownFormats.has(value));
  return JSON.parse(JSON.stringify(schema, (key, value) => (isOurs(key, value) ? undefined : value)));
}

/** Converts `list_orders`, `order.received` or `putOrder` to `ListOrders`, `OrderReceived` or `PutOrder`. */
export function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

const ownFormats = new Set(['lenient-date-time', 'time-zone', 'currency', 'country']);

function contentOf(schema: Json): string {
  return JSON.stringify({ ...schema, description: undefined });
}

/** Excludes records, such as titles by locale, because they need no component of their own. */
function isObject(schema: Json): boolean {
  return schema['properties'] !== undefined && [schema['type']].flat().includes('object');
}

function freeName(wanted: string, defined: Map<string, Json>): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}${count}`;
    if (!defined.has(name)) return name;
  }
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}
