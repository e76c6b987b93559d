import assert from 'node:assert/strict';
import test from 'node:test';
import { features, findCycles, findForbiddenImports, kernelFolders } from './imports.ts';
import { listPaths, parseSource, sources } from './sources.ts';

test('every import follows the folder order, and imports of other features go through index.ts', () => {
  assert.ok(sources.size > 500, 'the scan found the sources');
  assert.deepEqual([...sources.values()].flatMap(findForbiddenImports), []);
});

test('there are no import cycles, not even with type-only imports', () => {
  assert.deepEqual(findCycles(sources), []);
});

test('every server and kernel folder has a position in the import order', () => {
  const folders = (parent: string) => listPaths(`${parent}/*/`).map((path) => path.split('/').at(-1) ?? '');
  const unplaced = (parent: string, order: string[]) => folders(parent).filter((folder) => !order.includes(folder));
  assert.deepEqual(unplaced('server/src', [...features, 'embedded']), []);
  assert.deepEqual(unplaced('server/src/kernel', kernelFolders), []);
});

test('the kernel has at most nine folders and no file outside them except its README', () => {
  assert.ok(kernelFolders.length <= 9);
  assert.deepEqual(listPaths('server/src/kernel/*.*'), ['server/src/kernel/README.md']);
});

const forbidden: [rule: string, path: string, text: string][] = [
  ['a later feature', 'server/src/jobs/handlers.ts', "import { a } from '../catalog/index.ts';"],
  ['a type from a later feature', 'server/src/jobs/handlers.ts', "import type { A } from '../catalog/index.ts';"],
  [
    'an earlier feature, bypassing its index.ts',
    'server/src/catalog/end-job.ts',
    "import { a } from '../jobs/queries.ts';",
  ],
  ['a feature from the kernel', 'server/src/kernel/http/http.ts', "import type { A } from '../../identity/index.ts';"],
  ['the configuration from the kernel', 'server/src/kernel/http/http.ts', "import type { A } from '../../config.ts';"],
  ['a later kernel folder', 'server/src/kernel/database/db.ts', "import type { A } from '../http/validate.ts';"],
  ['the composition root from a feature', 'server/src/catalog/tasks.ts', "import { a } from '../app.ts';"],
  ['the embedded database from elsewhere', 'server/src/app.ts', "import { a } from './embedded/index.ts';"],
  [
    'the server from the embedded database',
    'server/src/embedded/lock.ts',
    "import { a } from '../kernel/monitoring/log.ts';",
  ],
  ['a handler from a use case', 'server/src/catalog/end-job.ts', "import { a } from './handlers.ts';"],
  ['one handler file from another', 'server/src/catalog/tasks.ts', "import { a } from './handlers.ts';"],
  ['its own index.ts', 'server/src/catalog/end-job.ts', "import { a } from './index.ts';"],
  ['a use case from a query', 'server/src/catalog/queries.ts', "import { a } from './end-job.ts';"],
  ['an earlier feature from a query', 'server/src/catalog/update-queries.ts', "import { a } from '../jobs/index.ts';"],
  ['a query from a rule', 'server/src/catalog/rules/update-item.ts', "import { a } from '../queries.ts';"],
  [
    'the demo data outside of server/src/demo',
    'server/src/catalog/tasks.ts',
    "import { a } from '@aisle/demo/offers';",
  ],
  ['the contract from the demo data', 'demo/src/offers.ts', "import type { A } from '@aisle/contract/catalog';"],
  ['a package from the demo data', 'demo/src/offers.ts', "import { a } from 'node:crypto';"],
  ['a package from the SDK', 'sdk/src/webhooks.ts', "import { createHmac } from 'node:crypto';"],
  ['the contract from the command line', 'cli/src/run.ts', "import type { A } from '@aisle/contract/order';"],
  ['another package from the command line', 'cli/src/run.ts', "import pg from 'pg';"],
  ['an internal file of the SDK from the command line', 'cli/src/run.ts', "import '@aisle/sdk/request';"],
  ['the contract from the SDK', 'sdk/src/client.ts', "import type { A } from '@aisle/contract/order';"],
  ['the server from the contract', 'contract/src/route.ts', "import { a } from '../../server/src/app.ts';"],
  ['a package from the contract', 'contract/src/route.ts', "import fs from 'node:fs';"],
];
for (const [rule, path, text] of forbidden) {
  test(`the scan finds an import of ${rule}`, () => {
    assert.notDeepEqual(findForbiddenImports(parseSource(path, text)), []);
  });
}

test('the scan finds import cycles of two and of three files, with value and type imports', () => {
  const files = new Map(
    Object.entries({
      'tools/a.ts': "import { b } from './b.ts';",
      'tools/b.ts': "import type { A } from './a.ts';",
      'tools/c.ts': "export * from './d.ts';",
      'tools/d.ts': "const e = await import('./e.ts');",
      'tools/e.ts': "import './c.ts'; import './a.ts';",
      'tools/f.ts': "import './e.ts';",
    }).map(([path, text]) => [path, parseSource(path, text)]),
  );
  assert.deepEqual(findCycles(files), [
    ['tools/a.ts', 'tools/b.ts'],
    ['tools/c.ts', 'tools/d.ts', 'tools/e.ts'],
  ]);
});

test('the scan reads every form of import', () => {
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
new Worker(new URL('./j.ts', import.meta.url));
type K = import('k').K;
import { l } from '@aisle/contract/route';`;
  const { imports } = parseSource('server/src/x/y.ts', text);
  assert.deepEqual(imports.map(({ target, isType }) => `${target}${isType ? ' type' : ''}`).toSorted(), [
    'a',
    'b type',
    'c type',
    'contract/src/route.ts',
    'd',
    'e',
    'f',
    'g',
    'h',
    'i',
    'k type',
    'server/src/x/j.ts',
  ]);
});
