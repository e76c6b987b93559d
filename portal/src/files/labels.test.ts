import assert from 'node:assert/strict';
import test from 'node:test';
import { fileColumns } from '@aisle/contract/file-columns';
import { fileKinds } from '@aisle/contract/file-kinds';
import { createTranslate, importBundle } from '../messages/catalogue.ts';
import { columnKey, describeFolder, describeProblem, isOpen, statusOf } from './labels.ts';

const english = await importBundle('en', 'pages');
const t = createTranslate('en', 'en', english);
const inArabic = createTranslate('ar', 'ar-AE', await importBundle('ar', 'pages'));
const job = {
  job_id: '1',
  job_type: 'CATALOG_UPDATE',
  job_status: 'COMPLETED',
  failed: 0,
  rows: 9,
  stores: 1,
} as const;

test('a folder is described by what its files change and where', () => {
  const stores = [{ vendor_id: 's8ym', name: 'Marina' }];
  assert.equal(describeFolder(t, '/catalog/s8ym', stores), 'Prices and stock: Marina');
  assert.equal(describeFolder(t, '/catalog/all', stores), 'Prices and stock: all stores');
  assert.equal(describeFolder(t, '/catalog/gone', stores), 'Prices and stock: gone');
  assert.equal(describeFolder(t, '/products', stores), 'New products');
  assert.equal(describeFolder(t, '/promotions', stores), 'Promotions');
});

test('an unfinished file has its own status, and an accepted file has the status of its job', () => {
  assert.equal(statusOf({ state: 'UNFINISHED', jobs: [] }), 'UNFINISHED');
  assert.equal(statusOf({ state: 'ACCEPTED', jobs: [{ ...job, job_status: 'IN_PROGRESS' }] }), 'IN_PROGRESS');
  assert.equal(statusOf({ state: 'ACCEPTED', jobs: [job] }), 'COMPLETED');
  assert.equal(statusOf({ state: 'ACCEPTED', jobs: [{ ...job, dry_run: true, failed: 1 }] }), 'PREVIEW');
  assert.equal(isOpen({ state: 'UNFINISHED', jobs: [] }), true);
  assert.equal(isOpen({ state: 'ACCEPTED', jobs: [job] }), false);
});

test('a file that waits for its time is not shown as queued', () => {
  const queued = { ...job, job_status: 'QUEUED' } as const;
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  assert.equal(statusOf({ state: 'ACCEPTED', jobs: [{ ...queued, apply_at: inAnHour }] }), 'SCHEDULED');
  assert.equal(statusOf({ state: 'ACCEPTED', jobs: [{ ...queued, apply_at: '2026-05-04T09:30:00Z' }] }), 'QUEUED');
});

test('a file with failed rows is not shown as completed without problems', () => {
  const file = { state: 'ACCEPTED', jobs: [{ ...job, failed: 1 }] } as const;
  assert.equal(statusOf({ ...file, jobs: [...file.jobs] }), 'COMPLETED_WITH_FAILURES');
  assert.equal(isOpen({ ...file, jobs: [...file.jobs] }), false);
});

test('a file that could not be read shows the reason, otherwise the number of failed rows', () => {
  const error = 'Line 1, column 1: the column sku is missing.';
  assert.equal(describeProblem(t, { jobs: [{ ...job, failed: 3, error }] }), error);
  assert.equal(describeProblem(t, { jobs: [{ ...job, failed: 1 }] }), '1 failed row');
  assert.equal(describeProblem(t, { jobs: [{ ...job, failed: 2 }] }), '2 failed rows');
  assert.equal(describeProblem(t, { jobs: [job] }), undefined);
});

test('with several stores, the rows and stores are shown too, because a row can fail in each of them', () => {
  const several = { ...job, rows: 5, stores: 2 };
  assert.equal(describeProblem(t, { jobs: [{ ...several, failed: 8 }] }), '8 failures in 5 rows × 2 stores');
  const one = { ...job, rows: 1, stores: 2, failed: 1 };
  assert.equal(describeProblem(t, { jobs: [one] }), '1 failure in 1 row × 2 stores');
  const arabic = describeProblem(inArabic, { jobs: [{ ...job, rows: 2, stores: 6, failed: 1 }] });
  assert.equal(arabic, 'حالة فشل واحدة (صفان × \u20686 متاجر\u2069)');
  const all = { ...several, failed: 10, error: 'All items failed; the result file has the reasons.' };
  assert.equal(describeProblem(t, { jobs: [all] }), 'All 5 rows failed');
});

test('a file that was only previewed is not shown as completed', () => {
  assert.equal(statusOf({ state: 'ACCEPTED', jobs: [{ ...job, dry_run: true }] }), 'PREVIEW');
  assert.equal(isOpen({ state: 'ACCEPTED', jobs: [{ ...job, dry_run: true }] }), false);
  assert.equal(statusOf({ state: 'ACCEPTED', jobs: [job] }), 'COMPLETED');
});

test('every column of a file has a text, in English the same as in the documentation', () => {
  for (const kind of fileKinds) {
    for (const { name, description } of fileColumns[kind]) {
      assert.equal(english[columnKey(kind, name)], description.replaceAll('`', ''), `${kind} ${name}`);
    }
  }
});
