import type { Language } from './declarations.ts';
import { wrapText } from './wrap-text.ts';

/** How the declarations are written in TypeScript. */
export const typescript: Language = {
  primitives: { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' },
  unknown: 'unknown',
  comments: /\/\*\*[^]*?\*\//g,
  literal,
  either: (types) => types.join(' | '),
  array: (type) => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`),
  record: (value) => `Record<string, ${value}>`,
  object: (name, fields, { description, parent }) => {
    const declared = fields.map((one) => field(one.name, one.type, one.isRequired, one.description)).join('');
    return `${comment(description)}export interface ${name}${parent ? ` extends ${parent}` : ''} {\n${declared}}\n`;
  },
  alias: (name, type, description) => `${comment(description)}export type ${name} = ${type};\n`,
  union: (name, types, description) =>
    `${comment(description)}export type ${name} =\n${types.map((one) => `  | ${one}`).join('\n')};\n`,
  fieldOf: (union, name) => `${union}['${name}']`,
};

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
  const lines = wrapText(safe, 117 - indent.length);
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}
