import Type from 'typebox';
import { described, Id, Nullable, OneOf, Page, pageQuery, Timestamp, VendorFilter } from './common.ts';
import { PreviewRow } from './preview-row.ts';
import { route } from './route.ts';
import { maxFeedback } from './sizes.ts';
import { subCodesIn } from './sub-codes.ts';

export const jobStatuses = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
export const jobTypes = ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT'] as const;
export const itemStates = ['UPDATED', 'UNCHANGED', 'CREATED', 'DUPLICATED', 'SUPERSEDED', 'FAILED'] as const;

export const JobStatus = OneOf(jobStatuses, { description: 'The status of the job. COMPLETED and FAILED are final.' });
export const JobType = OneOf(jobTypes, { description: 'What the job does.' });

/** The name of the uploaded file that a job was created from. */
export const FileName = Type.String({
  description: 'The name of the uploaded file that the job was created from. Absent for other jobs.',
});

export const originChannels = ['api', 'portal', 'sftp'] as const;

/** Who created a job, and from where. */
export const JobOrigin = Type.Object(
  {
    name: Type.String({ description: 'The name of the token, client, portal user or SFTP user.' }),
    channel: OneOf(originChannels, { description: 'How the request or the file was sent.' }),
    address: Type.String({ description: 'The IP address that it was sent from.' }),
  },
  { description: 'Who created the job, and from where. Absent for jobs that earlier versions created.' },
);

/** A row in a result file, as JSON. The CSV file has the same columns, with empty cells instead of null. */
export const LogRow = Type.Object({
  sku: Nullable(Type.String({ description: 'The SKU as it was sent; null if the item had none.' })),
  code: Nullable(
    OneOf(subCodesIn('item'), { description: 'Why the item, or a part of it, was not applied; null if it was.' }),
  ),
  state: OneOf(itemStates, { description: 'What happened to the item.' }),
  errors: Nullable(Type.String({ description: 'The reason as text; null if there is none.' })),
  rowNumber: Type.Integer({
    description:
      'The position of the item in the request, starting at 1; for an uploaded file, the line on which the row starts.',
  }),
  pieceBarcode: Nullable(Type.String({ description: 'The barcode as it was sent; null if the item had none.' })),
});
export const CreationLogRow = Type.Object({
  ...LogRow.properties,
  vendor_id: Type.String({
    description: 'The platform id of the vendor, or the id as it was sent if the chain has no such vendor.',
  }),
});
/** A row in an export, as JSON. In CSV, `active` is 1 or 0. */
export const ExportRow = Type.Object({
  sku: Type.String({ description: 'The SKU.' }),
  barcode: Nullable(Type.String({ description: 'The first barcode; null if there is none.' })),
  price: Type.Number({ description: 'The price per unit, or per KG for products sold by weight.' }),
  active: Type.Boolean({ description: 'Whether the product is active.' }),
  max_sales_quantity: Nullable(Type.Integer({ description: 'The maximum quantity per order; null if unlimited.' })),
  quantity: Nullable(Type.Integer({ description: 'The stock; null if unknown.' })),
});
/** The signature in a `download_url`. */
export const Signature = Type.String({
  maxLength: 200,
  description: 'Part of `download_url`. Accepted instead of a token for 15 minutes after the job is read.',
});
/** The columns of a file, in order. */
export const columnsOf = (row: Type.TObject): string[] => Object.keys(row.properties);

export const JobAccepted = Type.Object({
  job_id: described(Id, 'The id of the job. Use it to read the status.'),
  job_status: OneOf(['QUEUED'], { description: 'Always QUEUED: the job runs in the background.' }),
});
export const exampleAccepted = { job_id: '0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01', job_status: 'QUEUED' };

export const ItemFeedback = Type.Object({
  sku: Nullable(Type.String({ description: 'The SKU as it was sent. Null if the item had none.' })),
  vendor_id: Nullable(Type.String({ description: 'The id of the vendor.' })),
  status: OneOf(itemStates, { description: 'What happened to the item.' }),
  code: Nullable(
    OneOf(subCodesIn('item'), {
      description:
        'The code for the reason, as in the result file. Null for jobs that were created before codes were stored.',
    }),
  ),
  rejection_reasons: Type.Array(
    Type.Object({
      rejected_data: Nullable(Type.String({ description: 'The rejected value. Null if it cannot be shown as text.' })),
      rejected_reason: Type.String({ description: 'The reason as text. The text can change.' }),
    }),
    { description: 'Why the item was not applied.' },
  ),
});

/** Signed unless the operator has disabled signing. Never signed in events. */
export const DownloadUrl = Type.String({
  description:
    'The URL of the file, once the file exists. The URL contains a `signature` and works without a token for 15 minutes; after that, read the job again or send a token.',
});

export const JobErrorCode = Type.String({
  description:
    'A stable code for `error`; see the list of codes. Absent if the job did not fail, and in jobs of earlier versions.',
});

export const CatalogJob = Type.Object({
  job_id: described(Id, 'The id of the job.'),
  job_status: JobStatus,
  job_type: JobType,
  vendor_id: Type.Optional(
    Type.String({ description: 'The platform id of the store. Absent for jobs that cover several stores.' }),
  ),
  file_name: Type.Optional(FileName),
  created_by: Type.Optional(JobOrigin),
  dry_run: Type.Optional(
    Type.Boolean({
      description:
        'True if the job is a preview: it checks the items, but does not change the catalog. Absent for other jobs.',
    }),
  ),
  expires_at: Type.Optional(described(Timestamp, 'When a preview is deleted. Present once the preview is complete.')),
  applied_job_id: Type.Optional(described(Id, 'The id of the job that applies the preview, once it has been applied.')),
  apply_at: Type.Optional(
    described(Timestamp, 'When the job is to be applied. Until then it is QUEUED, and it can be cancelled.'),
  ),
  reverts_job_id: Type.Optional(described(Id, 'The id of the job whose changes this job reverts.')),
  created_at: described(Timestamp, 'When the job was accepted.'),
  updated_at: described(Timestamp, 'When the job last made progress.'),
  progress: Type.Object(
    {
      total: Type.Integer({
        description:
          'The number of items to process; for a job that covers several stores, the number of item and store pairs.',
      }),
      processed: Type.Integer({
        description: 'The number of processed items: the sum of `succeeded`, `unchanged` and `failed`.',
      }),
      succeeded: Type.Integer({ description: 'The number of items that are UPDATED or CREATED.' }),
      unchanged: Type.Integer({ description: 'The number of items that are UNCHANGED, SUPERSEDED or DUPLICATED.' }),
      failed: Type.Integer({ description: 'The number of items that are FAILED.' }),
    },
    { description: 'The progress of the job.' },
  ),
  download_url: Type.Optional(DownloadUrl),
  result: Type.Object(
    {
      item_level_feedback: Type.Array(ItemFeedback, {
        description: `The first ${maxFeedback.toLocaleString('en')} failed items and, if the job reverts another one, as many items that have changed since (SUPERSEDED); the file contains all of them.`,
      }),
      duplicated_products: Type.Array(Type.String(), {
        description: `The first ${maxFeedback.toLocaleString('en')} SKUs that a vendor already had; the file contains all of them.`,
      }),
      download_url: Type.Optional(DownloadUrl),
    },
    { description: 'The result of the job.' },
  ),
  error: Type.Optional(Type.String({ description: 'The reason, if the job is FAILED.' })),
  error_code: Type.Optional(JobErrorCode),
});

export const exampleJob = {
  ...exampleAccepted,
  job_status: 'COMPLETED',
  job_type: 'CATALOG_UPDATE',
  vendor_id: 's8ym',
  created_by: { name: 'Back office', channel: 'api', address: '203.0.113.7' },
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:01.250Z',
  progress: { total: 3, processed: 3, succeeded: 1, unchanged: 1, failed: 1 },
  download_url:
    'http://127.0.0.1:8080/v2/chains/2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11/catalog/jobs/0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01/download?signature=1777888260.h3Yw0v2qT1m8cJxK4nB7sLr5eZpA9dGfQ6uWiXoVtEk',
  result: {
    item_level_feedback: [
      {
        sku: 'MLK-99999',
        vendor_id: 's8ym',
        status: 'FAILED',
        code: 'product_not_found',
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
      status: Type.Optional(JobStatus),
      type: Type.Optional(JobType),
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
    responses: { 200: { description: 'The job.', schema: CatalogJob, example: exampleJob, headers: ['etag'] } },
    errors: ['job_not_found'],
  }),

  downloadCatalogJob: route({
    ...jobs,
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}/download',
    summary: "Download a job's result file",
    isSigned: true,
    query: Type.Object({ signature: Type.Optional(Signature) }),
    headers: ['accept'],
    description: `The result file of an update has the columns \`${columnsOf(LogRow).join(',')}\`. The file of a product creation, and of an uploaded file for all stores, also has \`vendor_id\`. An export has the columns \`${columnsOf(ExportRow).join(',')}\`. A preview has the columns \`${columnsOf(PreviewRow).join(',')}\`. The \`Accept\` header selects the format. JSON has numbers, booleans and null; CSV has text and empty cells. In CSV, a cell that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.`,
    responses: {
      200: {
        description: 'The file.',
        mediaTypes: ['text/csv', 'application/json', 'application/x-ndjson'],
        row: Type.Union([LogRow, CreationLogRow, ExportRow, PreviewRow]),
        headers: ['content-disposition', 'cache-control'],
        example: 'sku,code,state,errors,rowNumber,pieceBarcode\nMLK-00012,,UPDATED,,1,\n',
      },
    },
    errors: ['invalid_signature', 'job_not_found', 'file_not_found', 'download_expired'],
  }),
};
