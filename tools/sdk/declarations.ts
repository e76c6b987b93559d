import type { Json } from '../../contract/src/openapi/schemas.ts';

/**
 * Turns JSON schemas into TypeScript. A reference becomes the name of its component, with `| null` if the component can
 * be null. Nested objects have become components before.
 */
export function createDeclarations(components: Record<string, Json>) {
  const isNullable = (name: string) => [components[name]?.['type']].flat().includes('null');
  const typeOf = (schema: Json): string => {
    const { $ref, type, enum: values, anyOf, items } = schema as Schema;
    if ($ref !== undefined) return referenced(String($ref.split('/').at(-1)));
    if ('const' in schema) return literal(schema['const']);
    if (values) return union(values.map(literal));
    if (anyOf) return union(anyOf.map(typeOf));
    if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })));
    if (type === 'array') return arrayOf(typeOf(items ?? {}));
    if (type === 'object') return recordOf(schema);
    return primitives[type ?? ''] ?? 'unknown';
  };
  const referenced = (name: string) => (isNullable(name) && isInterface(name) ? `${name} | null` : name);
  const isInterface = (name: string) => components[name]?.['properties'] !== undefined;
  const recordOf = (schema: Json) => {
    const [value] = Object.values((schema as Schema).patternProperties ?? {});
    return `Record<string, ${value ? typeOf(value) : 'unknown'}>`;
  };
  /** The fields of an interface, each with its description. */
  const fields = (properties: Record<string, Json>, required: readonly string[]) =>
    Object.entries(properties)
      .map(([name, schema]) => field(name, typeOf(schema), required.includes(name), schema['description']))
      .join('');
  return {
    typeOf,
    fields,
    /** The declaration of a named type: an interface for an object, an alias for anything else. */
    declare(name: string, schema: Json): string {
      const { properties, required = [], description } = schema as Schema;
      if (!properties) return `${comment(description)}export type ${name} = ${typeOf(schema)};\n`;
      return `${comment(description)}export interface ${name} {\n${fields(properties, required)}}\n`;
    },
  };
}
export type Declarations = ReturnType<typeof createDeclarations>;

export function field(name: string, type: string, isRequired: boolean, description?: unknown): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  // With `| undefined`, callers that use `exactOptionalPropertyTypes` can pass optional values on.
  const optional = isRequired ? `: ${type}` : `?: ${type} | undefined`;
  return `${comment(description, '  ')}  ${key}${optional};\n`;
}

export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
}

/** A documentation comment, wrapped at 120 columns. Empty if there is no text. */
export function comment(text: unknown, indent = ''): string {
  if (typeof text !== 'string' || text === '') return '';
  const safe = text.replaceAll('*/', '*\\/');
  if (!safe.includes('\n') && indent.length + safe.length <= 113) return `${indent}/** ${safe} */\n`;
  const lines = safe.split('\n').flatMap((line) => wrap(line, 117 - indent.length));
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}

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

const primitives: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function union(types: string[]): string {
  return [...new Set(types)].join(' | ');
}

function arrayOf(type: string): string {
  return /^\w+$/.test(type) ? `${type}[]` : `(${type})[]`;
}

function wrap(line: string, width: number): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
