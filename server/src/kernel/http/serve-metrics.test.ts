import assert from 'node:assert/strict';
import test from 'node:test';
import Fastify from 'fastify';
import { Gauge, Registry } from 'prom-client';
import { renderMetrics, serveMetrics } from './serve-metrics.ts';

test('a flood of requests for metrics collects them only once', async () => {
  const registry = new Registry();
  let collected = 0;
  const collect = () => void (collected += 1);
  new Gauge({ registers: [registry], name: 'tasks', help: 'Tasks.', collect });
  const app = Fastify();
  serveMetrics(app, renderMetrics(registry), null);
  const responses = await Promise.all(Array.from({ length: 50 }, () => app.inject('/metrics')));
  for (const { statusCode, payload } of responses) {
    assert.equal(statusCode, 200);
    assert.match(payload, /^# HELP tasks Tasks/);
  }
  assert.ok(collected < 50, `${collected} times`);
  await app.close();
});
