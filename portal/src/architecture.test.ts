import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'node:test';

/**
 * The portal's layers, in import order. A file can import only from its own layer and earlier ones. Code that
 * several features share belongs in the earliest of those features, or in `kit` if it does not depend on a feature.
 */
const layers = [
  'messages',
  'api',
  'kit',
  'outlets',
  'identity',
  'sftp',
  'statistics',
  'webhooks',
  'deliveries',
  'requests',
  'jobs',
  'catalog',
  'promotions',
  'files',
  'orders',
  'pick',
  'sandbox',
  'certification',
  'home',
  'shell',
  'theme.ts',
  'root.tsx',
  'console',
  'router.tsx',
  'portal.tsx',
  'main.tsx',
];

type File = { path: string; text: string };

const folder = import.meta.dirname;
const files = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['architecture.test.ts'] }).map((name): File => {
  const path = name.replaceAll('\\', '/');
  return { path, text: readFileSync(join(folder, path), 'utf8') };
});

test('every portal file belongs to a layer, and every layer has files', () => {
  const found = new Set(files.map(({ path }) => layerOf(path)));
  assert.deepEqual([...found].toSorted(), layers.toSorted());
});

test('portal files import only from their own and earlier layers, the contract and packages', () => {
  assert.deepEqual(files.flatMap(findViolations), []);
});

test('there are no circular imports in the portal', () => {
  assert.deepEqual(findCircle(files), []);
});

const planted: [what: string, path: string, text: string][] = [
  ['kit imports a feature', 'kit/page.tsx', "import { useJob } from '../jobs/use-job.ts';"],
  ['api imports kit', 'api/hooks.ts', "import { notifyDone } from '../kit/notify.ts';"],
  ['a feature imports a later feature', 'catalog/picture.tsx', "import type { Order } from '../orders/order.ts';"],
  ['a feature imports the shell', 'home/home-page.tsx', "import { Shell } from '../shell/shell.tsx';"],
  ["a file imports another feature's page", 'home/checklist.tsx', "import { JobsPage } from '../jobs/jobs-page.tsx';"],
  ["a file imports its own feature's page", 'orders/timeline.tsx', "import { label } from './orders-page.tsx';"],
  [
    'a file other than the router loads a page lazily',
    'shell/root.tsx',
    "const page = import('../jobs/jobs-page.tsx');",
  ],
  ['the shell re-exports from the router', 'shell/root.tsx', "export { createPortalRouter } from '../router.tsx';"],
  [
    'a file imports from the server',
    'orders/order.ts',
    "import { transitions } from '../../../server/src/orders/rules/states.ts';",
  ],
  [
    'a file imports the contract by its path',
    'orders/order.ts',
    "import { orderStatuses } from '../../../contract/src/order.ts';",
  ],
  ['a file imports a Node.js module', 'kit/save-file.ts', "import { writeFile } from 'node:fs/promises';"],
  ['an import spans several lines', 'kit/page.tsx', "import {\n  useJob,\n} from '../jobs/use-job.ts';"],
];

for (const [what, path, text] of planted) {
  test(`the scan finds a forbidden import: ${what}`, () => {
    assert.equal(findViolations({ path, text }).length, 1);
  });
}

test('an allowed import is not reported', () => {
  const text = [
    "import { Button } from '@mantine/core';",
    "import { orderStatuses } from '@aisle/contract/order';",
    "import { useRead } from '../api/hooks.ts';",
    "import { Picture } from '../catalog/picture.tsx';",
    "import { allows } from './order.ts';",
  ].join('\n');
  assert.deepEqual(findViolations({ path: 'orders/order-items.tsx', text }), []);
  const page = "component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage')";
  assert.deepEqual(findViolations({ path: 'router.tsx', text: page }), []);
});

test('the scan finds a circular import', () => {
  const circle = [
    { path: 'kit/a.ts', text: "import { b } from './b.ts';" },
    { path: 'kit/b.ts', text: "import { c } from './c.ts';" },
    { path: 'kit/c.ts', text: "import { b } from './b.ts';" },
  ];
  assert.deepEqual(findCircle(circle), ['kit/b.ts', 'kit/c.ts', 'kit/b.ts']);
});

function findViolations(file: File): string[] {
  const isTest = file.path.endsWith('.test.ts');
  return importsOf(file).flatMap((target) => {
    const isAllowed = target.startsWith('node:') ? isTest : isPackage(target) || isEarlier(file.path, target);
    return isAllowed ? [] : [`${file.path} imports ${target}`];
  });
}

function isPackage(target: string): boolean {
  return !target.includes('.ts') && !target.startsWith('..');
}

function isEarlier(path: string, target: string): boolean {
  if (target.endsWith('-page.tsx')) return path === 'router.tsx';
  const [from, to] = [layers.indexOf(layerOf(path)), layers.indexOf(layerOf(target))];
  return to !== -1 && to <= from;
}

/** The top-level folder that contains the file, or the file itself if it is not in a folder. */
function layerOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** Everything a file imports, including types. Packages are listed by name, files by their path from `portal/src`. */
function importsOf({ path, text }: File): string[] {
  const found = text.matchAll(/^(?:import|export)\b[^;'"`]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm);
  return Array.from(found, ([, named, bare, dynamic]) => named ?? bare ?? dynamic ?? '')
    .filter((target) => !target.endsWith('.css'))
    .map((target) => (target.startsWith('.') ? normalize(join(dirname(path), target)).replaceAll('\\', '/') : target));
}

function findCircle(all: readonly File[]): string[] {
  const imports = new Map(all.map((file) => [file.path, importsOf(file)]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const target of imports.get(path) ?? []) {
      const circle = visit(target, [...trail, path]);
      if (circle.length > 0) return circle;
    }
    done.add(path);
    return [];
  };
  return all.map(({ path }) => visit(path, [])).find((circle) => circle.length > 0) ?? [];
}
