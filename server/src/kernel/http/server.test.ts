import assert from 'node:assert/strict';
import test from 'node:test';
import { pino } from 'pino';
import { createMetrics } from '../monitoring/metrics.ts';
import { connectionLimits } from './connections.ts';
import { createHttp } from './server.ts';

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
