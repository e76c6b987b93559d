import type { InputError } from '@aisle/contract/common';
import type { TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Format } from 'typebox/format';
import { Settings } from 'typebox/system';
import { isUuid } from '../values/ids.ts';
import { isStorable } from '../values/text.ts';
import { isTimeZone, parseTime } from '../values/time.ts';

Settings.Set({ maxErrors: 50 });
Format.Set('lenient-date-time', (text) => parseTime(text) !== null);
Format.Set('time-zone', isTimeZone);
Format.Set('uuid', isUuid);

/** Turns unknown input into what the schema describes, or says what is wrong with it. */
export type Check = (value: unknown) => { value: unknown; errors: InputError[] };

/** For bodies: nothing is coerced; a null where the schema has no null counts as absent. */
export function bodyCheck(schema: TSchema): Check {
  const validator = Compile(schema);
  return (value) => {
    const cleaned = dropNulls(schema, value);
    const unstorable = validator.Check(cleaned) ? findUnstorable(cleaned, '') : undefined;
    return { value: cleaned, errors: unstorable ? [unstorable] : describeErrors(validator, cleaned, (at) => at) };
  };
}

/** For query and path: texts become what the schema wants; an empty value counts as absent. */
export function textCheck(schema: TObject): Check {
  const validator = Compile(schema);
  const properties = Object.entries(schema.properties) as [string, JsonSchema][];
  return (raw) => {
    const given = raw as Record<string, string | string[] | undefined>;
    const value: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const coerced = coerce(property, given[name]);
      if (coerced !== undefined) value[name] = coerced;
    }
    const unstorable = findUnstorable(value, '');
    const named = (pointer: string) => pointer.split('/')[1] ?? '';
    if (unstorable) return { value, errors: [{ ...unstorable, pointer: named(unstorable.pointer) }] };
    return { value, errors: describeErrors(validator, value, named) };
  };
}

type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  items?: JsonSchema;
};

function coerce(schema: JsonSchema, raw: string | string[] | undefined): unknown {
  if (schema.type === 'array') {
    const parts = [raw ?? []].flat().flatMap((part) => part.split(','));
    const values = parts.map((part) => part.trim()).filter((part) => part !== '');
    return values.length === 0 ? undefined : values;
  }
  if (raw === undefined || raw === '') return undefined;
  // A parameter given twice where one value is expected stays a list, which the schema then refuses.
  if (typeof raw !== 'string') return raw;
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(raw)) return Number(raw);
  if (schema.type === 'boolean' && /^(true|false)$/i.test(raw)) return raw.toLowerCase() === 'true';
  return raw;
}

function dropNulls(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items && isContainer(items) ? value.map((item) => dropNulls(items, item)) : value;
  }
  if (value === null || typeof value !== 'object') return value;
  const properties = objectProperties(schema);
  if (!properties) return isRecord(schema) ? withoutNulls(value) : value;
  const kept: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const given = (value as Record<string, unknown>)[name];
    if (given === undefined || !Object.hasOwn(value, name)) continue;
    if (given === null && !acceptsNull(property)) continue;
    kept[name] = dropNulls(property, given);
  }
  return kept;
}

function objectProperties(schema: JsonSchema): Record<string, JsonSchema> | undefined {
  if (schema.properties) return schema.properties;
  const branches = (schema.anyOf ?? []).flatMap((branch) => objectProperties(branch) ?? []);
  return branches.length === 0 ? undefined : Object.assign({}, ...branches);
}

/** Names of the caller's choosing, such as locales. */
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

/** PostgreSQL stores no U+0000, half a surrogate pair is no character, and nobody means a list in a list in a list … */
function findUnstorable(value: unknown, pointer: string, depth = 0): InputError | undefined {
  if (depth > deepest)
    return { pointer: '', code: 'too_deep', message: `must not be nested deeper than ${deepest} levels` };
  if (typeof value === 'string') return isStorable(value) ? undefined : unstorable(pointer);
  if (value === null || typeof value !== 'object') return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(name)}`;
    const found = isStorable(name) ? findUnstorable(inner, at, depth + 1) : unstorable(at);
    if (found) return found;
  }
  return undefined;
}

const deepest = 50;

function unstorable(pointer: string): InputError {
  return { pointer, code: 'bad_character', message: 'must not contain U+0000 or half of a surrogate pair' };
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

type SchemaError = ReturnType<Validator['Errors']>[number];

/** What the errors of the keywords we use carry. */
type ErrorParams = {
  requiredProperties: string[];
  type: string | string[];
  allowedValues: unknown[];
  limit: number;
  pattern: string;
  format: string;
  additionalProperties: string[];
};

function describeErrors(validator: Validator, value: unknown, at: (pointer: string) => string): InputError[] {
  if (validator.Check(value)) return [];
  const found = validator.Errors(value);
  // Where one of several forms was expected, only the sentence about the whole helps.
  const unions = found.filter((error) => error.keyword === 'anyOf').map((error) => error.schemaPath);
  const branches = (error: SchemaError) => unions.some((path) => error.schemaPath.startsWith(`${path}/anyOf`));
  return found.filter((error) => !branches(error)).flatMap((error) => describe(error, at));
}

function describe(error: SchemaError, at: (pointer: string) => string): InputError[] {
  const params = error.params as ErrorParams;
  const pointer = error.instancePath;
  const one = (code: string, message: string) => [{ pointer: at(pointer), code, message }];
  switch (error.keyword) {
    case 'required':
      return params.requiredProperties.map((name) => ({
        pointer: at(`${pointer}/${name}`),
        code: 'missing',
        message: 'is required',
      }));
    case 'type':
      return one('wrong_type', `must be ${[params.type].flat().map(article).join(' or ')}`);
    case 'enum':
      return one('not_allowed', `must be one of ${params.allowedValues.map(String).join(', ')}`);
    case 'minimum':
      return one('out_of_range', `must be at least ${params.limit}`);
    case 'maximum':
      return one('out_of_range', `must be at most ${params.limit}`);
    case 'minLength':
    case 'minItems':
      return one('too_short', `must have at least ${params.limit} ${unit(error.keyword)}`);
    case 'maxLength':
    case 'maxItems':
      return one('too_long', `must have at most ${params.limit} ${unit(error.keyword)}`);
    case 'pattern':
      return one('bad_format', `must match ${params.pattern}`);
    case 'format':
      return one('bad_format', `must be a valid ${formatNames[params.format] ?? params.format}`);
    case 'additionalProperties':
      return params.additionalProperties.map((name) => ({
        pointer: at(`${pointer}/${escapePointer(name)}`),
        code: 'not_allowed',
        message: 'is not an allowed name here (locales look like en_SG)',
      }));
    // The value under a name that is not allowed: the sentence about the name says it all.
    case 'boolean':
      return [];
    default:
      return one('not_allowed', 'has none of the allowed forms');
  }
}

const formatNames: Record<string, string> = {
  uuid: 'UUID',
  'lenient-date-time': 'time such as 2026-05-04T09:30:00Z',
  'time-zone': 'time zone name such as Asia/Dubai',
};

function article(type: string): string {
  const words: Record<string, string> = {
    integer: 'a whole number',
    number: 'a number',
    string: 'a text',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  };
  return words[type] ?? type;
}

function unit(keyword: string): string {
  return keyword.endsWith('Length') ? 'characters' : 'entries';
}
