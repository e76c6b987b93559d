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
      10,
    ),
    ...divide(
      shared.filter((file) => !usesServer.test(file)),
      60,
    ),
  ];
  const entries = groups.map((group, index) => writeEntry(group, join(folder, `group-${index + 1}.ts`)));
  const onStage = onOneStage.filter((file) => sorted.includes(file));
  const alone = sorted.filter((file) => runsAlone.test(file) && !onStage.includes(file));
  return [
    ...(onStage.length > 0 ? [writeStage(onStage, join(folder, 'group-portal.ts'))] : []),
    ...longest.filter((file) => alone.includes(file)),
    ...alone.filter((file) => !longest.includes(file)),
    ...entries,
  ];
}

/**
 * These files take longest, so they start first. Otherwise, one of them would run alone at the end. Files that use a
 * browser alternate with others.
 */
const longest = [
  'server/test/every-route-fuzz.test.ts',
  'e2e/portal/every-page.test.ts',
  'e2e/webhooks-soak.test.ts',
  'e2e/portal/docs.test.ts',
  'simulate/simulate.test.ts',
  'e2e/portal/identity.test.ts',
  'e2e/worker-crash.test.ts',
  'e2e/portal/catalog.test.ts',
  'e2e/process.test.ts',
];

/** Short tests of the portal, in an order in which none depends on what the ones before it change. */
const onOneStage = ['failures', 'looks', 'numbers', 'promotions', 'webhooks', 'integration'].map(
  (name) => `e2e/portal/${name}.test.ts`,
);
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

/** Each file becomes a suite. The next file is loaded when the previous one has finished. */
function writeEntry(files: string[], entry: string): string {
  const suites = files.map((file) => {
    const [name, url] = [file, pathToFileURL(resolve(file)).href].map((text) => JSON.stringify(text));
    return `await describe(${name}, async () => void (await import(${url})));\n`;
  });
  writeFileSync(entry, `import { describe } from 'node:test';\n${suites.join('')}`);
  return entry;
}

/** The files get one server and one browser, which are stopped after the last test. */
function writeStage(files: string[], entry: string): string {
  const stage = new URL('../e2e/portal/stage.ts', import.meta.url).href;
  const imports = files.map((file) => `await import(${JSON.stringify(pathToFileURL(resolve(file)).href)});\n`);
  writeFileSync(entry, `import { setStage } from ${JSON.stringify(stage)};\nawait setStage();\n${imports.join('')}`);
  return entry;
}
