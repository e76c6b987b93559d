import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import test, { after } from 'node:test';
import { writeXlsx } from 'hucre/xlsx';
import { makeChain, useAisle } from '../server/test/support/aisle.ts';
import { addProducts, plainProducts } from '../server/test/support/catalog.ts';
import { listen } from '../server/test/support/sdk.ts';
import { makeFolder } from './support/folder.ts';

/** Packs the SDK and the command line, and installs both in an empty project without a network. */
const root = join(import.meta.dirname, '..');
const { folder, remove } = makeFolder();
after(remove);
const project = join(folder, 'project');
const dependencies = ['commander', 'hucre'];
// npm must not use the Node of this repository, which users do not have.
const path = (process.env['PATH'] ?? '').split(delimiter).filter((one) => !one.includes('node_modules'));
copyWorkspaces();
install(pack('sdk'), pack('cli'), ...dependencies.map(pack));

test('the package contains compiled files, a README and its dependencies only', () => {
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/@aisle/cli/package.json'), 'utf8'));
  assert.deepEqual(Object.keys(manifest.dependencies), ['@aisle/sdk', ...dependencies]);
  assert.deepEqual([manifest.bin, manifest.scripts], [{ aisle: './dist/main.js' }, undefined]);
  assert.match(readFileSync(join(project, 'node_modules/@aisle/cli/README.md'), 'utf8'), /aisle login/);
});

test('the installed command runs with the Node that users have', async () => {
  const aisle = await useAisle();
  const chain = await makeChain(aisle);
  const environment = { AISLE_URL: await listen(aisle), AISLE_TOKEN: chain.token };
  const help = await runAisle(['orders', '--help'], environment);
  assert.match(help, /^Usage: aisle orders/);
  const who = await runAisle(['whoami', '--json'], environment);
  assert.equal(JSON.parse(who).chain.chain_id, chain.chainId);
  await addProducts(aisle, chain, plainProducts(1));
  const rows = [
    ['sku', 'price'],
    ['SKU-00001', 3],
  ];
  writeFileSync(join(project, 'prices.xlsx'), await writeXlsx({ sheets: [{ name: 'Prices', rows }] }));
  const pushed = await runAisle(['catalog', 'push', 'prices.xlsx', '--all', '--json'], environment);
  assert.ok(JSON.parse(pushed).changed > 0, pushed);
});

/** From a copy, because packing replaces the package.json that other tests need. */
function copyWorkspaces(): void {
  mkdirSync(join(folder, 'tools'));
  for (const name of ['sdk', 'cli']) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (file) => !file.endsWith('dist') });
  }
  for (const name of dependencies) {
    cpSync(join(root, 'node_modules', name), join(folder, name), { recursive: true });
  }
  for (const file of ['tools/pack-workspace.ts', 'tsconfig.json']) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

function pack(name: string): string {
  const options = dependencies.includes(name) ? ['--ignore-scripts'] : [];
  const printed = run('npm', ['pack', '--silent', ...options], join(folder, name));
  return join(folder, name, printed.trim().split('\n').at(-1) ?? '');
}

function install(...tarballs: string[]): void {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], project);
}

function run(command: string, options: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, options, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${options.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Not synchronous, because the server runs in this process. */
async function runAisle(args: string[], environment: Record<string, string>): Promise<string> {
  const env = { ...environment, PATH: path.join(delimiter), AISLE_CONFIG_DIR: join(folder, 'config') };
  const child = spawn(join(project, 'node_modules/.bin/aisle'), args, { cwd: project, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part) => (stdout += String(part)));
  child.stderr.on('data', (part) => (stderr += String(part)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  assert.equal(code, 0, stderr);
  return stdout;
}
