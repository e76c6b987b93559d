import Type from 'typebox';
import { Id, Nullable, OneOf, Page, pageQuery, Timestamp, VendorFilter } from './common.ts';
import { route } from './route.ts';
import { maxFeedback } from './sizes.ts';

export const jobStatuses = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
export const jobTypes = ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT'] as const;
export const itemStates = ['UPDATED', 'UNCHANGED', 'CREATED', 'DUPLICATED', 'SUPERSEDED', 'FAILED'] as const;

/** The columns of result files and exports, in order. Product creation adds one column. */
export const logColumns = ['sku', 'code', 'state', 'errors', 'rowNumber', 'pieceBarcode'] as const;
export const creationLogColumns = [...logColumns, 'vendor_id'] as const;
export const exportColumns = ['sku', 'barcode', 'price', 'active', 'max_sales_quantity', 'quantity'] as const;

export const JobAccepted = Type.Object({ job_id: Id, job_status: OneOf(['QUEUED']) });
export const exampleAccepted = { job_id: '0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01', job_status: 'QUEUED' };

const ItemFeedback = Type.Object({
  sku: Nullable(Type.String()),
  vendor_id: Nullable(Type.String()),
  status: OneOf(itemStates),
  rejection_reasons: Type.Array(
    Type.Object({ rejected_data: Nullable(Type.String()), rejected_reason: Type.String() }),
  ),
});

export const CatalogJob = Type.Object({
  job_id: Id,
  job_status: OneOf(jobStatuses),
  job_type: OneOf(jobTypes),
  vendor_id: Type.Optional(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  progress: Type.Object({
    total: Type.Integer(),
    processed: Type.Integer(),
    succeeded: Type.Integer({ description: 'Items that are UPDATED or CREATED.' }),
    unchanged: Type.Integer({ description: 'Items that are UNCHANGED, SUPERSEDED or DUPLICATED.' }),
    failed: Type.Integer(),
  }),
  download_url: Type.Optional(Type.String()),
  result: Type.Object({
    item_level_feedback: Type.Array(ItemFeedback, {
      description: `The first ${maxFeedback.toLocaleString('en')} failed items; the file contains all of them.`,
    }),
    duplicated_products: Type.Array(Type.String(), {
      description: `The first ${maxFeedback.toLocaleString('en')} SKUs that a vendor already had; the file contains all of them.`,
    }),
    download_url: Type.Optional(Type.String()),
  }),
  error: Type.Optional(Type.String({ description: 'The reason, if the job is FAILED.' })),
});

const exampleJob = {
  ...exampleAccepted,
  job_status: 'COMPLETED',
  job_type: 'CATALOG_UPDATE',
  vendor_id: 's8ym',
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:01.250Z',
  progress: { total: 3, processed: 3, succeeded: 1, unchanged: 1, failed: 1 },
  download_url:
    'http://127.0.0.1:8080/v2/chains/2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11/catalog/jobs/0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01/download',
  result: {
    item_level_feedback: [
      {
        sku: 'MLK-99999',
        vendor_id: 's8ym',
        status: 'FAILED',
        rejection_reasons: [
          { rejected_data: 'MLK-99999', rejected_reason: 'The vendor has no product with this SKU.' },
        ],
      },
    ],
    duplicated_products: [],
  },
};

const jobs = { api: 'partner', tag: 'Catalog jobs', access: 'catalog:read', rateLimit: 'read' } as const;

export const jobRoutes = {
  listCatalogJobs: route({
    ...jobs,
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/jobs',
    summary: 'List catalog jobs',
    query: Type.Object({
      status: Type.Optional(OneOf(jobStatuses)),
      type: Type.Optional(OneOf(jobTypes)),
      vendor_id: Type.Optional(VendorFilter),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of jobs, newest first.',
        schema: Page('jobs', CatalogJob),
        example: { jobs: [exampleJob], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: ['vendor_not_found'],
  }),

  getCatalogJob: route({
    ...jobs,
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}',
    summary: 'Get a catalog job',
    responses: { 200: { description: 'The job.', schema: CatalogJob, example: exampleJob } },
    errors: ['job_not_found'],
  }),

  downloadCatalogJob: route({
    ...jobs,
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}/download',
    summary: "Download a job's result file",
    headers: ['accept'],
    description: `The file of an update has the columns \`${logColumns.join(',')}\`; product creation adds \`vendor_id\`. The \`Accept\` header selects the format. In CSV, a cell that a spreadsheet would run as a formula is prefixed with an apostrophe.`,
    responses: {
      200: {
        description: 'The file.',
        mediaTypes: ['text/csv', 'application/json', 'application/x-ndjson'],
        headers: ['content-disposition'],
        example: 'sku,code,state,errors,rowNumber,pieceBarcode\nMLK-00012,,UPDATED,,1,\n',
      },
    },
    errors: ['job_not_found', 'file_not_found', 'download_expired'],
  }),
};
