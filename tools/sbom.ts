import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The parts of a CycloneDX document that do not depend on the machine, the time or the version of npm. */
export type Bom = {
  bomFormat: 'CycloneDX';
  specVersion: string;
  version: 1;
  metadata: { component: { 'bom-ref': string; type: 'application'; name: string; version: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

type Component = {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  scope?: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
  licenses?: unknown[];
};

const root = new URL('..', import.meta.url);

/** Lists the runtime packages in package-lock.json, for every platform, with `npm sbom`. */
export function runtimeBom(): Bom {
  const given = npmSbom();
  const { name, version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const components = given.components.toSorted(byRef).map((one) => ({
    'bom-ref': one['bom-ref'],
    type: one.type,
    name: one.name,
    version: one.version,
    ...(one.scope !== undefined && { scope: one.scope }),
    purl: one.purl,
    ...(one.hashes && { hashes: one.hashes }),
    ...(one.licenses && { licenses: one.licenses }),
  }));
  const dependencies = given.dependencies.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.toSorted() }));
  return {
    bomFormat: 'CycloneDX',
    specVersion: given.specVersion,
    version: 1,
    metadata: { component: { 'bom-ref': `${name}@${version}`, type: 'application', name, version } },
    components,
    dependencies: dependencies.toSorted((a, b) => compare(a.ref, b.ref)),
  };
}

type LockedPackage = {
  version?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};
type Packages = Record<string, LockedPackage>;

/** Returns rows with package, version and licence for the server, and for the code that is bundled into the portal. */
export function licenceRows(): { server: string[][]; portal: string[][] } {
  const packages: Packages = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')).packages;
  const own = Object.entries(packages).filter(([path, one]) => path.includes('node_modules/') && !one.link);
  const server = own.filter(([, one]) => !one.dev);
  const bundled = packagesInPortal(packages);
  const portal = own.filter(([path]) => bundled.has(path));
  return { server: server.map(licenceRow), portal: portal.map(licenceRow) };
}

function npmSbom(): Bom {
  const flags = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--loglevel=error'];
  const npm = process.env['npm_execpath'];
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const { status, stdout, stderr } = spawnSync(command, [...first, ...flags], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: npm === undefined && process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return JSON.parse(stdout);
}

function byRef(a: Component, b: Component): number {
  return compare(a['bom-ref'], b['bom-ref']);
}

/** Compares by code unit, because `localeCompare` depends on the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Packages that are not part of the code that browsers load. */
const buildTools = /^(@aisle\/|@types\/|@vitejs\/|vite$|rolldown$)/;

function packagesInPortal(packages: Packages): Set<string> {
  const names = Object.keys(packages['portal']?.devDependencies ?? {}).filter((name) => !buildTools.test(name));
  const found = new Set<string>();
  const add = (from: string, name: string) => {
    const path = locate(packages, from, name);
    if (path === undefined || found.has(path) || buildTools.test(name)) return;
    found.add(path);
    const { dependencies = {}, peerDependencies = {} } = packages[path] ?? {};
    for (const inner of Object.keys({ ...dependencies, ...peerDependencies })) add(path, inner);
  };
  for (const name of names) add('portal', name);
  return found;
}

/** Finds the installed package as Node does: in the nearest `node_modules`, then in those above. */
function locate(packages: Packages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

function licenceRow([path, { version = '', license }]: [string, LockedPackage]): string[] {
  return [`\`${path.split('node_modules/').at(-1)}\``, version, license ?? 'not declared'];
}
