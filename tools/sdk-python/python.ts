import type { Field, Language } from '../sdk/declarations.ts';
import { wrapText } from '../sdk/wrap-text.ts';

/** How the declarations are written in Python: objects are `TypedDict`s, so that they are plain JSON at run time. */
export const python: Language = {
  primitives: { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' },
  unknown: 'Any',
  comments: /"""[^]*?"""|#[^\n]*/g,
  literal: (value) => `Literal[${literal(value)}]`,
  either,
  array: (type) => `list[${type}]`,
  record: (value) => `dict[str, ${value}]`,
  object(name, fields, { description, parent, isParent }) {
    // In a union of final classes, type checkers understand `"job_id" in response`.
    const decorator = isParent ? '' : '@final\n';
    if (fields.every((one) => isName(one.name))) {
      return `${decorator}${classOf(name, fields, description, parent ?? 'TypedDict')}`;
    }
    if (parent !== undefined) throw new Error(`${name} has a parent and a field that Python cannot write as a name.`);
    return dictionaryOf(name, fields, description);
  },
  alias: (name, type, description) => `${name} = ${type}\n${docstring(description)}`,
  union: (name, types, description) =>
    `${name} = Union[\n${types.map((one) => `    ${one},\n`).join('')}]\n${docstring(description)}`,
  fieldOf: (_union, _name, values) => either(values.map((one) => `Literal[${literal(one)}]`)),
};

/** A literal value of Python. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `(${value.map((one) => `${literal(one)},`).join(' ')})`;
  return JSON.stringify(value);
}

/** `putOrder` becomes `put_order`. */
export function snake(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A name for a parameter. Keywords get an underscore, as PEP 8 recommends. */
export function parameterName(name: string): string {
  return keywords.has(name) ? `${name}_` : name;
}

/** A documentation string, wrapped at 100 columns. Empty if there is no text. */
export function docstring(text: unknown, indent = ''): string {
  if (typeof text !== 'string' || text === '') return '';
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  if (!safe.includes('\n') && indent.length + safe.length <= 94) return `${indent}"""${safe}"""\n`;
  const [first = '', ...rest] = wrapText(safe, 97 - indent.length);
  const lines = rest.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');
  return `${indent}"""${first}\n${lines}${indent}"""\n`;
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
}

/** Several literals become one: `Literal["a", "b"]`. */
function either(types: readonly string[]): string {
  const values = types.flatMap((one) => /^Literal\[(.*)\]$/.exec(one)?.[1] ?? []);
  const others = types.filter((one) => !/^Literal\[.*\]$/.test(one));
  return [...(values.length > 0 ? [`Literal[${values.join(', ')}]`] : []), ...others].join(' | ');
}

function classOf(name: string, fields: readonly Field[], description: unknown, parent: string): string {
  const body = [docstring(description, '    '), ...fields.map(fieldLines)].filter((part) => part !== '').join('\n');
  return `class ${name}(${parent}):\n${body === '' ? '    pass\n' : body}`;
}

function fieldLines({ name, type, isRequired, description }: Field): string {
  return `    ${name}: ${isRequired ? type : `NotRequired[${type}]`}\n${docstring(description, '    ')}`;
}

/** A field such as `from` cannot be written in a class. */
function dictionaryOf(name: string, fields: readonly Field[], description: unknown): string {
  const lines = fields.map((one) => {
    const type = one.isRequired ? one.type : `NotRequired[${one.type}]`;
    return `${comment(one.description)}        ${literal(one.name)}: ${literal(type)},\n`;
  });
  const text = `${name} = TypedDict(\n    ${literal(name)},\n    {\n${lines.join('')}    },\n)\n`;
  return `${text}${docstring(description)}`;
}

function comment(text: unknown): string {
  if (typeof text !== 'string') return '';
  return wrapText(text, 90)
    .map((line) => `        # ${line}\n`)
    .join('');
}
