import { isTest, packageOf, type Import, type Source } from './sources.ts';

/**
 * The import rules of ARCHITECTURE.md. Each list is ordered: a folder imports only from itself and from folders
 * before it. Type-only imports count, except between the files of one feature. The portal has its own test,
 * portal/src/architecture.test.ts.
 */
export const features = [
  'kernel',
  'jobs',
  'events',
  'tallies',
  'identity',
  'requests',
  'outlets',
  'catalog',
  'promotions',
  'orders',
  'webhooks',
  'deliveries',
  'sandbox',
  'statistics',
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

function mayImport(path: string, { target, isType }: Import): boolean {
  if (path.startsWith('contract/')) return target.startsWith('contract/') || packageOf(target) === 'typebox';
  if (path.startsWith('demo/')) return target.startsWith('demo/');
  if (!path.startsWith('server/src/')) return true;
  if (path.startsWith('server/src/embedded/')) return isExternal(target) || target.startsWith('server/src/embedded/');
  if (target.startsWith('server/src/embedded/')) return path === 'server/src/program.ts';
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

/** Only the index.ts of a feature can be imported, but any file of the kernel. */
function isPublic(target: string): boolean {
  return target.startsWith('server/src/kernel/') || target.endsWith('/index.ts');
}

function mayImportInside(path: string, target: string): boolean {
  const from = layerOf(path);
  const to = layerOf(target);
  if (from === 1) return to === 1;
  return to < from || (to === from && from < 3);
}

/** Rules, queries, use cases, their callers, index.ts. Each layer imports only from the layers before it. */
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

/** A package, or the contract, which all parts can import. */
function isExternal(target: string): boolean {
  return packageOf(target) !== undefined || target.startsWith('contract/');
}

/** Groups of files that import each other, directly or through others; type-only imports count. */
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
