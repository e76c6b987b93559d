import assert from 'node:assert/strict';
import test from 'node:test';
import { currentLanguage, loadMessages } from '../messages/language.ts';
import { describeAttempt, failingSince, webhookState } from './describe.ts';

const healthy = {
  status: 'ENABLED',
  failing_since: null,
  catalog_status: 'ENABLED',
  catalog_failing_since: null,
} as const;

test('a ping that got 500 says so', async () => {
  await loadMessages('pages');
  assert.equal(
    describeAttempt(currentLanguage().t, { outcome: 'http_error', http_status: 500, duration_ms: 3 }),
    'Your endpoint returned 500.',
  );
});

test('a webhook whose messages fail is not shown as enabled, even if only catalog events fail', () => {
  assert.equal(webhookState(healthy), 'ENABLED');
  assert.equal(webhookState({ ...healthy, failing_since: '2026-05-04T09:30:00Z' }), 'FAILING');
  assert.equal(webhookState({ ...healthy, catalog_failing_since: '2026-05-04T09:30:00Z' }), 'FAILING');
  assert.equal(webhookState({ ...healthy, status: 'DISABLED', failing_since: '2026-05-04T09:30:00Z' }), 'DISABLED');
});

test('a webhook has been failing since its first URL failed; a disabled URL does not count', () => {
  const both = {
    ...healthy,
    failing_since: '2026-05-04T10:00:00Z',
    catalog_failing_since: '2026-05-04T09:30:00Z',
  };
  assert.equal(failingSince(both), '2026-05-04T09:30:00Z');
  assert.equal(failingSince({ ...both, catalog_status: 'DISABLED' }), '2026-05-04T10:00:00Z');
});
