import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Divides test files into processes and returns their entry points, the longest first. Loading the server takes longer
 * than most tests, so files in neighbouring folders share a process, in which they run one after another. The long tests
 * get a process each.
 */
export function groupFiles(files: string[], folder: string): string[] {
  const sorted = files.toSorted((a, b) => a.localeCompare(b));
  const shared = sorted.filter((file) => !runsAlone.test(file));
  const groups = [
    ...divide(
      shared.filter((file) => usesServer.test(file)),
      24,
    ),
    ...divide(
      shared.filter((file) => !usesServer.test(file)),
      60,
    ),
  ];
  const entries = groups.map((group, index) => writeEntry(group, join(folder, `group-${index + 1}.ts`)));
  const stages = Object.entries(portalStages).flatMap(([name, all]) => {
    const onStage = all.filter((file) => sorted.includes(file));
    return onStage.length > 0 ? [writeStage(onStage, join(folder, name))] : [];
  });
  const alone = sorted.filter((file) => runsAlone.test(file) && !Object.values(portalStages).flat().includes(file));
  const started = [...stages, ...alone];
  const rank = (entry: string) => longest.findIndex((name) => entry.endsWith(name));
  return [
    ...started.filter((entry) => rank(entry) >= 0).toSorted((a, b) => rank(a) - rank(b)),
    ...started.filter((entry) => rank(entry) < 0),
    ...entries,
  ];
}

/**
 * These take longest, so they start first. Otherwise, one of them would run alone at the end. Entries that use a browser
 * alternate with others.
 */
const longest = [
  'portal-pages.ts',
  'server/test/every-route-fuzz.test.ts',
  'portal-picking.ts',
  'e2e/webhooks-soak.test.ts',
  'portal-identity.ts',
  'simulate/simulate.test.ts',
  'portal-short.ts',
  'e2e/worker-crash.test.ts',
  'e2e/portal/orders.test.ts',
  'e2e/process.test.ts',
];

/**
 * Tests of the portal that share a server and a browser, which take longer to start than a short test file runs. The
 * files are in an order in which none depends on what the ones before it change.
 */
const portalStages: Record<string, string[]> = {
  'portal-pages.ts': portalFiles('every-page', 'docs', 'certification'),
  'portal-picking.ts': portalFiles('pick', 'pick-offline', 'pick-outages', 'console'),
  'portal-identity.ts': portalFiles('identity', 'catalog'),
  'portal-short.ts': portalFiles('failures', 'looks', 'numbers', 'promotions', 'webhooks', 'integration', 'stale-data'),
};

function portalFiles(...names: string[]): string[] {
  return names.map((name) => `e2e/portal/${name}.test.ts`);
}

/** The language of the portal is global, so the test that changes it also gets its own process. */
const runsAlone = /^(e2e|simulate)\/|^server\/test\/[^/]+$|^portal\/src\/messages\/messages\.test/;
const usesServer = /^server\/test\//;

/** Groups of about the same size, at most `max` files each. */
function divide(files: string[], max: number): string[][] {
  const count = Math.ceil(files.length / max);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.round((index * files.length) / count);
    return files.slice(from, Math.round(((index + 1) * files.length) / count));
  });
}

/**
 * Each file becomes a suite. The next file is loaded when the previous one has finished. Files that use the server share
 * one, which is stopped after the last suite: a hook of the root would run before it.
 */
function writeEntry(files: string[], entry: string): string {
  const suites = files.map((file) => {
    const [name, url] = [file, pathToFileURL(resolve(file)).href].map((text) => JSON.stringify(text));
    return `await describe(${name}, () => load(${url}));\n`;
  });
  const tracking = JSON.stringify(new URL('./promise-tracking.mjs', import.meta.url).href);
  const imports = `import { describe } from 'node:test';\nimport { load } from ${tracking};\n`;
  if (!files.some((file) => usesServer.test(file))) writeFileSync(entry, `${imports}${suites.join('')}`);
  else {
    const aisle = JSON.stringify(new URL('../server/test/support/aisle.ts', import.meta.url).href);
    const share = `import { shareAisle } from ${aisle};\nconst stop = shareAisle();\n`;
    writeFileSync(entry, `${imports}${share}${suites.join('')}await stop();\n`);
  }
  return entry;
}

/** The files get one server and one browser, which are stopped after the last test. */
function writeStage(files: string[], entry: string): string {
  const stage = new URL('../e2e/portal/stage.ts', import.meta.url).href;
  const imports = files.map((file) => `await import(${JSON.stringify(pathToFileURL(resolve(file)).href)});\n`);
  writeFileSync(entry, `import { setStage } from ${JSON.stringify(stage)};\nawait setStage();\n${imports.join('')}`);
  return entry;
}
