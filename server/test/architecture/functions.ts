import { Visitor } from 'rolldown/utils';
import type { Source } from './sources.ts';

type Node = { type: string; start: number; end: number };
type Parameter = Node & { name?: string };
type Callable = Node & { params: unknown[]; body?: unknown; id?: { name: string } | null };

/** A function in a source file. `parameters` contains the names that its parameters declare. */
export type FunctionInfo = {
  name: string | undefined;
  isExported: boolean;
  start: number;
  end: number;
  line: number;
  lines: number;
  /** The number of lines in objects that the function returns or assigns to a variable. */
  tableLines: number;
  parameters: string[];
};

export function listFunctions({ program, text }: Source): FunctionInfo[] {
  const found: FunctionInfo[] = [];
  const names = new Map<number, string>();
  const exported = new Set<number>();
  const add = (node: Callable) => {
    const name = node.id?.name ?? names.get(node.start);
    const line = lineAt(text, node.start);
    const lines = lineAt(text, node.end) - line + 1;
    const tables = tablesOf(node.body).map(({ start, end }) => lineAt(text, end) - lineAt(text, start));
    const tableLines = tables.reduce((sum, count) => sum + count, 0);
    const parameters = node.params.flatMap((parameter) => namesIn(parameter));
    found.push({
      name,
      isExported: exported.has(node.start),
      start: node.start,
      end: node.end,
      line,
      lines,
      tableLines,
      parameters,
    });
  };
  new Visitor({
    ExportNamedDeclaration({ declaration }) {
      if (declaration) exported.add(declaration.start);
      if (declaration?.type === 'VariableDeclaration') {
        for (const { init } of declaration.declarations) if (init) exported.add(init.start);
      }
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) names.set(init.start, id.name);
    },
    Property({ key, value }) {
      if (key.type === 'Identifier') names.set(value.start, key.name);
    },
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program);
  return found;
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Returns the objects that a body returns or assigns: `() => ({ … })`, `return { … }`, `const rows = { … }`. */
function tablesOf(part: unknown): Node[] {
  const node = (part ?? {}) as Record<string, unknown>;
  if (node['type'] === 'ObjectExpression') return [part as Node];
  if (node['type'] === 'BlockStatement') return (node['body'] as unknown[]).flatMap(tablesOf);
  if (node['type'] === 'ParenthesizedExpression') return tablesOf(node['expression']);
  if (node['type'] === 'ReturnStatement') return tablesOf(node['argument']);
  if (node['type'] === 'VariableDeclaration') return (node['declarations'] as unknown[]).flatMap(tablesOf);
  return node['type'] === 'VariableDeclarator' ? tablesOf(node['init']) : [];
}

/** Returns the names that a parameter declares, including destructured ones. */
function namesIn(parameter: unknown): string[] {
  const { type, name } = parameter as Parameter;
  const parts = parameter as Record<string, unknown>;
  if (type === 'Identifier') return name === undefined ? [] : [name];
  if (type === 'AssignmentPattern') return namesIn(parts['left']);
  if (type === 'RestElement') return namesIn(parts['argument']);
  if (type === 'ArrayPattern') return (parts['elements'] as unknown[]).flatMap((one) => (one ? namesIn(one) : []));
  if (type !== 'ObjectPattern') return [];
  return (parts['properties'] as Record<string, unknown>[]).flatMap((one) => namesIn(one['value'] ?? one));
}
