import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import test, { after } from 'node:test';
import { createClient } from '@aisle/sdk';
import { makeChain, useAisle } from '../server/test/support/aisle.ts';
import { addProducts } from '../server/test/support/catalog.ts';
import { listen } from '../server/test/support/sdk.ts';
import { waitFor } from '../server/test/support/wait.ts';
import { makeFolder } from './support/folder.ts';

/** Packs the SDK, installs it in an empty project, and compiles and runs the examples there. */
const root = join(import.meta.dirname, '..');
const { folder, remove } = makeFolder();
after(remove);
const project = join(folder, 'project');
const tarball = pack();
install();

const node = { module: 'nodenext', lib: ['es2023'], types: ['node'] };
const browser = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: [] };

test('the package contains compiled files with types, a README, and no sources, tests or dependencies', () => {
  const files = run('tar', ['-tzf', tarball], folder)
    .trim()
    .split('\n')
    .map((file) => file.replace('package/', ''));
  for (const file of ['package.json', 'README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/express.js']) {
    assert.ok(files.includes(file), file);
  }
  assert.deepEqual(
    files.filter((file) => /^(src|examples)|test|(?<!\.d)\.ts$/.test(file)),
    [],
  );
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/@aisle/sdk/package.json'), 'utf8'));
  assert.deepEqual(manifest.exports['./express'], { types: './dist/express.d.ts', default: './dist/express.js' });
  assert.deepEqual(
    [manifest.dependencies, manifest.devDependencies, manifest.scripts],
    [undefined, undefined, undefined],
  );
});

test('packing leaves the workspace as it was', () => {
  assert.equal(
    readFileSync(join(folder, 'sdk/package.json'), 'utf8'),
    readFileSync(join(root, 'sdk/package.json'), 'utf8'),
  );
  assert.deepEqual(globSync('package.source.json', { cwd: join(folder, 'sdk') }), []);
});

test('the code in the README and the examples compile with the types of Node', () => {
  const readme = readFileSync(join(root, 'sdk/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => code);
  assert.ok(blocks.length >= 9);
  const files = blocks.map((code, index) => {
    writeFileSync(join(project, `readme-${index}.ts`), code);
    return `readme-${index}.ts`;
  });
  assert.equal(compile(node, ['frameworks.d.ts', 'pos.ts', ...files]), '');
});

test('the types compile with those of browsers, without skipping the check of declarations', () => {
  writeFileSync(
    join(project, 'page.ts'),
    `import { createClient } from '@aisle/sdk';
     import { partnerOperations } from '@aisle/sdk/operations';
     const client = createClient({ baseUrl: '', session: true });
     export const name: string = (await client.getSession()).user.name;
     export const path: '/v2/portal/session' = partnerOperations.getSession.path;`,
  );
  assert.equal(compile(browser, ['page.ts']), '');
});

test('a program that misuses an operation, or forgets a parameter, does not compile', () => {
  writeFileSync(
    join(project, 'misuse.ts'),
    `import { createClient } from '@aisle/sdk';
     const client = createClient({ baseUrl: 'http://x', token: 'x' });
     await client.getOrder({ params: {} });
     await client.putOrder({ params: { order_id: 'x' }, body: { status: 'UNHEARD_OF' } });
     for await (const order of client.listOrders.all({ params: { vendor_id: 'x' } })) console.log(order.unheard_of);
     createClient({ baseUrl: 'http://x', token: 'x', clientId: 'y', clientSecret: 'z' });`,
  );
  const output = compile(node, ['misuse.ts']);
  assert.equal(output.match(/error TS/g)?.length, 4, output);
});

test('the example till pushes its stock and picks orders, also those that arrived while it was stopped or killed', async () => {
  const aisle = await useAisle();
  const chain = await makeChain(aisle, { vendors: 1, isSandbox: true });
  const product = { title: 'Food', price: 2, quantity: 5 };
  await addProducts(aisle, chain, [
    { ...product, sku: 'MILK' },
    { ...product, sku: 'BREAD' },
  ]);
  const [vendor_id = ''] = chain.vendors;
  const baseUrl = await listen(aisle);
  assert.equal(compile(node, ['pos.ts'], 'out'), '');
  const client = createClient({ baseUrl, token: chain.token });
  const place = (...skus: string[]) =>
    client.sandboxPlaceOrder({
      body: {
        vendor_id,
        customer: { first_name: 'Sam', phone_number: '+971500000000' },
        items: skus.map((sku) => ({ sku, quantity: 1 })),
        payment: { type: 'PAID' },
      },
    });
  const early = await place('MILK', 'BREAD');
  const environment = { AISLE_URL: baseUrl, AISLE_TOKEN: chain.token, STORE: vendor_id };
  const first = startTill(environment);
  await first.prints(`${early.order_id} READY_FOR_PICKUP`);
  assert.match(first.output(), /^stock 2 of 2/);
  const picked = await client.getOrder({ params: { order_id: early.order_id } });
  assert.deepEqual(
    picked.items.map(({ sku, status }) => `${sku} ${status}`),
    ['MILK IN_CART', 'BREAD NOT_FOUND'],
  );
  assert.equal(await first.stop(), 0, first.output());

  const late = await place('MILK');
  const second = startTill(environment);
  await second.prints(late.order_id);
  assert.ok(!second.output().includes(early.order_id), 'an order that was picked is not picked again');
  second.kill();

  const last = await place('MILK');
  const third = startTill(environment);
  await third.prints(last.order_id);
  assert.equal(await third.stop(), 0, third.output());
});

/** From a copy, because packing replaces the package.json that other tests need. */
function pack(): string {
  mkdirSync(join(folder, 'tools'));
  cpSync(join(root, 'sdk'), join(folder, 'sdk'), { recursive: true, filter: (path) => !path.endsWith('dist') });
  cpSync(join(root, 'tools/pack-workspace.ts'), join(folder, 'tools/pack-workspace.ts'));
  cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const name = run('npm', ['pack', '--silent'], join(folder, 'sdk')).trim().split('\n').at(-1);
  return join(folder, 'sdk', name ?? '');
}

function install(): void {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], project);
  cpSync(join(root, 'sdk/examples/pos.ts'), join(project, 'pos.ts'));
  writeFileSync(
    join(project, 'frameworks.d.ts'),
    `declare module 'express' {
       type App = { post(path: string, handler: (request: never, response: never, next: () => void) => void): void; listen(port: number): void };
       const express: () => App;
       export default express;
     }
     declare module 'fastify' {
       type App = { register<O>(plugin: (app: never, options: O) => Promise<void>, options: O): Promise<void>; listen(options: { port: number }): Promise<void> };
       const fastify: () => App;
       export default fastify;
     }`,
  );
}

/** Type-checks these files with strict settings, and returns the compiler's output. */
function compile(options: object, files: string[], outDir?: string): string {
  const output = outDir === undefined ? { noEmit: true } : { outDir };
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    typeRoots: [join(root, 'node_modules/@types')],
    ...options,
    ...output,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/.bin/tsc');
  return spawnSync(tsc, ['-p', project], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout;
}

function run(command: string, options: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, options, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  assert.equal(status, 0, `${command} ${options.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Runs the compiled till with the Node that users have, which can be older than the one in this repository. */
function startTill(environment: Record<string, string>) {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((one) => !one.includes('node_modules'));
  const child = spawn('node', ['out/pos.js'], {
    cwd: project,
    env: { ...process.env, ...environment, PATH: path.join(delimiter) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output: () => output,
    prints: (text: string) =>
      waitFor(
        text,
        () => {
          assert.equal(child.exitCode, null, output);
          return output.includes(text);
        },
        60,
      ),
    kill: () => child.kill('SIGKILL'),
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
