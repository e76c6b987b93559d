import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import test from 'node:test';
import type { Secrets } from '../webhooks/index.ts';
import type { Head } from './lane-queries.ts';
import { pingType } from './rules/attempt.ts';
import { sendDelivery } from './send-delivery.ts';

test('an attempt whose exchange never ends is a timeout, so that it does not keep its slot', {
  timeout: 30_000,
}, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const outbound = { timeoutMs: 10_000, post: () => new Promise<never>(() => {}), close: () => {} };
  let isOver = false;
  const sending = sendDelivery({ outbound, secrets, userAgent: 'Aisle/test' }, head).finally(() => {
    isOver = true;
  });
  t.mock.timers.tick(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isOver, false, 'the outbound client reports a timeout itself');
  t.mock.timers.tick(5000);
  const { outcome, status, response } = await sending;
  assert.deepEqual(
    [outcome, status, String(response.body)],
    ['timeout', 'EXHAUSTED', 'the exchange did not end within 15000 ms'],
  );
});

const secrets = {
  openAuthorization: () => undefined,
  openSigning: () => [createSecretKey(Buffer.alloc(32))],
} as unknown as Secrets;
const head = {
  chain_id: 'chain',
  delivery_id: 'delivery',
  event_id: 'delivery',
  type: pingType,
  created_at: new Date(),
  topic: 'orders',
  environment: 'production',
  production_url: 'https://hooks.example.com/',
  attempt_count: 0,
  tries: 0,
  staged_fault: null,
} as unknown as Head;
