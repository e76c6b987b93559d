import { isTest, packageOf, type Import, type Source } from './sources.ts';

/**
 * The import rules from ARCHITECTURE.md. Each list is ordered. A folder imports only from itself and from folders
 * before it. Type-only imports count, except between files in the same feature. See portal/src/architecture.test.ts for
 * the portal's rules.
 */
export const features = [
  'kernel',
  'processes',
  'cluster',
  'jobs',
  'events',
  'tallies',
  'identity',
  'requests',
  'audit',
  'outlets',
  'catalog',
  'promotions',
  'storefront',
  'files',
  'orders',
  'picking',
  'webhooks',
  'deliveries',
  'sandbox',
  'certification',
  'statistics',
  'sftp',
  'console',
  'demo',
  'docs',
];

export const kernelFolders = [
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

export function findForbiddenImports(source: Source): string[] {
  if (isTest(source.path)) return [];
  return source.imports
    .filter((one) => !mayImport(source.path, one))
    .map(({ target }) => `${source.path} must not import ${target}`);
}

const usesEmbedded = /^server\/src\/(describe-failure|program|commands|start-database)\.ts$/;

function mayImport(path: string, { target, isType }: Import): boolean {
  if (path.startsWith('contract/')) return target.startsWith('contract/') || packageOf(target) === 'typebox';
  if (path.startsWith('demo/')) return target.startsWith('demo/');
  // It is published without dependencies, and runs in browsers.
  if (path.startsWith('sdk/')) return target.startsWith('sdk/');
  // It is published too, and is an ordinary client of the API.
  if (path.startsWith('cli/'))
    return target.startsWith('cli/') || target === 'sdk/src/index.ts' || isCliPackage(target);
  if (!path.startsWith('server/src/')) return true;
  if (path.startsWith('server/src/embedded/')) return isExternal(target) || target.startsWith('server/src/embedded/');
  if (target.startsWith('server/src/embedded/')) return usesEmbedded.test(path);
  if (target.startsWith('demo/')) return path.startsWith('server/src/demo/');
  return isExternal(target) || mayServerImport(path, target, isType);
}

function mayServerImport(path: string, target: string, isType: boolean): boolean {
  const from = folderOf(path, 'server/src/');
  const to = folderOf(target, 'server/src/');
  if (from === undefined) return to === undefined || isPublic(target);
  if (to === undefined) return /^server\/src\/(config|feature)\.ts$/.test(target) && from !== 'kernel';
  if (from === 'kernel') return to === 'kernel' && mayKernelImport(path, target);
  if (from === to) return isType || from === 'demo' || mayImportInside(path, target);
  const isEarlier = features.indexOf(to) < features.indexOf(from);
  return isEarlier && isPublic(target) && (isType || layerOf(path) > 1 || to === 'kernel');
}

function mayKernelImport(path: string, target: string): boolean {
  const from = folderOf(path, 'server/src/kernel/') ?? '';
  const to = folderOf(target, 'server/src/kernel/') ?? '';
  return isInOrder(kernelFolders, to, from);
}

/** Other folders can import any file in the kernel, but only the index.ts of a feature. */
function isPublic(target: string): boolean {
  return target.startsWith('server/src/kernel/') || target.endsWith('/index.ts');
}

function mayImportInside(path: string, target: string): boolean {
  const from = layerOf(path);
  const to = layerOf(target);
  if (from === 1) return to === 1;
  return to < from || (to === from && from < 3);
}

/** The layers are rules, queries, use cases, their callers and index.ts. Each imports only from those before it. */
function layerOf(path: string): number {
  const inFeature = path.split('/').slice(3).join('/');
  if (inFeature.startsWith('rules/')) return 0;
  if (/^([\w-]+-)?queries\.ts$/.test(inFeature)) return 1;
  if (/^([\w-]+-)?(handlers|tasks|chores)\.ts$/.test(inFeature)) return 3;
  return inFeature === 'index.ts' ? 4 : 2;
}

function folderOf(path: string, parent: string): string | undefined {
  const [folder, ...rest] = path.startsWith(parent) ? path.slice(parent.length).split('/') : [];
  return rest.length > 0 ? folder : undefined;
}

function isInOrder(order: string[], earlier: string, later: string): boolean {
  return order.includes(earlier) && order.indexOf(earlier) <= order.indexOf(later);
}

/** Whether the target is a package or part of the contract. Any file in the server can import either. */
function isCliPackage(target: string): boolean {
  return target.startsWith('node:') || ['commander', 'hucre'].includes(packageOf(target) ?? '');
}

function isExternal(target: string): boolean {
  return packageOf(target) !== undefined || target.startsWith('contract/');
}

/** Returns the groups of files that import each other, directly or indirectly, including type-only imports. */
export function findCycles(files: ReadonlyMap<string, Pick<Source, 'imports'>>): string[][] {
  const reached = new Map([...files.keys()].map((path) => [path, reachFrom(files, path)]));
  const inCycle = [...files.keys()].filter((path) => reached.get(path)?.has(path));
  const groups = inCycle.map((path) =>
    inCycle.filter((other) => other === path || reachEachOther(reached, path, other)),
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

function reachEachOther(reached: Map<string, Set<string>>, one: string, other: string): boolean {
  return reached.get(one)?.has(other) === true && reached.get(other)?.has(one) === true;
}

function reachFrom(files: ReadonlyMap<string, Pick<Source, 'imports'>>, start: string): Set<string> {
  const reached = new Set<string>();
  const pending = [start];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for (const { target } of files.get(path)?.imports ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      pending.push(target);
    }
  }
  return reached;
}
