import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs before and after `npm pack` and `npm publish` in a workspace. In the repository, a workspace exports its
 * TypeScript sources, so that nothing has to be built. A published package exports compiled files instead: `prepare`
 * compiles them to `dist` and replaces package.json, and `restore` brings the original back.
 */
type Manifest = { exports: Record<string, string>; bin?: Record<string, string> } & Record<string, unknown>;

const [action] = process.argv.slice(2);
const folder = process.cwd();
const manifest = join(folder, 'package.json');
const original = join(folder, 'package.source.json');

if (action === 'prepare') prepare();
else if (action === 'restore') restore();
else throw new Error('Usage: node tools/pack-workspace.ts prepare|restore');

function prepare(): void {
  // An earlier run may have been interrupted.
  if (existsSync(original)) restore();
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(1);
  for (const file of globSync('dist/**/*.d.ts', { cwd: folder })) useCompiledNames(join(folder, file));
  const source = readFileSync(manifest, 'utf8');
  writeFileSync(original, source);
  writeFileSync(manifest, `${JSON.stringify(published(JSON.parse(source) as Manifest), null, 2)}\n`);
}

/** The compiler leaves `.ts` in the imports of declarations, which older versions of TypeScript do not resolve. */
function useCompiledNames(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'));
}

function restore(): void {
  renameSync(original, manifest);
}

function published({ scripts: _scripts, devDependencies: _packages, exports, bin, ...rest }: Manifest) {
  const compiled = (file: string, extension: string) => file.replace('./src/', './dist/').replace(/\.ts$/, extension);
  const entries = Object.entries(exports).map(([name, file]) => [
    name,
    { types: compiled(file, '.d.ts'), default: compiled(file, '.js') },
  ]);
  const programs = Object.entries(bin ?? {}).map(([name, file]) => [name, compiled(file, '.js')]);
  return {
    ...rest,
    ...(bin && { bin: Object.fromEntries(programs) }),
    exports: Object.fromEntries(entries),
  };
}
