import { Nullable, OneOf } from '@aisle/contract/common';
import { promotionTypes } from '@aisle/contract/promotion-types';
import Type from 'typebox';
import { defineJob, type JobOf, jobPayload, type PayloadOf } from '../jobs/index.ts';

/** The request without its discount entries (rules/header.ts). */
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
  /** The next chunk, and the index of the next vendor. Each task processes every `step`th chunk. */
  payload: { ...jobPayload, chunk: Type.Integer(), step: Type.Integer(), vendor: Type.Integer() },
  details: {
    /** Whether the job's file is still being read. The header, vendors and chunks are added after that. */
    is_open: Type.Optional(Type.Boolean()),
    header,
    isForAll: Type.Boolean(),
    vendors: Type.Array(Type.String()),
    invalid_vendors: Type.Array(Type.String()),
    /** Whether the request adds SKUs. If it only removes SKUs, the promotion must already exist. */
    hasAdditions: Type.Boolean(),
    /** The number of SKUs in each chunk. */
    chunks: Type.Array(Type.Integer()),
    /** Set by the first slice; null if there is no promotion to apply. */
    promotion_id: Type.Optional(Nullable(Type.String())),
  },
});

export type PromotionJob = JobOf<typeof promotionJob>;
export type PromotionPayload = PayloadOf<typeof promotionJob>;
export type PromotionDetails = PromotionJob['details'];
