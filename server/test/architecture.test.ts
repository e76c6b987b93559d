import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

/**
 * Who may import whom, as ARCHITECTURE.md has it, held against the import lines. Paths begin at the top of the
 * repository. A type-only import creates no dependency at run time and is judged only at the borders of features.
 */
const features = [
  'kernel',
  'jobs',
  'events',
  'tallies',
  'identity',
  'outlets',
  'catalog',
  'promotions',
  'orders',
  'webhooks',
  'sandbox',
  'statistics',
  'demo',
];

/** The folders of the kernel, each importing only from those before it; types count too. */
const kernelFolders = [
  'values',
  'failures',
  'secrets',
  'monitoring',
  'database',
  'background',
  'outbound',
  'bodies',
  'http',
];

/** What computes without reading or writing anything: all that rules may reach, however far they reach. */
const purePackages = new Set(['typebox', 'node:crypto', 'node:zlib']);
const clock = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(/;

type Import = { target: string; isType: boolean };
type Source = { path: string; text: string; imports: Import[] };

const root = join(import.meta.dirname, '../..');
const sources = readSources();

test('every import respects the order of the features and their doors', () => {
  assert.ok(sources.size > 50, 'the scan found the sources');
  assert.deepEqual(found(judgeImports), []);
});

test('rules reach nothing that does I/O, and never look at the clock', () => {
  assert.deepEqual(found(judgeRules), []);
});

test('no file passes 400 lines, and there are no default exports, enums or classes except errors', () => {
  assert.deepEqual(found(judgeForm), []);
});

test('every folder of the server has its place in the order', () => {
  const folders = [...sources.keys()].map((path) => /^server\/src\/([^/]+)\//.exec(path)?.[1]);
  const placed = new Set<string | undefined>([...features, 'embedded', undefined]);
  assert.deepEqual(
    [...new Set(folders)].filter((folder) => !placed.has(folder)),
    [],
  );
});

const forbidden: [rule: string, path: string, text: string][] = [
  ['a later feature', 'server/src/jobs/handlers.ts', "import { a } from '../catalog/index.ts';"],
  ['a later feature, even its types', 'server/src/jobs/handlers.ts', "import type { A } from '../catalog/index.ts';"],
  ['an earlier feature past its door', 'server/src/catalog/end-job.ts', "import { a } from '../jobs/queries.ts';"],
  [
    'a feature from the kernel',
    'server/src/kernel/http/routes.ts',
    "import type { A } from '../../identity/index.ts';",
  ],
  [
    'the configuration from the kernel',
    'server/src/kernel/http/routes.ts',
    "import type { A } from '../../config.ts';",
  ],
  [
    'a later folder of the kernel, even its types',
    'server/src/kernel/monitoring/metrics.ts',
    "import type { A } from '../bodies/budget.ts';",
  ],
  ['the composition root from a feature', 'server/src/catalog/tasks.ts', "import { a } from '../app.ts';"],
  ['the embedded database from elsewhere', 'server/src/app.ts', "import { a } from './embedded/index.ts';"],
  [
    'the server from the embedded database',
    'server/src/embedded/lock.ts',
    "import { a } from '../kernel/monitoring/log.ts';",
  ],
  ['a handler from a use case', 'server/src/catalog/end-job.ts', "import { a } from './handlers.ts';"],
  ['one handler file from another', 'server/src/catalog/tasks.ts', "import { a } from './handlers.ts';"],
  ['the own door', 'server/src/catalog/end-job.ts', "import { a } from './index.ts';"],
  ['a use case from a query', 'server/src/catalog/queries.ts', "import { a } from './end-job.ts';"],
  ['a door from a query', 'server/src/catalog/update-queries.ts', "import { a } from '../jobs/index.ts';"],
  ['a query from a rule', 'server/src/catalog/rules/update-item.ts', "import { a } from '../queries.ts';"],
  ['the server from the contract', 'contract/src/route.ts', "import { a } from '../../server/src/app.ts';"],
  ['a package from the contract', 'contract/src/route.ts', "import fs from 'node:fs';"],
  ['the server from a client', 'sdk/src/client.ts', "import { a } from '../../server/src/version.ts';"],
  ['the server from the portal', 'portal/src/orders.ts', "import { a } from '@aisle/server/orders';"],
];
for (const [rule, path, text] of forbidden) {
  test(`the scan notices an import of ${rule}`, () => {
    assert.notDeepEqual(judgeImports({ path, text, imports: readImports(path, text) }), []);
  });
}

test('the scan notices I/O behind several imports, and a clock', () => {
  const path = 'server/src/catalog/rules/price.ts';
  const rule = (text: string) => judgeRules({ path, text, imports: readImports(path, text) });
  assert.deepEqual(rule("import { decimal } from '../../kernel/values/decimal.ts';"), []);
  assert.deepEqual(rule("import type { ProductRow } from '../queries.ts';"), []);
  assert.notDeepEqual(rule("import { enqueue } from '../../kernel/background/queue.ts';\nimport pg from 'pg';"), []);
  assert.notDeepEqual(rule("import { startWorker } from '../../kernel/http/routes.ts';"), []);
  assert.notDeepEqual(rule('export const isOld = (at: number) => at < Date.now();'), []);
});

test('the scan notices every forbidden form', () => {
  const judge = (text: string) => judgeForm({ path: 'server/src/catalog/tasks.ts', text, imports: [] });
  assert.deepEqual(judge('export class PriceError extends Error {}\nexport const a = 1;\n'), []);
  for (const text of [
    'export default 1;\n',
    'export { a as default };\n',
    'enum Color { Red }\n',
    'export const enum Color { Red }\n',
    'class Basket {}\n',
    'export abstract class Basket {}\n',
    'export class Basket extends Map {}\n',
    '\n'.repeat(400),
  ]) {
    assert.notDeepEqual(judge(text), [], text.trim());
  }
});

test('the scan reads every way to import', () => {
  const text = `import a from 'a';
import type { b } from 'b';
import { type c, type C } from 'c';
import { type d, D } from 'd';
import {
  e,
} from 'e';
export { f } from 'f';
export * from 'g';
import 'h';
const i = await import('i');
new Worker(new URL('./j.ts', import.meta.url));`;
  const imports = readImports('server/src/x/y.ts', text);
  assert.deepEqual(imports.map(({ target, isType }) => `${target}${isType ? ' type' : ''}`).toSorted(), [
    'a',
    'b type',
    'c type',
    'd',
    'e',
    'f',
    'g',
    'h',
    'i',
    'server/src/x/j.ts',
  ]);
});

function found(judge: (source: Source) => string[]): string[] {
  return [...sources.values()].flatMap(judge);
}

function judgeImports(source: Source): string[] {
  return source.imports
    .filter((one) => !mayImport(source.path, one))
    .map(({ target }) => `${source.path} must not import ${target}`);
}

function mayImport(path: string, { target, isType }: Import): boolean {
  if (path.startsWith('contract/')) return target.startsWith('contract/') || packageOf(target) === 'typebox';
  if (/^(sdk|cli|portal)\//.test(path)) return !target.startsWith('server/') && packageOf(target) !== '@aisle/server';
  if (!path.startsWith('server/src/')) return true;
  if (path.startsWith('server/src/embedded/')) return isOutside(target) || target.startsWith('server/src/embedded/');
  if (target.startsWith('server/src/embedded/')) return path === 'server/src/program.ts';
  if (isOutside(target)) return true;
  const from = featureOf(path);
  const to = featureOf(target);
  if (from === undefined) return to === undefined || isOpen(target);
  if (to === undefined) return /^server\/src\/(config|feature)\.ts$/.test(target) && from !== 'kernel';
  if (from === 'kernel' && to === 'kernel') return kernelPlace(target) <= kernelPlace(path);
  if (from === to) return isType || from === 'demo' || mayImportInside(path, target);
  const isEarlier = features.indexOf(to) < features.indexOf(from);
  return isEarlier && isOpen(target) && (isType || layerOf(path) > 1 || to === 'kernel');
}

/** The kernel has no door: each of its files is one. */
function isOpen(target: string): boolean {
  return featureOf(target) === 'kernel' || target.endsWith('/index.ts');
}

function kernelPlace(path: string): number {
  return kernelFolders.indexOf(path.split('/')[3] ?? '');
}

function mayImportInside(path: string, target: string): boolean {
  const from = layerOf(path);
  const to = layerOf(target);
  const isShared = from === 0 || from === 1 || from === 2;
  if (from === 1) return to === 1;
  return to < from || (isShared && to === from);
}

/** Rules, queries, use cases, what calls them, the door. Each imports from those before it. */
function layerOf(path: string): number {
  const inFeature = path.split('/').slice(3).join('/');
  if (inFeature.startsWith('rules/')) return 0;
  if (/^([\w-]+-)?queries\.ts$/.test(inFeature)) return 1;
  if (/^([\w-]+-)?(handlers|tasks|chores)\.ts$/.test(inFeature)) return 3;
  return inFeature === 'index.ts' ? 4 : 2;
}

function judgeRules(source: Source): string[] {
  if (!/^server\/src\/[^/]+\/rules\//.test(source.path)) return [];
  const reached = [...reach(source, new Set())].filter((name) => !purePackages.has(name));
  const asksClock = clock.test(source.text) ? [`${source.path} must not look at the clock or at chance`] : [];
  return [...reached.map((name) => `${source.path} must not reach ${name}`), ...asksClock];
}

/** The packages a file loads at run time, through whatever it imports. */
function reach(source: Source, seen: Set<string>): Set<string> {
  const packages = new Set<string>();
  for (const { target, isType } of source.imports) {
    if (isType || seen.has(target)) continue;
    seen.add(target);
    const next = sources.get(target);
    if (next) for (const name of reach(next, seen)) packages.add(name);
    else packages.add(packageOf(target));
  }
  return packages;
}

function judgeForm({ path, text }: Source): string[] {
  const faults: string[] = [];
  if (text.split('\n').length > 400) faults.push(`${path} has 400 lines or more`);
  if (/^export default\b|\bas default\b/m.test(text)) faults.push(`${path} has a default export`);
  if (/^(export )?(declare )?(const )?enum\s/m.test(text)) faults.push(`${path} has an enum`);
  for (const [line] of text.matchAll(/^(export )?(abstract )?class\s.*$/gm)) {
    if (!/ extends \w*(Error|Failure)\b/.test(line)) faults.push(`${path} has a class: ${line}`);
  }
  return faults;
}

function featureOf(path: string): string | undefined {
  return /^server\/src\/([^/]+)\//.exec(path)?.[1];
}

/** A package, or the contract, which everybody may import. */
function isOutside(target: string): boolean {
  return target.startsWith('contract/') || !target.includes('.ts');
}

function packageOf(target: string): string {
  if (target.startsWith('contract/')) return '@aisle/contract';
  const [scope = '', name = ''] = target.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

function readSources(): Map<string, Source> {
  const patterns = ['contract', 'server', 'sdk', 'cli', 'portal'].map((part) => `${part}/src/**/*.{ts,tsx}`);
  const paths = globSync([...patterns, 'tools/*.ts', 'bench/**/*.ts'], { cwd: root });
  const own = paths.filter((path) => !/\.test\.tsx?$/.test(path) && !path.includes('node_modules'));
  return new Map(own.map((path) => [path, readSource(path)]));
}

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, imports: readImports(path, text) };
}

function readImports(path: string, text: string): Import[] {
  const whole = [...text.matchAll(/^(?:import|export)\s+(type\s)?([^'"`;]*?)\s*from\s+'([^']+)'/gm)];
  const bare = [...text.matchAll(/^import\s+'([^']+)'|\bimport\('([^']+)'\)|new URL\('(\.[^']+\.ts)'/gm)];
  return [
    ...whole.map(([, type, names = '', target = '']) => ({
      target: resolve(path, target),
      isType: type !== undefined || hasOnlyTypes(names),
    })),
    ...bare.map(([, a, b, c]) => ({ target: resolve(path, a ?? b ?? c ?? ''), isType: false })),
  ];
}

function hasOnlyTypes(names: string): boolean {
  const listed = /^\{([^}]*)\}$/
    .exec(names)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return listed !== undefined && listed.every((name) => name === '' || name.startsWith('type '));
}

function resolve(path: string, target: string): string {
  if (target.startsWith('@aisle/contract')) return target.replace('@aisle/contract', 'contract/src').concat('.ts');
  return target.startsWith('.') ? join(dirname(path), target) : target;
}
