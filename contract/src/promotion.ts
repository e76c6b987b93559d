import Type from 'typebox';
import { VendorChoice } from './product.ts';
import { described, Id, Localized, Money, Nullable, OneOf, Page, Timestamp, TimestampInput } from './common.ts';
import { exampleAccepted, FileName } from './jobs.ts';
import { discountSubtypes, promotionTypes } from './promotion-types.ts';
import { maxFeedback, maxInteger, maxLocales, maxMoney, skuLength } from './sizes.ts';
import { valueFaults } from './value-faults.ts';

export const promotionStates = ['UPCOMING', 'RUNNING', 'ENDED', 'CANCELLED'] as const;
export const PromotionState = OneOf(promotionStates, {
  description: 'RUNNING from `start_time` (inclusive) to `end_time` (exclusive).',
});
export const PromotionType = OneOf(promotionTypes, {
  description:
    'STRIKETHROUGH: a lower price. SAME_ITEM_BUNDLE: some units in a bundle of the same product are discounted.',
});
export const DiscountSubtype = OneOf(discountSubtypes, { description: 'How `discount_value` is interpreted.' });

/** A row in the result file of a promotion job, which lists the SKUs that were not applied. */
export const RejectionRow = Type.Object({
  vendor_id: Type.String({
    description: 'The vendor where the SKU was not applied. Empty for an invalid row of an uploaded file.',
  }),
  sku: Type.String({ description: 'The SKU.' }),
  code: Type.String({ description: 'A code for the reason why the SKU was not applied.' }),
  errors: Type.String({ description: 'The reason as text.' }),
});

const Units = Type.Integer({ minimum: 1, maximum: maxInteger });

export const PromotionLimits = Type.Object({
  max_discount_per_order: Type.Optional(
    Type.Number({ minimum: 0.001, maximum: maxMoney, description: 'The maximum discount per order.' }),
  ),
  max_items_per_order: Type.Optional(
    Type.Integer({ ...Units, description: 'The maximum number of discounted units per order.' }),
  ),
  global_limit: Type.Optional(
    Type.Integer({
      ...Units,
      description:
        'The maximum number of discounted units across all orders. Orders placed while no limit is set do not count toward it.',
    }),
  ),
});

const bundleQuantities = {
  purchased_quantity: Type.Optional(
    Type.Integer({
      ...Units,
      description:
        'SAME_ITEM_BUNDLE: the number of units at full price in each bundle. Products sold by weight cannot be in a bundle.',
    }),
  ),
  discounted_quantity: Type.Optional(
    Type.Integer({ ...Units, description: 'SAME_ITEM_BUNDLE: the number of discounted units in each bundle.' }),
  ),
};

export const DiscountEntry = Type.Object({
  discount_subtype: Type.Optional(DiscountSubtype),
  discount_value: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: maxMoney,
      description:
        'FINAL_PRICE: the discounted price, 0 or at least 0.001. PERCENTAGE: greater than 0, up to 100. ABSOLUTE: the amount off, greater than 0.',
    }),
  ),
  active: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'False removes the SKUs from the promotion; no other fields are required in that case.',
    }),
  ),
  sku: Type.Array(Type.String({ minLength: 1, maxLength: skuLength }), {
    minItems: 1,
    description: 'SKUs, without spaces at the beginning or end.',
  }),
  max_quantity: Type.Optional(
    Type.Integer({ ...Units, description: 'The maximum number of discounted units of each SKU per order.' }),
  ),
});

/** The request without its discount entries. */
export const PromotionHeader = Type.Object({
  vendors: VendorChoice,
  type: PromotionType,
  active: Type.Optional(Type.Boolean({ default: true, description: 'False cancels the promotion.' })),
  reason: Type.Optional(
    Type.String({
      pattern: '^[A-Z][A-Z0-9_]{0,63}$',
      patternHint: valueFaults.upper_case,
      description:
        'COMPETITIVENESS, OVERSTOCK, DELISTING, EXPIRING_SOON, TRADING, NMR, or any other code in upper case. If omitted, the reason is not changed.',
    }),
  ),
  display_name: described(
    Localized,
    `The name by locale, in up to ${maxLocales} locales, each with up to 200 characters.`,
  ),
  conditions: Type.Object(
    {
      start_time: described(TimestampInput, 'When the promotion starts. UTC is assumed if there is no offset.'),
      end_time: described(
        TimestampInput,
        'When the promotion ends: after `start_time` and in the future. UTC is assumed if there is no offset.',
      ),
      ...bundleQuantities,
    },
    { description: 'When the promotion applies, and the size of its bundles.' },
  ),
  limits: Type.Optional(
    Type.Object(
      { ...PromotionLimits.properties },
      { description: 'If omitted, the limits are not changed; `{}` removes them.' },
    ),
  ),
});

export const PromotionRequest = Type.Object({
  ...PromotionHeader.properties,
  discount: Type.Optional(
    Type.Array(DiscountEntry, {
      description: 'Required unless the promotion is cancelled. A SKU can appear only once.',
    }),
  ),
});

export const Promotion = Type.Object({
  promotion_id: described(Id, 'The id of the promotion.'),
  vendors: Type.Array(Type.String(), { description: 'Platform ids, or `*` for all current and future vendors.' }),
  type: PromotionType,
  active: Type.Boolean({ description: 'False if the promotion is cancelled.' }),
  state: PromotionState,
  reason: Nullable(Type.String({ description: 'Why the promotion exists, e.g. `OVERSTOCK`. Null if none was given.' })),
  display_name: Localized,
  conditions: Type.Object(
    {
      start_time: described(Timestamp, 'When the promotion starts.'),
      end_time: described(Timestamp, 'When the promotion ends.'),
      ...bundleQuantities,
    },
    { description: 'When the promotion applies, and the size of its bundles.' },
  ),
  limits: described(PromotionLimits, 'The limits that are set; may be empty.'),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const PromotionDetails = Type.Object({
  ...Promotion.properties,
  ...Page(
    'discount',
    Type.Object({
      ...DiscountEntry.properties,
      discount_value: Type.Optional(Money),
      title: Type.Optional(described(Localized, 'The titles of the product. Absent if the chain does not have it.')),
    }),
  ).properties,
});

const SkusByVendor = Type.Record(Type.String(), Type.Array(Type.String()));

export const PromotionJob = Type.Object({
  job_id: described(Id, 'The id of the job.'),
  job_status: OneOf(['QUEUED', 'COMPLETED', 'FAILED'], { description: 'QUEUED while the job is waiting or running.' }),
  promotion_id: Nullable(described(Id, 'The id of the promotion. Null until the job has found or created it.')),
  file_name: Type.Optional(FileName),
  created_at: Timestamp,
  updated_at: Timestamp,
  result: Type.Object(
    {
      applied: Type.Integer({
        description:
          'The number of SKU and vendor pairs that were added, changed or removed. If the promotion was cancelled, the number of its SKUs.',
      }),
      invalid_vendors: Type.Array(Type.String(), { description: 'Ids that do not belong to a vendor of the chain.' }),
      missing_skus: {
        ...SkusByVendor,
        description: `The first ${maxFeedback.toLocaleString('en')} SKUs that a vendor does not have; the file contains all of them.`,
      },
      invalid_discounted_skus: {
        ...SkusByVendor,
        description: `The first ${maxFeedback.toLocaleString('en')} SKUs whose discounted price is at or above the regular price, or that are sold by weight in a SAME_ITEM_BUNDLE; the file contains all of them.`,
      },
      skus_not_in_promotion: Type.Optional({
        ...SkusByVendor,
        description: `The first ${maxFeedback.toLocaleString('en')} SKUs that could not be removed because they are not in the promotion. Absent if there are none. They do not count as errors: the job is FAILED only if other SKUs were rejected and no SKU was applied.`,
      }),
      invalid_rows: Type.Optional(
        Type.Array(
          Type.Object({
            line: Type.Integer({ description: 'The line of the uploaded file on which the row starts.' }),
            reason: Type.String({ description: 'Why the row was rejected.' }),
          }),
          {
            description:
              'If the job was created from a file: the first 100 rows that are not valid, whatever the store. Absent if there are none.',
          },
        ),
      ),
      download_url: Type.Optional(
        Type.String({
          description: 'A file with all SKUs that were not applied. The link works without a token for 15 minutes.',
        }),
      ),
    },
    { description: 'The result of the job.' },
  ),
  error: Type.Optional(Type.String({ description: 'The reason, if the job is FAILED. Starts with a code.' })),
});

export const exampleEntry = { discount_subtype: 'FINAL_PRICE', discount_value: 4.5, active: true, sku: ['MLK-00012'] };

export const exampleRequest = {
  vendors: ['*'],
  type: 'STRIKETHROUGH',
  active: true,
  reason: 'COMPETITIVENESS',
  display_name: { en_AE: 'Breakfast week', ar_AE: 'أسبوع الفطور' },
  conditions: { start_time: '2035-05-04T00:00:00.000Z', end_time: '2035-05-11T00:00:00.000Z' },
  discount: [exampleEntry, { discount_subtype: 'PERCENTAGE', discount_value: 20, sku: ['MLK-00013'], max_quantity: 2 }],
  limits: { max_items_per_order: 6 },
};

export const exampleRequests = {
  strikethrough: { summary: 'A lower price at all stores', value: exampleRequest },
  same_item_bundle: {
    summary: 'Buy two, get one free',
    value: {
      ...exampleRequest,
      type: 'SAME_ITEM_BUNDLE',
      conditions: { ...exampleRequest.conditions, purchased_quantity: 2, discounted_quantity: 1 },
      discount: [{ discount_subtype: 'PERCENTAGE', discount_value: 100, sku: ['MLK-00012'] }],
    },
  },
  remove: {
    summary: 'Remove a SKU from a promotion',
    value: { ...exampleRequest, discount: [{ active: false, sku: ['MLK-00012'] }] },
  },
  cancel: { summary: 'Cancel a promotion', value: { ...exampleRequest, active: false, discount: [] } },
};

export const examplePromotion = {
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

export const examplePage = { page_number: 1, page_size: 20, total_pages: 1, total_items: 1 };

export const exampleJob = {
  ...exampleAccepted,
  job_status: 'COMPLETED',
  promotion_id: examplePromotion.promotion_id,
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:00.750Z',
  result: { applied: 2, invalid_vendors: [], missing_skus: { s8ym: ['MLK-99999'] }, invalid_discounted_skus: {} },
};
