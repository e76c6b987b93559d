import assert from 'node:assert/strict';
import test from 'node:test';
import { pino } from 'pino';
import { createMetrics } from '../monitoring/metrics.ts';
import { connectionLimits } from './connections.ts';
import { createHttp } from './server.ts';

test('a token in a path is not logged', async () => {
  let log = '';
  const app = createHttp(
    pino({}, { write: (line: string) => void (log += line) }),
    createMetrics(),
    connectionLimits(10),
  );
  app.get('/vendors/:id', async () => 'content');
  const token = 'aisle_live_0123456789abcdefghij';
  for (const url of [`/vendors/${token}`, `/nothing/${token}`]) await app.inject({ url });
  await app.close();
  assert.match(log, /"path":"\/vendors\/\[removed\]"/);
  assert.match(log, /There is no route GET \/nothing\/\[removed\]/);
  assert.doesNotMatch(log, /0123456789/);
});

test('a request is logged with its path but without its query, which can contain a signature', async () => {
  let log = '';
  const app = createHttp(
    pino({}, { write: (line: string) => void (log += line) }),
    createMetrics(),
    connectionLimits(10),
  );
  app.get('/files/:id', async () => 'content');
  for (const url of ['/files/1?signature=hidden', '/nothing?signature=hidden', '/files/%?signature=hidden']) {
    await app.inject({ url });
  }
  await app.close();
  assert.match(log, /"path":"\/files\/1"/);
  assert.match(log, /"code":"route_not_found"/);
  assert.doesNotMatch(log, /hidden/);
});
