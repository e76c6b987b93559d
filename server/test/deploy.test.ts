import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { routes } from '@aisle/contract/index';
import type { Route } from '@aisle/contract/route';
import { readConfig } from '../src/config.ts';
import { reservedConnections } from '../src/kernel/database/reserved.ts';
import { useOwnAisle } from './support/aisle.ts';

/** The files in deploy/ refer to metrics, settings and paths of the server, which must exist. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = globSync('deploy/**/*.{yaml,conf,cfg,ini,json,example}', { cwd: root }).concat('deploy/Dockerfile');
const aisle = await useOwnAisle();

test('every metric in the dashboard, the alerts and the autoscalers exists', async () => {
  // The metrics of the runtime appear after some time, so their names are taken from the declarations.
  const { text } = await aisle.call('GET', '/metrics');
  const known = new Set<string>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const endings = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const ending of endings) known.add(`${name}${ending}`);
  }
  const used = files.flatMap((file) =>
    [...read(file).matchAll(/\b(?:aisle|process|nodejs)_[a-z0-9_]+(?=[{[)\s"|]|$)/gm)].map(([name]) => ({
      file,
      name,
    })),
  );
  const names = used.filter(
    ({ file }) => /prometheus|grafana|worker\.yaml/.test(file) && !/prometheus\.yaml/.test(file),
  );
  assert.ok(names.length > 30, `only ${names.length} metrics were found`);
  assert.deepEqual(
    names.filter(({ name }) => !known.has(name)),
    [],
  );
});

test('every setting in deploy/ is described in the operator guide', () => {
  const guide = read('docs/guides/operators.md');
  const settings = files.flatMap((file) =>
    [...read(file).matchAll(/\b(?:AISLE|DATABASE)_[A-Z_]+\b/g)].map(([name]) => name),
  );
  assert.ok(settings.length > 10);
  assert.deepEqual(
    [...new Set(settings)].filter((name) => !guide.includes(`\`${name}\``)),
    [],
  );
});

test('nginx passes on the bodies of exactly the routes that can have large ones', () => {
  for (const file of ['deploy/nginx/nginx.conf', 'deploy/nginx/compose.conf']) {
    const [, pattern = ''] = /location ~ (\S+) \{\s+client_max_body_size/.exec(read(file)) ?? [];
    for (const { path, body } of Object.values(routes) as Route[]) {
      const isLarge = body?.form === 'bytes' || body?.form === 'stream';
      // A GET of the same path has no body.
      if (body) assert.equal(new RegExp(pattern).test(path), isLarge, `${path} in ${file}`);
    }
  }
});

test('the Kubernetes sample cannot open more connections than pgbouncer and PostgreSQL allow', () => {
  const numberIn = (file: string, pattern: RegExp) => {
    const [, text] = pattern.exec(read(`deploy/kubernetes/${file}`)) ?? [];
    assert.ok(text, `${file} has no ${pattern}`);
    return Number(text);
  };
  const [apis, workers] = ['api.yaml', 'worker.yaml'].map(
    (file) => numberIn(file, /maxReplicas: (\d+)/) + numberIn(file, /maxSurge: (\d+)/),
  ) as [number, number];
  const [replicas, surge, poolSize, maxClients, maxConnections] = [
    /replicas: (\d+)/,
    /maxSurge: (\d+)/,
    /^ +default_pool_size = (\d+)/m,
    /^ +max_client_conn = (\d+)/m,
    /^# PostgreSQL needs max_connections = (\d+)/m,
  ].map((pattern) => numberIn('pgbouncer.yaml', pattern)) as [number, number, number, number, number];
  const { databaseConnections, workerSlots } = readConfig({});
  // While pods that were replaced finish their work, there are twice as many.
  const processes = 2 * (apis + workers);
  const needed = (replicas + surge) * poolSize + processes * (reservedConnections + 1);
  assert.ok(needed + 20 <= maxConnections, `${needed} connections to PostgreSQL`);
  assert.ok(workers * (workerSlots + 1) < poolSize, `${workers} workers`);
  assert.ok(processes * databaseConnections <= maxClients, `${processes} processes`);
});

test('the image contains every folder and file that its Dockerfile copies', () => {
  const built = new Set(['node_modules', 'server/dist', 'portal/dist']);
  const copied = [...read('deploy/Dockerfile').matchAll(/^COPY --from=\w+ \/aisle\/(\S+)/gm)].map(
    ([, path = '']) => path,
  );
  assert.ok(copied.length > 5);
  for (const path of copied.filter((one) => !built.has(one))) assert.ok(globSync(path, { cwd: root }).length > 0, path);
});
