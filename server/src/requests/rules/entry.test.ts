import assert from 'node:assert/strict';
import test from 'node:test';
import type { FinishedRequest } from '../../kernel/http/finished-request.ts';
import { entryOf, loggedActor } from './entry.ts';

const actor = { kind: 'token', id: 'id', name: 'Till', chainId: 'chain' };

function finished(more: Partial<FinishedRequest> = {}, headers: Record<string, string> = {}): FinishedRequest {
  return {
    id: 'request',
    method: 'GET',
    url: '/v2/chains/1/vendors',
    params: {},
    status: 200,
    durationMs: 1.26,
    isAborted: false,
    isStreamed: false,
    caller: actor as unknown as FinishedRequest['caller'],
    access: undefined,
    idempotency: undefined,
    requestBody: undefined,
    responseBody: undefined,
    responseHeader: (name) => headers[name],
    ...more,
  };
}

function entry(...parameters: Parameters<typeof finished>) {
  const request = finished(...parameters);
  const caller = loggedActor(request);
  assert.ok(caller);
  return entryOf(request, caller, 1_000_000);
}

test('the names of ignored parameters and fields are taken from the response headers', () => {
  const headers = { 'aisle-ignored-parameters': 'vendorid, pagesize', 'aisle-ignored-fields': 'items[].colour' };
  const { ignored_parameters, ignored_fields } = entry({}, headers);
  assert.deepEqual([ignored_parameters, ignored_fields], ['vendorid, pagesize', 'items[].colour']);
});

test('long paths, queries, details and error lists are truncated', () => {
  const errors = Array.from({ length: 50 }, (_, index) => ({ pointer: `/${index}`, code: 'bad', message: 'is bad' }));
  const responseBody = JSON.stringify({ code: 'invalid_request', detail: 'd'.repeat(9000), errors });
  const {
    path,
    query,
    error_detail,
    errors: kept,
  } = entry({
    url: `/${'p'.repeat(9000)}?${'q'.repeat(9000)}`,
    status: 400,
    responseBody,
  });
  assert.deepEqual([path.length, query?.length, error_detail?.length], [1000, 1000, 2000]);
  assert.equal(JSON.parse(String(kept)).length, 20);
});

test('an error response without a problem document is recorded without details', () => {
  for (const responseBody of [undefined, 'text', 'null', '[]', '{"code": 5}']) {
    const { status, error_code, error_detail, errors } = entry({ status: 502, responseBody });
    assert.deepEqual([status, error_code, error_detail, errors], [502, null, null, null]);
  }
});

test('the arrival time is the end time minus the duration', () => {
  assert.equal(entry({ durationMs: 250 }).received_at, new Date(999_750).toISOString());
});

test('only requests made with a token or by an OAuth client are logged', () => {
  for (const kind of ['platform', 'user', 'anonymous']) {
    const caller = { ...actor, kind } as unknown as FinishedRequest['caller'];
    assert.equal(loggedActor(finished({ caller })), undefined);
  }
  assert.equal(loggedActor(finished({ caller: undefined })), undefined);
});
