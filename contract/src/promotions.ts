import Type from 'typebox';
import { largeBody } from './catalog.ts';
import { Page, pageQuery } from './common.ts';
import { columnsOf, exampleAccepted, JobAccepted, Signature } from './jobs.ts';
import {
  PromotionState,
  RejectionRow,
  PromotionRequest,
  Promotion,
  PromotionDetails,
  PromotionJob,
  exampleEntry,
  exampleRequest,
  exampleRequests,
  examplePromotion,
  examplePage,
  exampleJob,
} from './promotion.ts';
import { route } from './route.ts';
import { skuLength } from './sizes.ts';

const promotions = { api: 'partner', tag: 'Promotions' } as const;
const reads = { ...promotions, method: 'GET', access: 'promotions:read', rateLimit: 'read' } as const;

export const promotionRoutes = {
  putPromotion: route({
    ...promotions,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/promotion',
    summary: 'Create, update or cancel a promotion',
    description:
      'A promotion is identified by `type`, `display_name`, `vendors`, `start_time` and `end_time`. A request with the same five values updates the existing promotion: its entries are merged by SKU, and an entry with `active: false` removes its SKUs. `active: false` at the top level cancels the promotion; a later request without it reactivates the promotion. A 202 response is sent as soon as the request is durably stored, and the job reports the SKUs that were not applied. The promotion applies to the catalog and to new orders once the job is COMPLETED and `start_time` has passed.',
    access: 'promotions:write',
    rateLimit: 'catalog_write',
    body: { ...largeBody, schema: PromotionRequest, example: exampleRequest, examples: exampleRequests },
    responses: {
      202: {
        description: 'The job was accepted.',
        schema: JobAccepted,
        example: exampleAccepted,
        job: 'getPromotionJob',
      },
    },
    errors: ['storage_limit_reached'],
  }),

  getPromotionJob: route({
    ...reads,
    path: '/v2/chains/{chain_id}/promotion/jobs/{job_id}',
    summary: 'Get a promotion job',
    description:
      'The job is COMPLETED if at least one SKU was applied, or if the request only removes SKUs that the promotion does not contain. Otherwise it is FAILED.',
    responses: { 200: { description: 'The job.', schema: PromotionJob, example: exampleJob, headers: ['etag'] } },
    errors: ['job_not_found'],
  }),

  downloadPromotionJob: route({
    ...reads,
    path: '/v2/chains/{chain_id}/promotion/jobs/{job_id}/download',
    summary: 'Download the SKUs that were not applied',
    isSigned: true,
    query: Type.Object({ signature: Type.Optional(Signature) }),
    headers: ['accept'],
    description: `The file has the columns \`${columnsOf(RejectionRow).join(',')}\`. It exists only if a SKU was not applied. The \`Accept\` header selects the format. In CSV, a cell that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.`,
    responses: {
      200: {
        description: 'The file.',
        mediaTypes: ['text/csv', 'application/json', 'application/x-ndjson'],
        row: RejectionRow,
        headers: ['content-disposition', 'cache-control'],
        example:
          'vendor_id,sku,code,errors\ns8ym,MLK-99999,product_not_found,"The vendor has no product with this SKU."\n',
      },
    },
    errors: ['invalid_signature', 'job_not_found', 'file_not_found', 'download_expired'],
  }),

  listPromotions: route({
    ...reads,
    path: '/v2/chains/{chain_id}/promotions',
    summary: 'List promotions',
    query: Type.Object({
      state: Type.Optional(PromotionState),
      vendor_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'Return only promotions that include this vendor.' }),
      ),
      sku: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: skuLength,
          description: 'Return only promotions that include this SKU.',
        }),
      ),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of promotions, newest first.',
        schema: Page('promotions', Promotion),
        example: { promotions: [examplePromotion], ...examplePage },
      },
    },
    errors: ['vendor_not_found'],
  }),

  getPromotion: route({
    ...reads,
    path: '/v2/chains/{chain_id}/promotions/{promotion_id}',
    summary: 'Get a promotion with its discount entries',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'The promotion with a page of its discount entries, one per SKU, sorted by SKU.',
        schema: PromotionDetails,
        example: { ...examplePromotion, discount: [exampleEntry], ...examplePage },
        headers: ['etag'],
      },
    },
    errors: ['promotion_not_found'],
  }),
};
