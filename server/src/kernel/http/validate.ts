import type { InputError } from '@aisle/contract/common';
import { countries, currencies } from '@aisle/contract/iso';
import type { SubCode } from '@aisle/contract/sub-codes';
import { describeValue } from '@aisle/contract/value-faults';
import type { TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Format } from 'typebox/format';
import { Settings } from 'typebox/system';
import { maxDepth } from '../bodies/check-shape.ts';
import { isUuid } from '../values/ids.ts';
import { lazy, lazyFor } from '../values/lazy.ts';
import { isFractional } from '../values/number.ts';
import { isStorable } from '../values/text.ts';
import { isTimeZone, parseTime } from '../values/time.ts';
import { coerce, dropNulls, type JsonSchema } from './read-values.ts';

Settings.Set({ maxErrors: 50 });
Format.Set('lenient-date-time', (text) => parseTime(text) !== null);
Format.Set('time-zone', isTimeZone);
Format.Set('uuid', isUuid);
// Codes that do not match the pattern are accepted here, because the schema already rejects them with another error.
Format.Set('currency', (text) => !/^[A-Z]{3}$/.test(text) || currencies.has(text));
Format.Set('country', (text) => !/^[A-Z]{2}$/.test(text) || countries.has(text));

/** Converts unknown input to the schema's type, or describes its errors. Schemas are compiled on first use. */
export type Check = (value: unknown) => { value: unknown; errors: InputError[] };

/** Several servers in one process, as in tests, share the compiled schemas. */
const validatorOf = lazyFor((schema: TSchema): Validator => Compile(schema));

/** For bodies. Nothing is coerced. A null where the schema does not allow null counts as absent. */
export function bodyCheck(schema: TSchema): Check {
  const validator = lazy(() => validatorOf(schema));
  return (value) => {
    const cleaned = dropNulls(schema, value);
    const unstorable = validator().Check(cleaned) ? findUnstorable(cleaned) : undefined;
    return {
      value: cleaned,
      errors: unstorable ? [unstorable] : describeErrors(schema, validator(), cleaned, (at) => at),
    };
  };
}

/** For query and path parameters. Strings are converted to the schema's type. An empty value counts as absent. */
export function textCheck(schema: TObject): Check {
  const validator = lazy(() => validatorOf(schema));
  const properties = Object.entries(schema.properties) as [string, JsonSchema][];
  return (raw) => {
    const given = raw as Record<string, string | string[] | undefined>;
    const value: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const coerced = coerce(property, given[name]);
      if (coerced !== undefined) value[name] = coerced;
    }
    const unstorable = findUnstorable(value);
    const named = (pointer: string) => pointer.split('/')[1] ?? '';
    if (unstorable) return { value, errors: [{ ...unstorable, pointer: named(unstorable.pointer) }] };
    return { value, errors: describeErrors(schema, validator(), value, named).map(withUrlHint) };
  };
}

/** A plus sign in a URL means a space, so `+04:00` arrives without its sign. */
function withUrlHint(error: InputError): InputError {
  const isTime = error.message === formatTexts['lenient-date-time'];
  return isTime ? { ...error, message: `${error.message} (in a URL, write + as %2B)` } : error;
}

/** The pointer is put together on the way back, because almost every value can be stored. */
function findUnstorable(value: unknown, depth = 0): InputError | undefined {
  if (depth > maxDepth)
    return { pointer: '', code: 'too_deep', message: `must not be nested deeper than ${maxDepth} levels` };
  if (typeof value === 'string') return isStorable(value) ? undefined : unstorable();
  if (value === null || typeof value !== 'object') return undefined;
  const isList = Array.isArray(value);
  for (const name in value) {
    const found = isList || isStorable(name) ? findUnstorable((value as Json)[name], depth + 1) : unstorable();
    if (found) return found.code === 'too_deep' ? found : within(name, found);
  }
  return undefined;
}

function within(name: string, error: InputError): InputError {
  return { ...error, pointer: `/${escapePointer(name)}${error.pointer}` };
}

function unstorable(): InputError {
  return { pointer: '', code: 'bad_character', message: describeValue('bad_character') };
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

type SchemaError = ReturnType<Validator['Errors']>[number];

/** The error parameters for the keywords we use. */
type ErrorParams = {
  requiredProperties: string[];
  type: string | string[];
  allowedValues: unknown[];
  limit: number;
  format: string;
  additionalProperties: string[];
};

function describeErrors(
  schema: TSchema,
  validator: Validator,
  value: unknown,
  at: (pointer: string) => string,
): InputError[] {
  if (validator.Check(value)) return [];
  const found = validator.Errors(value);
  // If no branch of a union matched, only the error about the union itself is useful.
  const unions = found.filter((error) => error.keyword === 'anyOf').map((error) => error.schemaPath);
  const isBranch = (error: SchemaError) => unions.some((path) => error.schemaPath.startsWith(`${path}/anyOf`));
  const described = found.filter((error) => !isBranch(error)).flatMap((error) => describe(schema, value, error, at));
  // If there are `maxErrors` unknown fields, the library reports only errors about their values, which `describe`
  // omits.
  return described.length > 0 ? described : found.slice(0, 20).map((error) => unknownField(at(error.instancePath)));
}

function unknownField(pointer: string): InputError {
  return { pointer, code: 'unknown_field', message: 'is not a recognized field' };
}

function describe(schema: TSchema, value: unknown, error: SchemaError, at: (pointer: string) => string): InputError[] {
  const params = error.params as ErrorParams;
  const pointer = error.instancePath;
  const one = (code: SubCode<'error'>, message: string) => [{ pointer: at(pointer), code, message }];
  switch (error.keyword) {
    case 'required':
      return params.requiredProperties.map((name) => ({
        pointer: at(`${pointer}/${name}`),
        code: 'missing',
        message: describeValue('required'),
      }));
    case 'type':
      if ([params.type].flat().includes('integer') && isFractional(valueAt(value, pointer))) {
        return one('not_whole', describeValue('whole'));
      }
      return one(
        'wrong_type',
        nullHint(schema, value, error) ?? `must be ${[params.type].flat().map(article).join(' or ')}`,
      );
    case 'enum':
      return one('not_allowed', describeValue('one_of', { values: params.allowedValues.map(String).join(', ') }));
    case 'minimum':
      return one('out_of_range', describeValue('minimum', { min: params.limit }));
    case 'maximum':
      return one('out_of_range', describeValue('maximum', { max: params.limit }));
    case 'minLength': {
      const code = params.limit === 1 ? 'one_character' : 'min_characters';
      return one('too_short', describeValue(code, { min: params.limit }));
    }
    case 'maxLength':
      return one('too_long', describeValue('max_characters', { max: params.limit }));
    case 'minItems':
      return one('too_short', describeValue(params.limit === 1 ? 'one_item' : 'min_items', { min: params.limit }));
    case 'maxItems':
      return one('too_long', describeValue('max_items', { max: params.limit }));
    case 'pattern':
      return one('bad_format', hintAt(schema, error.schemaPath) ?? 'does not have the required format');
    case 'format':
      return one('bad_format', formatTexts[params.format] ?? `must be a valid ${params.format}`);
    case 'additionalProperties':
      return params.additionalProperties.map((name) => ({
        pointer: at(`${pointer}/${escapePointer(name)}`),
        ...unknownName(schemaAt(schema, error.schemaPath)),
      }));
    // The error is about the value of a field that is not allowed. The error about the field itself is enough.
    case 'boolean':
      return [];
    default:
      return one('not_allowed', 'does not match any of the allowed types');
  }
}

function nullHint(schema: TSchema, value: unknown, { instancePath, schemaPath }: SchemaError): string | undefined {
  return valueAt(value, instancePath) === null ? schemaAt(schema, schemaPath)?.nullHint : undefined;
}

/** The `patternHint` in the schema that caused the error. */
function hintAt(schema: TSchema, schemaPath: string): string | undefined {
  return schemaAt(schema, schemaPath)?.patternHint;
}

function schemaAt(schema: TSchema, schemaPath: string): JsonSchema | undefined {
  return valueAt(schema, schemaPath) as JsonSchema | undefined;
}

function valueAt(root: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  let at: unknown = root;
  for (const name of names) at = (at as Json | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  return at;
}

/** A record's hint says which names the record accepts. */
function unknownName(holder: JsonSchema | undefined): Omit<InputError, 'pointer'> {
  if (holder?.patternHint !== undefined) return { code: 'not_allowed', message: holder.patternHint };
  const known = Object.keys(holder?.properties ?? {}).join(', ');
  return { code: 'unknown_field', message: `is not a recognized field; known fields: ${known}` };
}

type Json = Record<string, unknown>;

const formatTexts: Record<string, string> = {
  uuid: 'must be a valid UUID',
  'lenient-date-time': describeValue('time'),
  'time-zone': describeValue('time_zone'),
  currency: describeValue('iso_currency'),
  country: describeValue('iso_country'),
};

function article(type: string): string {
  const labels: Record<string, string> = {
    integer: 'an integer',
    number: 'a number',
    string: 'a string',
    boolean: 'true or false',
    array: 'an array',
    object: 'an object',
    null: 'null',
  };
  return labels[type] ?? type;
}
