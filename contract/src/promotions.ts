import Type from 'typebox';
import { exampleAccepted, JobAccepted, largeBody, promotionTypes, VendorChoice } from './catalog.ts';
import { Id, Localized, Money, Nullable, OneOf, Page, pageQuery, Timestamp, TimestampInput } from './common.ts';
import { route } from './route.ts';
import { skuLength } from './sizes.ts';

export const discountSubtypes = ['FINAL_PRICE', 'PERCENTAGE', 'ABSOLUTE'] as const;
export const promotionStates = ['UPCOMING', 'RUNNING', 'ENDED', 'CANCELLED'] as const;

/** The columns of a promotion job's file: the SKUs that were not applied. */
export const refusalColumns = ['vendor_id', 'sku', 'code', 'errors'] as const;

const Units = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const Limits = Type.Object({
  max_discount_per_order: Type.Optional(
    Type.Number({ minimum: 0.001, maximum: 9_999_999.999, description: 'Money off in one order, at most.' }),
  ),
  max_items_per_order: Type.Optional(
    Type.Integer({ ...Units, description: 'Discounted units in one order, at most.' }),
  ),
  global_limit: Type.Optional(
    Type.Integer({
      ...Units,
      description:
        'Discounted units in all orders together, at most. Orders placed while there is no limit are not counted.',
    }),
  ),
});

const bundleQuantities = {
  purchased_quantity: Type.Optional(
    Type.Integer({ ...Units, description: 'SAME_ITEM_BUNDLE: units at full price in each group.' }),
  ),
  discounted_quantity: Type.Optional(
    Type.Integer({ ...Units, description: 'SAME_ITEM_BUNDLE: units with the discount in each group.' }),
  ),
};

const DiscountEntry = Type.Object({
  discount_subtype: Type.Optional(OneOf(discountSubtypes)),
  discount_value: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 9_999_999.999,
      description: 'FINAL_PRICE: the price. PERCENTAGE: above 0 to 100. ABSOLUTE: the amount off, above 0.',
    }),
  ),
  active: Type.Optional(
    Type.Boolean({ default: true, description: 'False takes the SKUs out; nothing else is needed.' }),
  ),
  sku: Type.Array(Type.String({ minLength: 1, maxLength: skuLength }), { minItems: 1 }),
  max_quantity: Type.Optional(
    Type.Integer({ ...Units, description: 'Discounted units of each of these SKUs in one order, at most.' }),
  ),
});

/** All of a request but its entries. */
export const PromotionHeader = Type.Object({
  vendors: VendorChoice,
  type: OneOf(promotionTypes),
  active: Type.Optional(Type.Boolean({ default: true, description: 'False cancels the promotion.' })),
  reason: Type.Optional(
    Type.String({
      pattern: '^[A-Z][A-Z0-9_]{0,63}$',
      description:
        'COMPETITIVENESS, OVERSTOCK, DELISTING, EXPIRING_SOON, TRADING, NMR, or any other upper-case word. Left out, it stays as it is.',
    }),
  ),
  display_name: Localized,
  conditions: Type.Object({ start_time: TimestampInput, end_time: TimestampInput, ...bundleQuantities }),
  limits: Type.Optional(
    Type.Object({ ...Limits.properties }, { description: 'Left out, they stay as they are; `{}` lifts them.' }),
  ),
});

const PromotionRequest = Type.Object({
  ...PromotionHeader.properties,
  discount: Type.Optional(
    Type.Array(DiscountEntry, { description: 'Needed unless the promotion is cancelled. Each SKU once.' }),
  ),
});

const Promotion = Type.Object({
  promotion_id: Id,
  vendors: Type.Array(Type.String(), { description: 'Platform ids, or `*` for all, those to come included.' }),
  type: OneOf(promotionTypes),
  active: Type.Boolean({ description: 'False once it is cancelled.' }),
  state: OneOf(promotionStates, { description: 'From the clock: running from `start_time` until before `end_time`.' }),
  reason: Nullable(Type.String()),
  display_name: Localized,
  conditions: Type.Object({ start_time: Timestamp, end_time: Timestamp, ...bundleQuantities }),
  limits: Limits,
  created_at: Timestamp,
  updated_at: Timestamp,
});

const PromotionDetails = Type.Object({
  ...Promotion.properties,
  ...Page('discount', Type.Object({ ...DiscountEntry.properties, discount_value: Type.Optional(Money) })).properties,
});

const SkusByVendor = Type.Record(Type.String(), Type.Array(Type.String()));

const PromotionJob = Type.Object({
  job_id: Id,
  job_status: OneOf(['QUEUED', 'COMPLETED', 'FAILED'], { description: 'QUEUED also while it runs.' }),
  promotion_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  result: Type.Object({
    applied: Type.Integer({
      description: 'SKU × vendor pairs put in, changed or taken out; of a cancelled promotion, its SKUs.',
    }),
    invalid_vendors: Type.Array(Type.String(), { description: 'Ids that are no vendors of the chain.' }),
    missing_skus: { ...SkusByVendor, description: 'SKUs a vendor does not have; the first 1,000, the file has all.' },
    invalid_discounted_skus: {
      ...SkusByVendor,
      description: 'SKUs whose discounted price is not below the price; the first 1,000, the file has all.',
    },
    download_url: Type.Optional(Type.String({ description: 'All SKUs that were not applied, as a file.' })),
  }),
  error: Type.Optional(Type.String({ description: 'Why the job FAILED, beginning with a code.' })),
});

const exampleEntry = { discount_subtype: 'FINAL_PRICE', discount_value: 4.5, active: true, sku: ['MLK-00012'] };

const exampleRequest = {
  vendors: ['*'],
  type: 'STRIKETHROUGH',
  active: true,
  reason: 'COMPETITIVENESS',
  display_name: { en_AE: 'Breakfast week', ar_AE: 'أسبوع الفطور' },
  conditions: { start_time: '2035-05-04T00:00:00.000Z', end_time: '2035-05-11T00:00:00.000Z' },
  discount: [exampleEntry, { discount_subtype: 'PERCENTAGE', discount_value: 20, sku: ['MLK-00013'], max_quantity: 2 }],
  limits: { max_items_per_order: 6 },
};

const examplePromotion = {
  promotion_id: '7f3c1d52-6a0b-4a5e-9c38-5d1f0e6b2a90',
  vendors: ['*'],
  type: 'STRIKETHROUGH',
  active: true,
  state: 'UPCOMING',
  reason: 'COMPETITIVENESS',
  display_name: exampleRequest.display_name,
  conditions: exampleRequest.conditions,
  limits: exampleRequest.limits,
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:00.000Z',
};

const examplePage = { page_number: 1, page_size: 20, total_pages: 1, total_items: 1 };

const exampleJob = {
  ...exampleAccepted,
  job_status: 'COMPLETED',
  promotion_id: examplePromotion.promotion_id,
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:00.750Z',
  result: { applied: 2, invalid_vendors: [], missing_skus: { s8ym: ['MLK-99999'] }, invalid_discounted_skus: {} },
};

const promotions = { api: 'partner', tag: 'Promotions' } as const;
const reads = { ...promotions, method: 'GET', access: 'promotions:read', rateLimit: 'read' } as const;

export const promotionRoutes = {
  putPromotion: route({
    ...promotions,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/promotion',
    summary: 'Create, modify or cancel a promotion',
    description:
      'A promotion is known by its `type`, `display_name`, vendors, `start_time` and `end_time`: the same five again modify it. Its entries are merged by SKU, an entry with `active: false` takes its SKUs out, `active: false` at the top cancels it, and sent active again it is revived. The answer is 202 once the request is safely stored; the job says which SKUs were not applied. It shows in the catalog and in new orders as soon as the job is COMPLETED and the clock has reached `start_time`.',
    access: 'promotions:write',
    rateLimit: 'catalog_write',
    body: { ...largeBody, schema: PromotionRequest, example: exampleRequest },
    responses: { 202: { description: 'A job was accepted.', schema: JobAccepted, example: exampleAccepted } },
    errors: [],
  }),

  getPromotionJob: route({
    ...reads,
    path: '/v2/chains/{chain_id}/promotion/jobs/{job_id}',
    summary: 'Read a promotion job: what was applied, and which SKUs were not',
    description: 'COMPLETED if anything was applied, else FAILED.',
    responses: { 200: { description: 'The job.', schema: PromotionJob, example: exampleJob } },
    errors: ['job_not_found'],
  }),

  downloadPromotionJob: route({
    ...reads,
    path: '/v2/chains/{chain_id}/promotion/jobs/{job_id}/download',
    summary: 'Download the SKUs a promotion job did not apply',
    description: `The file has the columns \`${refusalColumns.join(',')}\`, and is there if anything was not applied. Choose the form with \`Accept\`. In CSV a cell that a spreadsheet would run as a formula begins with an apostrophe.`,
    responses: {
      200: {
        description: 'The file.',
        mediaTypes: ['text/csv', 'application/json', 'application/x-ndjson'],
        example:
          'vendor_id,sku,code,errors\ns8ym,MLK-99999,product_not_found,"The vendor has no product with this SKU."\n',
      },
    },
    errors: ['job_not_found', 'file_not_found', 'download_expired'],
  }),

  listPromotions: route({
    ...reads,
    path: '/v2/chains/{chain_id}/promotions',
    summary: 'List promotions',
    query: Type.Object({
      state: Type.Optional(OneOf(promotionStates)),
      vendor_id: Type.Optional(Type.String({ maxLength: 64, description: 'Those that cover this vendor.' })),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'Newest first.',
        schema: Page('promotions', Promotion),
        example: { promotions: [examplePromotion], ...examplePage },
      },
    },
    errors: ['vendor_not_found'],
  }),

  getPromotion: route({
    ...reads,
    path: '/v2/chains/{chain_id}/promotions/{promotion_id}',
    summary: 'Read a promotion with its discount entries',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'The promotion, and a page of its entries by SKU, one SKU each.',
        schema: PromotionDetails,
        example: { ...examplePromotion, discount: [exampleEntry], ...examplePage },
      },
    },
    errors: ['promotion_not_found'],
  }),
};
