import { Visitor } from 'rolldown/utils';
import type { Source } from './sources.ts';

/** The SQL in a source file: strings that start with a lowercase SQL keyword, as all of our SQL does. */
export type Sql = { text: string; line: number; isStatement: boolean };

const statement =
  /^(?:select|with|values|insert into|update \S+ (?:as )?(?:\w+ )?set|delete from|copy|create|drop|alter|truncate|lock table|analyze|vacuum|merge into|set (?:local|session)|listen|notify|unlisten|begin|commit|rollback|savepoint)\b/;

export function readSql(source: Source): Sql[] {
  const found: Sql[] = [];
  const add = (text: string, start: number) => {
    const line = source.text.slice(0, start).split('\n').length;
    found.push({ text, line, isStatement: statement.test(text.trim()) });
  };
  new Visitor({
    // These two kernel functions build a statement from the table name that they are called with.
    CallExpression({ callee, arguments: [, name], start }) {
      if (callee.type !== 'Identifier' || name?.type !== 'Literal') return;
      if (callee.name === 'createTemporary') add(`create temporary table ${name.value} ()`, start);
      if (callee.name === 'copyInto') add(`copy ${name.value} from stdin`, start);
    },
    Literal({ value, start }) {
      if (typeof value === 'string') add(value, start);
    },
    TemplateLiteral({ quasis, start }) {
      add(quasis.map(({ value }) => value.cooked ?? value.raw).join(' $x '), start);
    },
  }).visit(source.program);
  return found;
}

/** Returns the tables and sequences that a piece of SQL refers to, except those that it defines itself. */
export function tablesIn(sql: string): string[] {
  const tokens = tokenize(sql);
  const named = tokens.filter((token, index) => isName(token) && isTablePlace(tokens, index));
  const sequences = [...sql.matchAll(/\b(?:nextval|currval|setval)\('(\w+)'/g)].map(([, name = '']) => name);
  const defined = new Set(commonTablesIn(tokens));
  return [...new Set([...named, ...sequences])].filter((name) => !defined.has(name)).toSorted();
}

/** Returns the names of the common table expressions and temporary tables that a piece of SQL defines. */
export function definitionsIn(sql: string): string[] {
  const temporary = sql.matchAll(/\bcreate temp(?:orary)? table (?:if not exists )?(\w+)/g);
  return [...commonTablesIn(tokenize(sql)), ...[...temporary].map(([, name = '']) => name)];
}

/** Finds the names in `WITH name AS (…)` and `name (columns) AS (…)`. The text may also start with such a name. */
function commonTablesIn(tokens: string[]): string[] {
  return tokens.filter((token, index) => {
    if (!isName(token) || (index > 0 && !['with', 'recursive', ','].includes(tokens[index - 1] ?? ''))) return false;
    const next = tokens[index + 1] === '(' ? tokens.indexOf(')', index) + 1 : index + 1;
    const rest = tokens.slice(next, next + 4).filter((word) => word !== 'not' && word !== 'materialized');
    return rest[0] === 'as' && rest[1] === '(';
  });
}

function tokenize(sql: string): string[] {
  const bare = sql.replaceAll(/--[^\n]*/g, ' ').replaceAll(/'(?:[^']|'')*'/g, " '' ");
  return bare.toLowerCase().match(/[a-z_][\w.]*|\$\w+|[(),]|[^\s\w]|\d+/g) ?? [];
}

function isName(token: string): boolean {
  return /^[a-z_][\w.]*$/.test(token) && !notNames.has(token);
}

const notNames = new Set([
  'select',
  'set',
  'lateral',
  'only',
  'unnest',
  'values',
  'of',
  'skip',
  'nowait',
  'stdin',
  'stdout',
  'if',
  'not',
  'exists',
]);
const leaders = new Set(['from', 'join', 'into', 'update', 'using', 'copy', 'table', 'truncate']);
/** Keywords that end the table list after FROM or USING. */
const enders = new Set(
  'where group order limit on set union returning for having window join left right inner cross full values do'.split(
    ' ',
  ),
);

function isTablePlace(tokens: string[], index: number): boolean {
  if (tokens[index + 1] === '(' && !['into', 'copy', 'table', 'exists'].includes(tokens[index - 1] ?? '')) return false;
  let before = index - 1;
  while (['only', 'lateral', 'exists', 'not', 'if'].includes(tokens[before] ?? '')) before--;
  const leader = tokens[before] ?? '';
  if (leaders.has(leader)) return isLeader(tokens, before);
  return leader === ',' && isInTableList(tokens, before);
}

/** Whether the FROM or UPDATE at `index` precedes a table, unlike in "is distinct from x" and "for update of x". */
function isLeader(tokens: string[], index: number): boolean {
  const before = tokens[index - 1] ?? '';
  if (tokens[index] === 'update') return !['for', 'key', 'do', 'on'].includes(before);
  if (tokens[index] !== 'from') return true;
  if (before === 'distinct') return false;
  const opened = openingBefore(tokens, index);
  return !['extract', 'substring', 'trim', 'overlay'].includes(tokens[opened - 1] ?? '');
}

/** Whether a comma separates tables after a FROM or USING in the same parentheses. */
function isInTableList(tokens: string[], comma: number): boolean {
  let depth = 0;
  for (let index = comma - 1; index >= 0; index--) {
    const token = tokens[index] ?? '';
    if (token === ')') depth++;
    else if (token === '(' && depth === 0) return false;
    else if (token === '(') depth--;
    else if (depth === 0 && (token === 'from' || token === 'using' || token === 'truncate'))
      return isLeader(tokens, index);
    else if (depth === 0 && (enders.has(token) || token === 'select')) return false;
  }
  return false;
}

function openingBefore(tokens: string[], index: number): number {
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    if (tokens[at] === ')') depth++;
    if (tokens[at] !== '(') continue;
    if (depth === 0) return at;
    depth--;
  }
  return -1;
}
