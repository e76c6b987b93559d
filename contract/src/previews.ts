import Type from 'typebox';
import { Closed, described, OneOf, Page, pageQuery, TimestampInput } from './common.ts';
import { CatalogJob, exampleAccepted, exampleJob, JobAccepted } from './jobs.ts';
import { changedFields, PreviewClass, PreviewRow } from './preview-row.ts';
import { route } from './route.ts';
import { skuLength } from './sizes.ts';

/** How far ahead a job can be scheduled. */
export const maxScheduleDays = 30;

const ApplyAt = described(
  TimestampInput,
  `When to apply the job, up to ${maxScheduleDays} days ahead. Until then it can be cancelled. At that time, it takes its place after all jobs that have been accepted until then. ISO 8601 timestamp; UTC is assumed if there is no offset.`,
);

/** Query parameters of requests that update the catalog. */
export const applyQuery = {
  dry_run: Type.Optional(
    Type.Boolean({
      description:
        'Create a preview: a job that checks every item in the same way and reports what would change, without changing the catalog. Read the result at `/catalog/jobs/{job_id}/preview`, and apply it with `/catalog/jobs/{job_id}/apply` within a day.',
    }),
  ),
  apply_at: Type.Optional(ApplyAt),
};

const Value = Type.Unsafe<number | string | boolean | null>({ type: ['number', 'string', 'boolean', 'null'] });

export const PreviewItem = Type.Object({
  class: PreviewClass,
  sku: PreviewRow.properties.sku,
  name: PreviewRow.properties.name,
  vendor_id: PreviewRow.properties.vendor_id,
  row_number: PreviewRow.properties.rowNumber,
  code: PreviewRow.properties.code,
  message: PreviewRow.properties.errors,
  changes: Type.Array(
    Type.Object({
      field: OneOf(changedFields, { description: 'The name of the field.' }),
      old: described(Value, 'The value before the change. Several barcodes are separated by commas.'),
      new: described(Value, 'The value after the change.'),
      change_percent: Type.Optional(
        Type.Number({ description: 'For prices, the change in percent. Absent if the old price was 0.' }),
      ),
    }),
    { description: 'The fields that change. Empty for errors and unchanged items.' },
  ),
});

const Count = (description: string) => Type.Integer({ description });
export const PreviewCounts = Type.Object(
  {
    ERROR: Count('Items that cannot be applied.'),
    SUSPICIOUS: Count('Items that may be a mistake.'),
    DUPLICATE: Count('Items whose SKU occurs more than once.'),
    CHANGED: Count('Other items that change something.'),
    UNCHANGED: Count('Other items that change nothing.'),
  },
  { description: 'The number of items in each class, as far as the preview has run.' },
);

const exampleItem = {
  class: 'SUSPICIOUS',
  sku: 'MLK-00012',
  name: 'Fresh milk 1 l',
  vendor_id: 's8ym',
  row_number: 2,
  code: 'price_jump',
  message: 'The price changes by 900%.',
  changes: [{ field: 'price', old: 6.25, new: 62.5, change_percent: 900 }],
};

const actions = {
  api: 'partner',
  tag: 'Catalog jobs',
  method: 'POST',
  access: 'catalog:write',
  rateLimit: 'catalog_write',
} as const;

const accepted = {
  202: { description: 'The job was accepted.', schema: JobAccepted, example: exampleAccepted, job: 'getCatalogJob' },
} as const;

export const previewRoutes = {
  getCatalogPreview: route({
    api: 'partner',
    tag: 'Catalog jobs',
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}/preview',
    summary: 'Read a preview',
    description:
      "Returns what a job with `dry_run` found, sorted by class and then in the order of the upload. The result is complete when the job's status is COMPLETED or FAILED. Download the job's file to get all items at once.",
    access: 'catalog:read',
    rateLimit: 'read',
    query: Type.Object({ class: Type.Optional(PreviewClass), ...pageQuery }),
    responses: {
      200: {
        description: 'A page of items, errors first.',
        schema: Type.Object({ ...Page('items', PreviewItem).properties, counts: PreviewCounts }),
        example: {
          items: [exampleItem],
          page_number: 1,
          page_size: 20,
          total_pages: 1,
          total_items: 1,
          counts: { ERROR: 0, SUSPICIOUS: 1, DUPLICATE: 0, CHANGED: 0, UNCHANGED: 0 },
        },
      },
    },
    errors: ['job_not_found', 'job_state_conflict', 'download_expired'],
  }),

  applyCatalogPreview: route({
    ...actions,
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}/apply',
    summary: 'Apply a preview',
    description:
      'Creates a job that applies the items of a preview, without sending them again. A preview can be applied once, within a day. The job compares the items with the catalog at the time when it runs. A preview with barcodes changes products in all stores, so applying it with a credential that is limited to some vendors is rejected with 403.',
    body: {
      schema: Closed(Type.Object({ apply_at: Type.Optional(ApplyAt) })),
      example: {},
      required: false,
    },
    responses: accepted,
    errors: ['job_not_found', 'job_state_conflict', 'download_expired', 'storage_limit_reached'],
  }),

  cancelCatalogJob: route({
    ...actions,
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}/cancel',
    summary: 'Cancel a scheduled job',
    description: 'A job with `apply_at` can be cancelled until that time. Its status becomes FAILED.',
    responses: { 200: { description: 'The cancelled job.', schema: CatalogJob, example: exampleJob } },
    errors: ['job_not_found', 'job_state_conflict'],
  }),

  revertCatalogJob: route({
    audit: true,
    ...actions,
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}/revert',
    summary: 'Revert a job',
    description:
      'Creates a job that restores the values that a catalog update has changed, up to 30 days ago. A value that has changed again since then is kept, and the result file reports the SKU as SUPERSEDED with `changed_since`. An item whose barcode has changed has a second row in the result file. A revert can be reverted. Jobs that create products cannot be reverted; set the products to inactive instead.',
    body: {
      schema: Closed(
        Type.Object({
          skus: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: skuLength }), {
              minItems: 1,
              maxItems: 10_000,
              description: 'Revert only these SKUs. By default, everything that the job has changed is reverted.',
            }),
          ),
        }),
      ),
      example: { skus: ['MLK-00012'] },
      required: false,
    },
    responses: accepted,
    errors: ['job_not_found', 'job_state_conflict', 'storage_limit_reached'],
  }),
};
