import Type from 'typebox';
import { described, Id, OneOf, Page, pageQuery, Timestamp, VendorFilter } from './common.ts';
import { JobErrorCode, JobStatus } from './jobs.ts';
import { applyQuery } from './previews.ts';
import { route } from './route.ts';

export const fileStates = ['UNFINISHED', 'ACCEPTED'] as const;
export const fileChannels = ['sftp', 'portal', 'api'] as const;
const fileJobTypes = ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'PROMOTION'] as const;

const FileJob = Type.Object({
  job_id: described(Id, 'The id of the job.'),
  job_type: OneOf(fileJobTypes, {
    description: 'What the job does. A PROMOTION job is read at `/promotion/jobs`, the others at `/catalog/jobs`.',
  }),
  job_status: JobStatus,
  dry_run: Type.Optional(Type.Boolean({ description: 'True if the job is a preview, which changes nothing.' })),
  apply_at: Type.Optional(described(Timestamp, 'When the job is to be applied. Until then it is QUEUED.')),
  failed: Type.Integer({
    description:
      'How many rows have failed so far, counted once per store: with 3 stores, a row that fails in all of them counts as 3.',
  }),
  rows: Type.Optional(
    Type.Integer({ description: 'How many rows have been read so far. Absent for a promotion file.' }),
  ),
  stores: Type.Optional(
    Type.Integer({
      description: 'How many stores each row is applied to. Absent for a promotion file, whose rows name its stores.',
    }),
  ),
  error: Type.Optional(Type.String({ description: 'The reason, if the job is FAILED.' })),
  error_code: Type.Optional(JobErrorCode),
});

export const UploadedFile = Type.Object({
  file_id: described(Id, 'The id of the file.'),
  name: Type.String({ description: 'The name of the file.' }),
  folder: Type.String({
    description:
      'The folder: `/catalog/` followed by the platform id of a store, `/catalog/all`, `/products` or `/promotions`.',
  }),
  size: Type.Integer({ description: 'The size in bytes, as uploaded.' }),
  state: OneOf(fileStates, {
    description: 'UNFINISHED while the file is being uploaded; ACCEPTED when it is complete and has a job.',
  }),
  received_at: described(Timestamp, 'When the file was accepted, or when the upload started if it is unfinished.'),
  uploaded_by: Type.String({
    description: 'The name of the token, client, portal user or SFTP user that uploaded the file.',
  }),
  address: Type.String({ description: 'The IP address that the file was uploaded from.' }),
  channel: OneOf(fileChannels, { description: 'How the file was uploaded.' }),
  jobs: Type.Array(FileJob, { description: 'The jobs that apply the file. Empty if the file is unfinished.' }),
  failed_rows_url: Type.Optional(
    Type.String({
      description:
        'The URL of the failed rows, once a job has ended with failed rows or because the file could not be read.',
    }),
  ),
});

const exampleJob = {
  job_id: '0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01',
  job_type: 'CATALOG_UPDATE',
  job_status: 'COMPLETED',
  failed: 1,
  rows: 250,
  stores: 1,
};
const exampleFile = {
  file_id: '7f1f0c1e-3a55-4f0c-9c56-0c1b9a3f5d20',
  name: 'prices.csv',
  folder: '/catalog/s8ym',
  size: 48_213,
  state: 'ACCEPTED',
  received_at: '2026-05-04T09:30:00.000Z',
  uploaded_by: 'Back office',
  address: '203.0.113.7',
  channel: 'api',
  jobs: [exampleJob],
  failed_rows_url:
    'http://127.0.0.1:8080/v2/chains/2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11/files/7f1f0c1e-3a55-4f0c-9c56-0c1b9a3f5d20/failed-rows',
};

const FileAccepted = Type.Object({
  file_id: described(Id, 'The id of the file. If it is a repeat, the id of the earlier file.'),
  job_ids: Type.Array(Id, { description: 'The ids of the jobs that apply the file.' }),
  is_repeat: Type.Boolean({
    description:
      'Whether the last file under this name in the last 24 hours had the same content and none of its rows failed. If so, the ids are those of the earlier file and its jobs, and nothing is applied again.',
  }),
});

const files = { api: 'partner', tag: 'Files' } as const;
const reads = {
  ...files,
  method: 'GET',
  access: 'catalog:read',
  orScopes: ['promotions:read'],
  rateLimit: 'read',
} as const;
const scopeText = 'Files in `/promotions` require `promotions:read`, and all other files require `catalog:read`.';

export const fileRoutes = {
  uploadFile: route({
    ...files,
    method: 'POST',
    path: '/v2/chains/{chain_id}/files',
    summary: 'Upload a CSV file',
    description:
      'The body is the file itself: CSV in UTF-8, UTF-16, Windows-1252 or Windows-1256, with commas, semicolons or tabs, optionally compressed with gzip or in a zip archive with one file. The file is accepted when the response is 202, and it is applied by a job, as other requests are, in the order of acceptance. If the file cannot be read, its job fails, with the reason in `error`. Uploading to `/promotions` requires `promotions:write`, and to the other folders `catalog:write`. To repeat a request safely, send the same file again: it is recognized by its content and name, so an `Idempotency-Key` is not needed. `dry_run` and `apply_at` are available for the folders in `/catalog`.',
    access: 'catalog:write',
    orScopes: ['promotions:write'],
    rateLimit: 'catalog_write',
    query: Type.Object({
      folder: Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Where to store the file: `/catalog/` followed by the platform id or external id of a store, `/catalog/all` for all stores that the token can access, `/products` or `/promotions`.',
        examples: ['/catalog/all'],
      }),
      name: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The name of the file, without slashes, backslashes or control characters.',
        examples: ['prices.csv'],
      }),
      ...applyQuery,
    }),
    body: {
      schema: Type.String({ description: 'The file.' }),
      example: 'sku,price,quantity\nMLK-00012,12.50,40\n',
      required: true,
      form: 'stream',
      mediaTypes: ['text/csv', 'application/gzip', 'application/zip', 'application/octet-stream'],
      maxBytes: 2 * 1024 ** 3,
    },
    responses: {
      202: {
        description: 'The file was accepted.',
        schema: FileAccepted,
        example: { file_id: exampleFile.file_id, job_ids: [exampleJob.job_id], is_repeat: false },
        headers: ['location'],
      },
    },
    errors: ['vendor_not_found', 'unfinished_limit_reached', 'storage_limit_reached'],
  }),

  listFiles: route({
    ...reads,
    path: '/v2/chains/{chain_id}/files',
    summary: 'List uploaded files',
    description: scopeText,
    query: Type.Object({
      state: Type.Optional(OneOf(fileStates, { description: 'Return only files in this state.' })),
      vendor_id: Type.Optional(VendorFilter),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of files, newest first.',
        schema: Page('files', UploadedFile),
        example: { files: [exampleFile], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: ['vendor_not_found'],
  }),

  getFile: route({
    ...reads,
    path: '/v2/chains/{chain_id}/files/{file_id}',
    summary: 'Get an uploaded file',
    description: scopeText,
    responses: { 200: { description: 'The file.', schema: UploadedFile, example: exampleFile, headers: ['etag'] } },
    errors: ['upload_not_found'],
  }),

  downloadFailedRows: route({
    ...reads,
    path: '/v2/chains/{chain_id}/files/{file_id}/failed-rows',
    summary: 'Download the failed rows of a file',
    description:
      'A CSV file in UTF-8 with the columns and the separator of the uploaded file, plus a column `reason`. Correct the rows and upload the file again; the column `reason` is ignored. If the file could not be read, the last row has only the reason, with the line and the column.',
    responses: {
      200: {
        description: 'The rows that failed, in the order of the file.',
        mediaTypes: ['text/csv'],
        headers: ['content-disposition', 'cache-control'],
        example: 'sku,price,reason\nMLK-99999,12.50,The vendor has no product with this SKU.\n',
      },
    },
    errors: ['upload_not_found', 'file_not_found', 'download_expired'],
  }),

  getFileTemplate: route({
    ...reads,
    path: '/v2/chains/{chain_id}/file-templates/{folder}',
    summary: 'Download a template for a folder',
    description: 'A CSV file with the names of all columns and an example row.',
    responses: {
      200: {
        description: 'The template.',
        mediaTypes: ['text/csv'],
        headers: ['content-disposition'],
        example: 'sku,price,quantity,active,maximum_sales_quantity,barcode\nMLK-00012,12.50,40,true,10,4006381333931\n',
      },
    },
    errors: [],
  }),
};
