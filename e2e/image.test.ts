import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cloneDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { makeFolder } from './support/folder.ts';
import { type Program, startProgram } from './support/program.ts';

/** Runs the files that deploy/Dockerfile copies into the image, and no others. The packages are those of this checkout. */
const root = join(import.meta.dirname, '..');
const { folder } = makeFolder();
let database: TestDatabase;
let program: Program;

before(async () => {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/aisle\/(\S+) (\S+)$/gm)];
  assert.ok(copied.length > 5);
  for (const [, from = '', to = ''] of copied) cpSync(join(root, from), join(folder, to), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  database = await cloneDatabase();
  const environment = { DATABASE_URL: database.url, AISLE_SFTP_PORT: 'off' };
  program = await startProgram({ role: 'api', environment, folder, program: join(folder, 'server/dist/main.js') });
});

after(() => database?.drop());

const paths = [
  '/health/ready',
  '/docs',
  '/docs/reference',
  '/docs/assets/scalar.js',
  '/docs/assets/favicon.svg',
  '/portal',
  '/console',
  '/pick',
];

for (const path of [
  ...paths,
  '/openapi/partner.json',
  '/openapi/platform.json',
  '/openapi/aisle.postman_collection.json',
]) {
  test(`the image contains what ${path} needs`, async () => {
    const response = await fetch(`${program.url}${path}`);
    assert.equal(response.status, 200, await response.text());
  });
}

test('the image contains every page of the documentation', async () => {
  const text = await (await fetch(`${program.url}/llms.txt`)).text();
  const pages = [...text.matchAll(/\]\((\/docs[^)]*)\)/g)].map(([, path]) => path ?? '');
  assert.ok(pages.length > 20, text);
  for (const path of pages) assert.equal((await fetch(`${program.url}${path}`)).status, 200, path);
});
