import assert from 'node:assert/strict';
import test from 'node:test';
import { describeFolder, describeProblem, isOpen, statusOf } from './labels.ts';

const job = { job_id: '1', job_type: 'CATALOG_UPDATE', job_status: 'COMPLETED', failed: 0 } as const;

test('a folder is described by what its files change and where', () => {
  const stores = [{ vendor_id: 's8ym', name: 'Marina' }];
  assert.equal(describeFolder('/catalog/s8ym', stores), 'Prices and stock: Marina');
  assert.equal(describeFolder('/catalog/all', stores), 'Prices and stock: all stores');
  assert.equal(describeFolder('/catalog/gone', stores), 'Prices and stock: gone');
  assert.equal(describeFolder('/products', stores), 'New products');
  assert.equal(describeFolder('/promotions', stores), 'Promotions');
});

test('an unfinished file has its own status, and an accepted file has the status of its job', () => {
  assert.equal(statusOf({ state: 'UNFINISHED', jobs: [] }), 'UNFINISHED');
  assert.equal(statusOf({ state: 'ACCEPTED', jobs: [{ ...job, job_status: 'IN_PROGRESS' }] }), 'IN_PROGRESS');
  assert.equal(isOpen({ state: 'UNFINISHED', jobs: [] }), true);
  assert.equal(isOpen({ state: 'ACCEPTED', jobs: [job] }), false);
});

test('a rejected file shows the reason, otherwise the number of failed rows', () => {
  assert.equal(
    describeProblem({ jobs: [{ ...job, failed: 3, error: 'Line 1 has no column sku.' }] }),
    'Line 1 has no column sku.',
  );
  assert.equal(describeProblem({ jobs: [{ ...job, failed: 1 }] }), '1 failed row');
  assert.equal(describeProblem({ jobs: [{ ...job, failed: 2 }] }), '2 failed rows');
  assert.equal(describeProblem({ jobs: [job] }), undefined);
});
