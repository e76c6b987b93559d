import type { Json } from '../../contract/src/openapi/schemas.ts';

/** How the declarations of types are written in a programming language. */
export type Language = {
  /** The types of JSON schemas. */
  primitives: Record<string, string>;
  unknown: string;
  /** Documentation in a declaration, which does not count as a use of the types that it mentions. */
  comments: RegExp;
  /** The type of a single value. */
  literal(value: unknown): string;
  /** A value of one of these types. */
  either(types: readonly string[]): string;
  array(type: string): string;
  record(value: string): string;
  /** An object with these fields, and those of its parent. */
  object(name: string, fields: readonly Field[], options: ObjectOptions): string;
  alias(name: string, type: string, description?: unknown): string;
  union(name: string, types: readonly string[], description?: unknown): string;
  /** The type of a field of a union, which has these values. */
  fieldOf(union: string, name: string, values: readonly string[]): string;
};

export type ObjectOptions = { description?: unknown; parent?: string; isParent?: true };

export type Field = { name: string; type: string; isRequired: boolean; description?: unknown };

/**
 * Turns JSON schemas into types. A reference becomes the name of its component, with `| null` if the component can be
 * null. Nested objects have become components before.
 */
export function createDeclarations(components: Record<string, Json>, language: Language) {
  const { primitives, literal, unknown } = language;
  const union = (all: string[]) => language.either([...new Set(all)]);
  const isNullable = (name: string) => [components[name]?.['type']].flat().includes('null');
  const typeOf = (schema: Json): string => {
    const { $ref, type, enum: values, anyOf, items } = schema as Schema;
    if ($ref !== undefined) return referenced(String($ref.split('/').at(-1)));
    if ('const' in schema) return literal(schema['const']);
    if (values) return union(values.map(literal));
    if (anyOf) return union(anyOf.map(typeOf));
    if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
    if (type === 'array') return language.array(typeOf(items ?? {}));
    if (type === 'object') return recordOf(schema);
    return primitives[type ?? ''] ?? unknown;
  };
  const referenced = (name: string) =>
    isNullable(name) && isInterface(name) ? union([name, primitives['null'] ?? unknown]) : name;
  const isInterface = (name: string) => components[name]?.['properties'] !== undefined;
  const recordOf = (schema: Json) => {
    const [value] = Object.values((schema as Schema).patternProperties ?? {});
    return language.record(value ? typeOf(value) : unknown);
  };
  /** The fields of an object, each with its description. */
  const fields = (properties: Record<string, Json>, required: readonly string[]): Field[] =>
    Object.entries(properties).map(([name, schema]) => ({
      name,
      type: typeOf(schema),
      isRequired: required.includes(name),
      description: schema['description'],
    }));
  return {
    language,
    typeOf,
    fields,
    /** The declaration of a named type: an object with fields, or an alias for anything else. */
    declare(name: string, schema: Json): string {
      const { properties, required = [], description } = schema as Schema;
      if (!properties) return language.alias(name, typeOf(schema), description);
      return language.object(name, fields(properties, required), { description });
    },
    /** The type of the items of a list: of the response itself, or of one of its fields. */
    itemOf(response: Json, list: string): string {
      const { $ref } = response as Schema;
      const schema = $ref === undefined ? response : components[String($ref.split('/').at(-1))];
      const { properties = {}, items } = (schema ?? {}) as Schema;
      const found = list === '' ? items : (properties[list] as Schema | undefined)?.items;
      if (!found) throw new Error(`No items were found in ${list || 'a list'} of ${$ref ?? 'a response'}.`);
      return typeOf(found);
    },
  };
}
export type Declarations = ReturnType<typeof createDeclarations>;

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Json[];
  items?: Json;
  properties?: Record<string, Json>;
  required?: string[];
  patternProperties?: Record<string, Json>;
  description?: string;
};
