import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** Parses every source file in the repository. Paths are relative to the root of the repository. */
export type Import = { target: string; isType: boolean };
export type Program = ReturnType<typeof parseSync>['program'];
export type Source = { path: string; text: string; imports: Import[]; program: Program };

const root = join(import.meta.dirname, '../../..');
const patterns = [
  '{contract,sdk,cli,demo,server,portal}/src/**/*.{ts,tsx}',
  'server/test/**/*.ts',
  '{tools,bench,e2e,simulate}/**/*.ts',
  'portal/*.ts',
];

export const sources: ReadonlyMap<string, Source> = readSources();

/** All sources except tests and files used only by tests. */
export const production = [...sources.values()].filter(({ path }) => !isTest(path));

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^(e2e|simulate|server\/test)\//.test(path);
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function listPaths(pattern: string): string[] {
  return globSync(pattern, { cwd: root }).toSorted();
}

export function parseSource(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const found: Import[] = [];
  const add = (name: string, isType: boolean) => found.push({ target: resolveTarget(path, name), isType });
  for (const { moduleRequest, entries } of module.staticImports) {
    add(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType));
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest) add(moduleRequest.value, isType);
  }
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === 'Literal' && typeof source.value === 'string') add(source.value, false);
    },
    TSImportType({ source }) {
      add(source.value, true);
    },
    // The entry point of a thread: new URL('./read-thread.ts', import.meta.url).
    NewExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'URL' || first?.type !== 'Literal') return;
      if (typeof first.value === 'string' && /^\.[^?]*\.ts$/.test(first.value)) add(first.value, false);
    },
  }).visit(program);
  return { path, text, imports: mergeImports(found), program };
}

/** Returns the name of the package that an import target belongs to, or undefined for a file in the repository. */
export function packageOf(target: string): string | undefined {
  if (isFile(target)) return undefined;
  const [scope = '', name = ''] = target.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

function isFile(target: string): boolean {
  return /\.(tsx?|mjs|js|css|json)$/.test(target) && target.includes('/') && !target.startsWith('@');
}

function readSources(): Map<string, Source> {
  const paths = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).toSorted();
  return new Map(paths.map((path) => [path, parseSource(path, readText(path))]));
}

function resolveTarget(path: string, target: string): string {
  const [, workspace, file = 'index'] = /^@aisle\/(contract|demo|sdk)(?:\/(.+))?$/.exec(target) ?? [];
  if (workspace) return `${workspace}/src/${file}.ts`;
  return target.startsWith('.') ? join(dirname(path), target) : target;
}

/** Merges all imports of the same target. The result is a type import only if all of them are. */
function mergeImports(found: Import[]): Import[] {
  const merged = new Map<string, boolean>();
  for (const { target, isType } of found) merged.set(target, isType && (merged.get(target) ?? true));
  return [...merged].map(([target, isType]) => ({ target, isType }));
}
