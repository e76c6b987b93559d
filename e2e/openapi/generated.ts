import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadTool } from '../../tools/openapi/load.ts';

const root = join(import.meta.dirname, '../..');
export const documents = ['partner', 'platform'] as const;

type TypesGenerator = { default(schema: URL): Promise<unknown>; astToString(nodes: unknown): string };
type ClientGenerator = { createClient(config: object): Promise<unknown> };

/** Generates `partner-types.ts` and `platform-types.ts` with openapi-typescript. */
export async function generateTypes(folder: string): Promise<void> {
  const tool = (await loadTool('openapi-typescript')) as TypesGenerator;
  for (const name of documents) {
    const nodes = await tool.default(pathToFileURL(join(root, `openapi/${name}.json`)));
    writeFileSync(join(folder, `${name}-types.ts`), tool.astToString(nodes));
  }
}

/** Generates clients in `partner/index.ts` and `platform/index.ts` with @hey-api/openapi-ts. */
export async function generateClients(folder: string): Promise<void> {
  const { createClient } = (await loadTool('@hey-api/openapi-ts')) as ClientGenerator;
  for (const name of documents) {
    await createClient({
      input: join(root, `openapi/${name}.json`),
      output: { path: join(folder, name), module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
      logs: { level: 'silent' },
    });
  }
}

/** Type-checks these files with strict settings, and returns the compiler's output. */
export function compile(folder: string, files: string[]): string {
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8', shell: process.platform === 'win32' });
  return stdout;
}
