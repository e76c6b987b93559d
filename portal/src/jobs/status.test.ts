import assert from 'node:assert/strict';
import test from 'node:test';
import { failedItems, shownStatus } from './status.ts';

const progress = { total: 3, processed: 3, succeeded: 2, unchanged: 0, failed: 1 };

test('a preview that has not been applied is not shown as completed', () => {
  const preview = { job_status: 'COMPLETED', dry_run: true, progress } as const;
  assert.equal(shownStatus(preview), 'NOT_APPLIED');
  assert.equal(shownStatus({ ...preview, applied_job_id: '1' }), 'COMPLETED');
  assert.equal(shownStatus({ ...preview, job_status: 'FAILED' }), 'FAILED');
  assert.equal(shownStatus({ job_status: 'COMPLETED', progress }), 'COMPLETED_WITH_FAILURES');
});

test('the reason why a whole job failed is not listed as a failed item', () => {
  const item = (sku: string | null, reason: string) => ({
    sku,
    vendor_id: 's8ym',
    status: 'FAILED' as const,
    code: 'unreadable_file' as const,
    rejection_reasons: [{ rejected_data: null, rejected_reason: reason }],
  });
  const error = 'Line 1, column 1: the column "shelf" is unknown.';
  const known = item('MLK-1', 'The price is negative.');
  const unknown = item(null, 'The SKU is missing.');
  const result = { item_level_feedback: [item(null, error), known, unknown], duplicated_products: [] };
  assert.deepEqual(failedItems({ error, result }), [known, unknown]);
});
