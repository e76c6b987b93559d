import assert from 'node:assert/strict';
import test from 'node:test';
import { scopes } from '@aisle/contract/route';
import { canSeeData } from './visible-data.ts';

const chain = '/v2/chains/0196a0c2-0000-7000-8000-000000000001';

test('the data of a request is visible to callers with the scopes of the route', () => {
  const order = { method: 'GET', path: `${chain}/orders/1` };
  assert.ok(!canSeeData(['manage'], order));
  assert.ok(canSeeData(['manage', 'orders:read'], order));
  assert.ok(canSeeData(['manage', 'orders:read'], { ...order, method: 'HEAD' }));
  assert.ok(!canSeeData(['manage', 'orders:read'], { ...order, method: 'PUT' }));
  assert.ok(canSeeData(['manage'], { method: 'PATCH', path: `${chain}/settings` }));
});

test('if the scopes of the caller decide what a route returns, all of them are required', () => {
  for (const path of ['/events', '/deliveries', '/deliveries/1']) {
    const request = { method: 'GET', path: `${chain}${path}` };
    assert.ok(!canSeeData(['manage', 'catalog:read'], request), path);
    assert.ok(canSeeData(['manage', 'catalog:read', 'orders:read'], request), path);
  }
  const log = { method: 'GET', path: `${chain}/requests/1` };
  assert.ok(!canSeeData(scopes.slice(1), log));
  assert.ok(canSeeData(scopes, log));
});

test('the data of a request with an unknown path is visible only with all scopes', () => {
  assert.ok(!canSeeData(scopes.slice(1), { method: 'GET', path: `${chain}/ordres` }));
  assert.ok(canSeeData(scopes, { method: 'GET', path: `${chain}/ordres` }));
});
