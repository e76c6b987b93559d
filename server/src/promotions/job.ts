import { Nullable, OneOf } from '@aisle/contract/common';
import { promotionTypes } from '@aisle/contract/catalog';
import Type from 'typebox';
import { defineJob, type JobOf, jobPayload, type PayloadOf } from '../jobs/index.ts';

/** What the request says of the promotion as a whole (rules/header.ts). */
const header = Type.Object({
  type: OneOf(promotionTypes),
  active: Type.Boolean(),
  reason: Nullable(Type.String()),
  display_name: Type.Record(Type.String(), Type.String()),
  start_time: Type.String(),
  end_time: Type.String(),
  purchased_quantity: Nullable(Type.Integer()),
  discounted_quantity: Nullable(Type.Integer()),
  limits: Nullable(
    Type.Object({
      max_discount_per_order: Type.Optional(Type.String()),
      max_items_per_order: Type.Optional(Type.Integer()),
      global_limit: Type.Optional(Type.Integer()),
    }),
  ),
});

export const promotionJob = defineJob({
  type: 'PROMOTION',
  task: 'promotions.apply',
  /** What comes next: the SKUs of a chunk for the vendors from `vendor` on. The tasks take every `step`th chunk. */
  payload: { ...jobPayload, chunk: Type.Integer(), step: Type.Integer(), vendor: Type.Integer() },
  details: {
    header,
    isForAll: Type.Boolean(),
    vendors: Type.Array(Type.String()),
    invalid_vendors: Type.Array(Type.String()),
    /** Whether it adds SKUs: removing SKUs needs a promotion that exists. */
    hasAdditions: Type.Boolean(),
    /** The number of SKUs in each chunk. */
    chunks: Type.Array(Type.Integer()),
    /** Set by the first slice: the promotion, or null if there is none to work on. */
    promotion_id: Type.Optional(Nullable(Type.String())),
  },
});

export type PromotionJob = JobOf<typeof promotionJob>;
export type PromotionPayload = PayloadOf<typeof promotionJob>;
export type PromotionDetails = PromotionJob['details'];
